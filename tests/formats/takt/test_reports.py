"""Reports of movements in their forms: one into another and back, comments kept, nothing lost."""

from pathlib import Path

import pytest

from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.change import can
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.formats.takt.changes.reports import reshapings
from stepflow_gui.formats.takt.fields import PIECE_FILE
from stepflow_gui.formats.takt.sections import report_names
from stepflow_gui.gui.inspector.forms.form_fields import lines_of
from tests.formats.changes.hand import Agent
from tests.formats.takt.test_changes import done, lines

HEAD = "name: x\nmax_iterations: 3\ninitial_movement: a\nmovements:\n  - name: a\n    instruction: Do it.\n"
WHERE = "/movements/0/output_contracts/report"
BLOCK = """\
    output_contracts:
      report:
        # the first
        - name: plan.md   # the plan
        - Scope: scope.md   # how far
          Questions: questions.md   # what is open
        - decisions: decisions.md
        - name: all.md
          format: all
"""


def opened(tmp_path: Path, contracts: str) -> Agent:
    path = tmp_path / ".takt" / "pieces" / "x.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD + contracts, encoding="utf-8", newline="")
    return Agent.open(path)


def names(agent: Agent) -> list[str]:
    return [text.value for text in report_names(agent.folder.flow.steps["a"])]


def forms(agent: Agent, pointer: str) -> list[str]:
    return [change.form for change in reshapings(agent.folder.flow, pointer)]


def test_each_entry_offers_what_loses_nothing(tmp_path: Path) -> None:
    agent = opened(tmp_path, BLOCK)
    assert forms(agent, f"{WHERE}/0") == ["label"]
    assert forms(agent, f"{WHERE}/1") == ["split", "join"]
    assert forms(agent, f"{WHERE}/2") == ["name"]
    assert forms(agent, f"{WHERE}/3") == []
    assert can(agent.folder, asked.ReshapeReport(f"{WHERE}/3", "label"))


def test_labels_become_entries_and_one_again_with_their_comments(tmp_path: Path) -> None:
    agent = opened(tmp_path, BLOCK)
    made = done(agent, asked.ReshapeReport(f"{WHERE}/1", "split"))
    assert lines(agent, made) == (
        ["Questions: questions.md   # what is open"],
        ["- Questions: questions.md   # what is open"],
    )
    assert names(made.agent) == names(agent)
    assert done(made.agent, asked.ReshapeReport(f"{WHERE}/1", "join")).agent.registry == agent.registry


def test_labels_become_entries_where_lines_end_with_cr(tmp_path: Path) -> None:
    agent = opened(tmp_path, BLOCK.replace("\n", "\r"))
    made = done(agent, asked.ReshapeReport(f"{WHERE}/1", "split"))
    assert "\r          - Questions:" not in made.agent.registry
    assert "\r        - Questions: questions.md   # what is open\r" in made.agent.registry
    assert done(made.agent, asked.ReshapeReport(f"{WHERE}/1", "join")).agent.registry == agent.registry


def test_a_name_and_its_label_are_the_same_report(tmp_path: Path) -> None:
    agent = opened(tmp_path, BLOCK)
    made = done(agent, asked.ReshapeReport(f"{WHERE}/0", "label"))
    assert lines(agent, made) == (["- name: plan.md   # the plan"], ["- plan: plan.md   # the plan"])
    assert done(made.agent, asked.ReshapeReport(f"{WHERE}/0", "name")).agent.registry == agent.registry
    assert names(made.agent) == names(agent)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "contracts",
    [
        (
            "    output_contracts:\n      - name: plan.md   # the plan\n      - name: scope.md\n"
            "        order: |\n          Write\n\n          it\n"
        ),
        "    output_contracts:\n    - name: plan.md   # the plan\n    - name: scope.md\n",
        "    output_contracts: [{name: plan.md}, {name: scope.md}]\n",
    ],
)
def test_a_list_in_the_wrong_place_goes_under_report(contracts: str, line_end: str, tmp_path: Path) -> None:
    agent = opened(tmp_path, (contracts + "    edit: true\n").replace("\n", line_end))
    assert names(agent) == []
    where = "/movements/0/output_contracts"
    assert forms(agent, where) == ["nest"]
    made = done(agent, asked.ReshapeReport(where, "nest"))
    assert names(made.agent) == ["plan.md", "scope.md"]
    old = agent.folder.registry.tree.at(where)
    new = made.agent.folder.registry.tree.at(f"{where}/report")
    assert old is not None
    assert new is not None
    assert new.value == old.value
    assert ("# the plan" in contracts) == ("# the plan" in made.agent.registry)


def test_what_stands_in_one_line_is_left(tmp_path: Path) -> None:
    agent = opened(tmp_path, "    output_contracts: {report: [{a: a1.md, b: b1.md}]}\n")
    assert can(agent.folder, asked.ReshapeReport(f"{WHERE}/0", "split"))


def test_the_form_has_a_line_for_each_label(tmp_path: Path) -> None:
    agent = opened(tmp_path, BLOCK)
    tree = agent.folder.registry.tree
    root = tree.root
    assert root is not None
    assert not list(misfits(root.value, PIECE_FILE, "piece"))
    found = {line.pointer: line for line in lines_of(root.value, PIECE_FILE, "", "piece")}
    scope = found[f"{WHERE}/1/Scope"]
    assert (scope.control, scope.role, scope.value) == ("text", "entry", "scope.md")
    assert found[f"{WHERE}/1"].grows is not None
    assert [field.name for field in found[f"{WHERE}/1"].missing] == []
    assert {field.name for field in found[f"{WHERE}/0"].missing} >= {"format", "order"}
    assert found[f"{WHERE}/3/format"].role == "field"


OLDER = [
    "    report: plan.md   # the plan\n",
    '    report: "plan.md"   # the plan\n',
    "    report:   # the plan\n      - Plan: plan.md\n      - Scope: scope.md   # how far\n",
    "    report:\n    - name: plan.md   # the plan\n      format: |\n        Write\n\n        it\n",
    "    report:\n      name: plan.md   # the plan\n      order: |\n        Write\n\n        it\n      format: plan\n",
    "    report: {name: plan.md}   # the plan\n",
    "    report: [{Plan: plan.md}, {Scope: scope.md}]   # the plan\n",
]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("older", OLDER)
def test_the_older_field_goes_under_output_contracts(older: str, line_end: str, tmp_path: Path) -> None:
    agent = opened(tmp_path, (older + "    edit: true\n").replace("\n", line_end))
    old = agent.folder.flow.steps["a"].raw["report"]
    made = done(agent, asked.ReshapeReport("/movements/0/report", "nest"))
    raw = made.agent.folder.flow.steps["a"].raw
    wanted = old if isinstance(old, list) else [{"name": old} if isinstance(old, str) else old]
    assert raw["output_contracts"] == {"report": wanted}
    assert list(raw) == ["name", "instruction", "output_contracts", "edit"]
    assert made.agent.registry.count("#") == older.count("#")
    assert names(made.agent)[0] == "plan.md"


@pytest.mark.parametrize(
    "other", ["    report: plan.md\n    output_contracts: {report: []}\n", "    report: 3\n", "    report: [a.md]\n"]
)
def test_an_older_field_that_fits_nowhere_stays(other: str, tmp_path: Path) -> None:
    assert forms(opened(tmp_path, other), "/movements/0/report") == []
