"""Pieces taken to another release: the same transitions, the rest of the text as it was, losses are reported."""

import json
from pathlib import Path

import pytest

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.read import read_flow
from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import AskedOfJudge
from stepflow_gui.formats.takt.migrating.migration import Migration, MigrationRefusal, migrated
from stepflow_gui.formats.takt.migrating.names import FAMILIES, name_for
from stepflow_gui.formats.takt.migrating.text import Left, note_lines
from stepflow_gui.formats.takt.releases.loading import held_against_releases
from stepflow_gui.formats.takt.releases.sets import Releases, between, names
from stepflow_gui.formats.takt.releases.setting import releases_of_runtime
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree
from tests.conftest import Thin

PIECE = """\
# The piece
name: old   # its name
max_iterations: 5
initial_movement: work
answer_agent: helper
instructions:
  do: "of {max_iterations}"
movements:
  - name: work
    permission_mode: edit
    allowed_tools: [Read]
    instruction: do
    instruction_template: |
      Run {movement_iteration}
    output_contracts:
      report:
        - Summary: a.md
        - name: b.md
    rules:
      - condition: ai("it is done")   # asked
        next: COMPLETE
      - condition: a && b
        next: work
loop_monitors:
  - cycle: [work, work]
    judge:
      instruction_template: Round {cycle_count} of {max_iterations}
      rules: [{condition: on, next: work}]
"""

WORKFLOW = """\
# The piece
name: old   # its name
max_steps: 5
initial_step: work
instructions:
  do: "of {max_steps}"
steps:
  - name: work
    required_permission_mode: edit
    instruction: |
      Run {step_iteration}
    output_contracts:
      report:
        - name: a.md
          format: Summary
        - name: b.md
    rules:
      - condition: it is done   # asked
        next: COMPLETE
      - condition: a && b
        next: work
loop_monitors:
  - cycle: [work, work]
    judge:
      instruction: Round {cycle_count} of {max_steps}
      rules: [{condition: on, next: work}]
"""


def _release(name: str) -> Releases:
    found = releases_of_runtime(f"takt-{name}")
    assert found is not None
    return found


def _made(text: str, to: str = "latest", runtime: str | None = None) -> Migration:
    found = migrated(Source(text), _release(to), _release(runtime) if runtime else None)
    assert isinstance(found, Migration), found
    return found


def _step(*lines: str, top: str = "movements") -> str:
    first = {"movements": "initial_movement", "steps": "initial_step"}[top]
    rest = "".join(f"    {line}\n" for line in lines)
    return f"name: p\n{first}: a\n{top}:\n  - name: a\n{rest}"


RULE = ("rules:", "- {condition: done, next: COMPLETE}")


def test_words_change_and_nothing_else() -> None:
    assert _made(PIECE).text == WORKFLOW


def test_what_is_not_carried_over_is_reported_at_its_place() -> None:
    found = _made(PIECE)
    told = {left.pointer: left.message for left in found.left}
    assert set(told) == {
        "/movements/0/instruction",
        "/movements/0/permission_mode",
        "/movements/0/allowed_tools",
        "/movements/0/rules/0/condition",
        "/movements/0/output_contracts/report/0",
        "/answer_agent",
    }
    assert '["Read"]' in told["/movements/0/allowed_tools"]


def test_what_the_release_refuses_still_is_reported() -> None:
    found = {left.pointer: left.message for left in _made(PIECE).refused}
    assert found == {
        "/movements/0/output_contracts/report/1/format": "TAKT 0.60 needs it",
        "/movements/0/rules/1/condition": "TAKT 0.60 can't read it: after && only when(…) may stand",
    }


@pytest.mark.parametrize(
    ("text", "to", "wanted"),
    [
        # name changes between neighbours, forwards and back
        (_step(*RULE) + "max_iterations: 3\n", "0.12", _step(*RULE) + "max_movements: 3\n"),
        (_step(*RULE) + "max_movements: 3\n", "0.11", _step(*RULE) + "max_iterations: 3\n"),
        (_step(*RULE) + "max_movements: 3\n", "0.36", _step(*RULE, top="steps") + "max_steps: 3\n"),
        (_step(*RULE, top="steps") + "max_steps: 3\n", "0.29", _step(*RULE) + "max_movements: 3\n"),
        (_step(*RULE) + "piece_config: {runtime: {prepare: [node]}}\n", "0.36",
         _step(*RULE, top="steps") + "workflow_config: {runtime: {prepare: [node]}}\n"),
        (_step("agent: coder", *RULE), "0.8", _step("persona: coder", *RULE)),
        (_step("persona: coder", *RULE), "0.7", _step("agent: coder", *RULE)),
        (_step("agent: coder", *RULE, top="steps"), "0.7", _step("agent: coder", *RULE)),
        (_step("instruction_template: do it", *RULE), "0.34", _step("instruction: do it", *RULE)),
        # where both names are read, the text stays
        (_step(*RULE) + "max_movements: 3\n", "0.35", None),
        (_step("instruction_template: do it", *RULE), "0.33", None),
        # variables of prompts
        (_step('instruction: "{movement_iteration} of {max_movements}"', *RULE), "0.36",
         _step('instruction: "{step_iteration} of {max_steps}"', *RULE, top="steps")),
        # reports
        (_step("agent: c", "report: a.md", *RULE), "0.8", _step("persona: c", "output_contracts:", "  report:",
         "    - name: a.md", *RULE)),
        # conditions
        (_step("rules:", "- {when: context.a == 1, next: COMPLETE}", top="steps"), "0.53",
         _step("rules:", "- {condition: when(context.a == 1), next: COMPLETE}", top="steps")),
    ],
)  # fmt: skip
def test_what_is_lossless_changes_the_words_alone(text: str, to: str, wanted: str | None) -> None:
    found = _made(text, to)
    assert (found.text, found.left, found.refused) == (wanted or text, (), ())


@pytest.mark.parametrize(
    ("runtime", "to", "wanted", "noted"),
    [
        ("0.49", "0.50", "when(context.a == 1)", False),  # evaluated before and after
        ("0.49", "0.33", "context.a == 1", True),  # a label there
        ("0.35", "0.36", "context.a == 1", True),  # evaluated there
        ("0.35", "0.50", "context.a == 1", False),  # a label before and after
    ],
)
def test_a_condition_that_looks_like_an_expression(runtime: str, to: str, wanted: str, noted: bool) -> None:
    top = "steps" if runtime == "0.49" else "movements"
    text = _step("rules:", "- {condition: context.a == 1, next: COMPLETE}", top=top)
    found = _made(text, to, runtime)
    assert f"condition: {wanted}" in found.text
    assert [left.pointer for left in found.left] == ([f"/{top}/0/rules/0/condition"] if noted else [])


@pytest.mark.parametrize(
    ("condition", "runtime", "to", "wanted", "said"),
    [
        ("when(context.a == 1)", "0.60", "0.49", "when: context.a == 1", ""),
        ("when(context.a == 1)", "0.50", "0.36", "when: context.a == 1", ""),
        ("when(context.a == 1)", "0.60", "0.52", "condition: when(context.a == 1)", ""),
        (
            "when(context.a.b)",
            "0.60",
            "0.35",
            "condition: when(context.a.b)",
            "a label for the judge; TAKT 0.60 evaluated it",
        ),
        ("ok && when(context.a == 1)", "0.60", "0.49", None, "the run ends there, as it didn't in TAKT 0.60"),
        (
            "ok && when(context.a.b)",
            "0.60",
            "0.52",
            None,
            "a label for the judge; TAKT 0.60 evaluated its when(…), too",
        ),
        (
            "ok && when(context.a.b)",
            "0.52",
            "0.53",
            None,
            "its when(…) is evaluated; TAKT 0.52 took all of it for a label",
        ),
        ("ok && when(context.a == 1)", "0.49", "0.53", None, "its when(…) is evaluated; TAKT 0.49 ended the run there"),
        ("coverage >= 80 %", "0.35", "0.36", None, "the run ends there, as it didn't in TAKT 0.35"),
        ("done", "0.60", "0.36", None, ""),
    ],
)
def test_who_decides_about_a_condition(condition: str, runtime: str, to: str, wanted: str | None, said: str) -> None:
    top = "movements" if runtime == "0.35" else "steps"
    text = _step("rules:", f"- {{condition: {condition}, next: COMPLETE}}", top=top)
    found = _made(text, to, runtime)
    assert (wanted or f"condition: {condition}") in found.text
    assert len(found.left) == bool(said), found.left
    assert all(said in left.message for left in found.left), found.left


def test_a_name_of_an_agent_is_looked_up_later() -> None:
    text = "name: p\nsteps:\n  - {name: a, agent: coder, rules: [{condition: ok, next: COMPLETE}]}\n"
    assert any("are looked up in .takt/facets/" in each for each in _made(text, "0.60", "0.3").meaning)


def test_a_limit_that_had_no_effect_is_reported_where_it_gets_one() -> None:
    text = _step("required_permission_mode: edit", *RULE) + "max_iterations: 40\n"  # 0.16 and later drop it
    [left] = _made(text, "0.36").left
    assert (left.pointer, left.message) == (
        "/max_iterations",
        "TAKT 0.16–0.35 didn't read “max_iterations”; it has an effect as “max_steps” now",
    )


def test_words_that_no_release_reads_become_those_that_one_does() -> None:
    text = _step("stance: careful", "persona: c", *RULE) + "stances: {careful: ../careful.md}\nagents: {c: ../c.md}\n"
    found = _made(text, "0.36")
    assert found.text == _step("policy: careful", "persona: c", *RULE, top="steps") + (
        "policies: {careful: ../careful.md}\npersonas: {c: ../c.md}\n"
    )
    assert {left.pointer for left in found.left} == {"/movements/0/stance", "/stances", "/agents"}
    both = _step("stance: careful", "policy: bold", *RULE)
    assert _made(both, "0.36").text == _step("policy: bold", *RULE, top="steps")


def test_of_two_limits_the_one_stays_that_was_used() -> None:
    found = _made(PIECE + "max_steps: 3\n")
    assert found.text == WORKFLOW
    assert ("/max_steps", "max_iterations beside it is what has been used") in found.left


def test_of_two_texts_the_one_stays_that_was_used() -> None:
    text = _step("instruction: new", "instruction_template: old", *RULE)
    assert "instruction: old" in _made(text, "0.34", "0.31").text
    assert "instruction: new" in _made(text, "0.34", "0.32").text
    assert _made(text, "0.20", "0.31").text == text


def test_how_the_release_takes_the_same_text_is_said() -> None:
    rules = ("parallel:", "- {name: s, rules: [{condition: ok}]}", "rules:", "- {condition: other, next: a}",
             '- {condition: all("ok"), next: COMPLETE}')  # fmt: skip
    text = _step("instruction: '{report:a.md}'", *rules, top="steps")
    there = "\n".join(_made(text, "0.53", "0.52").meaning)
    assert "Rules are tried in their order" in there
    assert "the report's text, not for its path" in there
    back = "\n".join(_made(text, "0.52", "0.53").meaning)
    assert "come before labels" in back
    assert "the report's path, not for its text" in back
    assert _made(text, "0.52", "0.50").meaning == ()


def test_line_ends_and_a_mark_at_the_beginning_stay() -> None:
    found = migrated(Source(PIECE.replace("\n", "\r\n"), bom=True), _release("latest"))
    assert isinstance(found, Migration)
    assert found.text == WORKFLOW.replace("\n", "\r\n")


@pytest.mark.parametrize(
    "text",
    ["a: [\n", "- a\n", "steps: [{name: a, provider: &p claude}]\nd: *p\n"],
)
def test_what_cannot_be_converted_is_left_alone(text: str) -> None:
    found = migrated(Source(text), _release("latest"))
    assert isinstance(found, MigrationRefusal)
    assert found.message


def test_real_pieces_keep_their_transitions(corpus: Path, thin: Thin) -> None:
    """One piece in three; --full: each."""
    files = sorted(corpus.joinpath("takt", "seed-era").rglob("pieces/*.yaml"))
    assert files
    for file in thin(files, 3):
        text = file.read_text("utf-8")
        if "movements:" in text:
            assert _ways(_flow(_made(text).text)) == _ways(_flow(text)), file


def test_a_workflow_with_some_older_words_gets_the_newer_ones() -> None:
    mixed = WORKFLOW.replace("max_steps: 5", "max_iterations: 5").replace("required_permission_mode", "permission_mode")
    assert mixed != WORKFLOW
    assert _made(mixed).text == WORKFLOW


GENERATIONS = ("0.2", "0.3", "0.7", "0.11", "0.15", "0.16", "0.29", "0.33", "0.35", "0.49", "0.52", "0.59", "latest")


@pytest.mark.slow
def test_real_files_in_every_generation(corpus: Path, thin: Thin) -> None:
    """One file in 25; --full: each. What is reported is true, what a release reads stays, and once is enough."""
    files = [*corpus.joinpath("takt").rglob("pieces/*.yaml"), *corpus.joinpath("takt").rglob("workflows/*.yaml")]
    assert len(files) > 100
    for file in thin(files, 25):
        source = Source(file.read_text("utf-8"))
        held = held_against_releases(read_yaml_tree(source))
        for name in GENERATIONS:
            release = _release(name)
            found = migrated(source, release)
            if isinstance(found, MigrationRefusal):
                assert not held.loads & release, file
                continue
            after = held_against_releases(read_yaml_tree(Source(found.text)))
            assert bool(after.loads & release) == (not found.refused), (file, name)
            if held.loads & release:
                assert after.loads & release, (file, name)
            if held.reads_all & release:
                assert (found.text, found.left) == (source.text, ()), (file, name)
            again = migrated(Source(found.text), release)
            assert isinstance(again, Migration)
            assert again.text == found.text, (file, name)


def test_the_lossless_edits_of_upstream_are_made_and_nothing_is_reported(conformance: Path) -> None:
    """Each edit that only gives a key another name, from every release to every one for which it is lossless."""
    data = json.loads((conformance / "takt/versions/migrations.json").read_text("utf-8"))
    tried = 0
    for edit in data["edits"]:
        old, arrow, new = edit["edit"].split(",")[0].split(" ")[0].partition("→")
        level = next((level for level, families in FAMILIES.items() if any({old, new} <= {*f} for f in families)), "")
        if not arrow or not level:
            continue
        for entry in edit["lossless"]:
            assert {name_for(level, old, each) for each in _each(entry["to"])} <= {new, old}, edit["id"]
            tried += 1
    assert tried > 5


def _each(span: str) -> list[Releases]:
    first, last = span.split("..")
    return [between(name, name) for name in names(between(first, last))]


def _flow(text: str) -> Flow:
    return read_flow(ParsedFile.read(Path("p.yaml"), Source(text)))


def _ways(flow: Flow) -> list[tuple[str, str, str | None, str]]:
    return [(move.step, _label(move.intent), move.target, move.end) for move in flow.moves()]


def _label(condition: str) -> str:
    found = parse_condition(condition, "piece")
    return found.text if isinstance(found, AskedOfJudge) else condition


def test_the_file_is_read_as_often_whatever_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading takes the time: with one reading a change, a long file would take its square."""
    reads: list[str] = []

    def read(source: Source) -> YamlTree:
        reads.append(source.text)
        return read_yaml_tree(source)

    for module in ("formats.takt.migrating.text", "text.yaml.holding"):
        monkeypatch.setattr(f"stepflow_gui.{module}.read_yaml_tree", read)
    counts = []
    for number in (1, 30):
        steps = "".join(
            f"  - name: s{each}\n    permission_mode: edit\n    provider: claude\n    instruction_template: go\n"
            f'    rules: [{{condition: ai("x"), next: COMPLETE}}]\n'
            for each in range(number)
        )
        reads.clear()
        assert _made(f"name: p\ninitial_movement: s0\nmovements:\n{steps}").refused == ()
        counts.append(len(reads))
    assert counts[0] == counts[1]


def test_notes_that_say_the_same_are_one_line() -> None:
    left = [Left("/a", "gone"), Left("/b", "other"), Left("/c", "gone"), Left("", "whole")]
    assert note_lines(left) == ["/a, /c: gone", "/b: other", "whole"]
