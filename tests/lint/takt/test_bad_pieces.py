"""Pieces that can't be read, or not as they were meant: the messages, and that nothing breaks."""

from pathlib import Path

import pytest

from stepflow_gui.formats.takt.runners import runner_named
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.piece import PIECE, piece, whole_piece
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.opening import piece_in
from tests.lint.conftest import Lint, Open

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def said(open_example: Open, *changes: tuple[str, str]) -> list[Diagnostic]:
    return lint(open_example(piece(*changes)))


def test_the_example_itself_has_no_finding(open_example: Open) -> None:
    assert said(open_example) == []


def test_words_that_older_yaml_takes_for_truth_are_texts(open_example: Open) -> None:
    named = [("name: implement", "name: on"), ("next: implement", "next: on"), ("[implement, ", "[on, ")]
    twice = [("next: implement", "next: on"), ("next: implement", "next: on")]
    assert said(open_example, *named, *twice) == []
    (found,) = said(open_example, ("edit: true", "edit: yes"))
    assert (found.code, found.severity) == ("SF004", "error")
    assert "“yes” is a text" in found.message
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["true"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ([("max_iterations: 20", "max_iterations: 20\nmax_iterations: 30")], "SF002"),
        ([("    edit: true\n", "    edit: true\n    edit: false\n")], "SF002"),
        ([("    edit: true\n", "\tedit: true\n")], "SF001"),
        ([("    policy: coding\n", "    policy: &here [*here]\n")], "SF001"),
        ([("    policy: coding\n", "    policy: *nowhere\n")], "SF001"),
        ([("    policy: coding\n", "    policy: one: two\n")], "SF001"),
        ([("name: issue-flow\n", BOMB + "name: issue-flow\n")], "SF001"),
        ([("name: issue-flow\n", "name: issue-flow\n---\n")], "SF001"),
        ([("Implement {task}", "Imple\0ment {task}")], "SF001"),
        ([("Review the design.", "[" * 500 + "]" * 500)], "SF001"),
        ([("Review the design.", "x" * 5_000_000)], "SF001"),
    ],
    ids=[
        *("key twice", "key of a movement twice", "tab", "in itself", "no anchor", "colon", "bomb", "two documents"),
        *("NUL", "deep", "5 MB"),
    ],
)
def test_what_yaml_refuses_is_an_error_where_it_stands(
    changes: list[tuple[str, str]], code: str, open_example: Open
) -> None:
    found = said(open_example, *changes)
    assert {each.code for each in found if each.severity == "error"} == {code}


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("name: issue-flow\n", "name: !!python/name:os.system issue-flow\n", []),
        ("policy: coding\n", "policy: !mine coding\n", []),
        ("max_iterations: 20\n", "max_iterations: !!int '20'\n", []),
        ("max_iterations: 20\n", "max_iterations: !!str 20\n", ["T001"]),
        ("edit: true\n", "edit: !mine true\n", ["SF004"]),
    ],
)
def test_a_tag_only_names_the_type_of_a_value(old: str, new: str, codes: list[str], open_example: Open) -> None:
    assert [each.code for each in said(open_example, (old, new))] == codes


def test_a_tag_runs_nothing(open_example: Open, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    call = f"persona: !!python/object/apply:pathlib.Path.touch [!!python/object/apply:pathlib.Path ['{trap}']]\n"
    found = said(open_example, ("persona: coder\n", call))
    assert [(each.code, each.severity) for each in found] == [("SF004", "error")]
    assert not trap.exists()


@pytest.mark.parametrize("ending", ["\r", "\r\n"])
def test_lines_may_have_other_endings(ending: str, open_example: Open) -> None:
    whole = open_example(whole_piece(PIECE.replace("\n", ending)))
    assert lint(whole) == []
    (found,) = lint(open_example(whole_piece(PIECE.replace("edit: true", "edit: yes").replace("\n", ending))))
    line = PIECE[: PIECE.index("edit: true")].count("\n") + 1
    assert (found.code, found.range.start.line) == ("SF004", line)


def test_items_that_are_none_are_called_so(open_example: Open) -> None:
    found = lint(open_example(whole_piece("name: x\nmovements: [a, 1, null]\n")))
    told = [each.message.partition(":")[0] for each in found if each.code == "SF004"]
    assert told == [
        f"An item of “movements” must be an object but is {what}" for what in ("a string", "a number", "null")
    ]


def test_an_anchor_is_its_value_and_a_merge_is_an_unknown_key(open_example: Open) -> None:
    rules = "        rules:\n          - condition: approved\n          - condition: needs_fix\n"
    assert PIECE.count(rules) == 2
    shared = piece((rules, rules.replace("rules:", "rules: &both")), (rules, "        rules: *both\n"))
    assert lint(open_example(shared)) == []
    found = said(
        open_example,
        ("  - name: plan\n", "  - &first\n    name: plan\n"),
        ("  - name: implement\n", "  - <<: *first\n    name: implement\n"),
    )
    assert [each.code for each in found] == ["T025"]


@pytest.mark.parametrize(
    "text",
    ["name: x\nmovements: []\n", "name: x\ninitial_movement: a\n", "name: x\nmovements: many\n", "movements:\n"],
    ids=["none", "no key", "a string", "nothing"],
)
def test_a_piece_without_movements_is_an_error_of_the_piece(text: str, open_example: Open) -> None:
    found = lint(open_example(whole_piece(text)))
    assert {each.code for each in found if each.severity == "error"} == {"T001"}


def test_section_files_that_are_missing_or_outside_are_pointed_out(open_example: Open) -> None:
    found = said(
        open_example,
        ("../personas/coder.md", "../personas/gone.md"),
        ("../policies/coding.md", "../../../../../../../../elsewhere/coding.md"),
    )
    assert [each.code for each in found] == ["T014", "SF707"]


@pytest.mark.parametrize(
    ("condition", "severity"),
    [
        ("all()", "warning"),
        ("all('approved')", "error"),
        ('All("approved")', "warning"),
        ('all( "approved" )', "right"),
        ('all("approved"', "warning"),
        ('any("approved") or so', "warning"),
        ('ai("")', "warning"),
        ('ai( "Is it?" )', "warning"),
        ('all("")', "error"),
        ("all(3) of the tests (ok)", "error"),
        ("All (or most) is done", "right"),
        ("ai is done", "right"),
    ],
)
def test_conditions_that_arent_read_as_they_look(condition: str, severity: str, open_example: Open) -> None:
    written = "'" + condition.replace("'", "''") + "'"
    found = said(open_example, ('condition: all("approved")', f"condition: {written}"))
    assert [each.severity for each in found if each.code == "T008"] == ([] if severity == "right" else [severity])


@pytest.mark.parametrize(
    ("condition", "meant"),
    [('ai("Is it', 'ai("Is it")'), ('all("approved"', 'all("approved")'), ("any(approved)", 'any("approved")')],
)
def test_a_condition_is_fixed_with_all_its_quotes(condition: str, meant: str, open_example: Open) -> None:
    found = said(open_example, ('condition: all("approved")', f"condition: '{condition}'"))
    (fix,) = next(each.fixes for each in found if each.code == "T008")
    assert fix.title == f"Write “{meant}”"


@pytest.mark.parametrize(
    ("condition", "meant"),
    [
        ('al("approved")', 'all("approved")'),
        ('lal("approved")', 'all("approved")'),
        ('Alll("approved")', 'all("approved")'),
        ("al('approved')", 'all("approved")'),
        ('anny("approved")', 'any("approved")'),
    ],
)
def test_a_form_under_a_misspelt_word_is_one_finding_whose_fix_spells_it(
    condition: str, meant: str, open_example: Open
) -> None:
    written = "'" + condition.replace("'", "''") + "'"
    (found,) = said(open_example, ('condition: all("approved")', f"condition: {written}"))
    assert (found.code, found.severity) == ("T008", "warning")
    assert found.message.endswith(f"is read as plain text. Did you mean “{meant}”?")
    assert found.fixes[0].title == f"Write “{meant}”"


@pytest.mark.parametrize(
    "condition", ["as (most) say", 'if("approved")', "al(approved)", "review(done)", 'is("it") so']
)
def test_prose_with_parentheses_is_no_misspelt_form(condition: str, open_example: Open) -> None:
    found = said(open_example, ("condition: The plan is clear", f"condition: '{condition}'"))
    assert "T008" not in {each.code for each in found}


def test_of_a_piece_without_movements_only_that_is_said(lint_example: Lint) -> None:
    text = "name: demo\nmax_iterations: 5\npersonas:\n  coder: ../personas/coder.md\nmovements: []\n"
    found = [each for each in lint_example(whole_piece(text)) if each.code != "T014"]
    assert [each.code for each in found] == ["T001"]


@pytest.mark.parametrize(
    ("text", "kind"), [("k", "a string"), ("[1]", "a list"), ("3", "a number"), ("true", "true or false")]
)
def test_a_file_that_holds_no_mapping_says_which_releases_refuse_it(tmp_path: Path, text: str, kind: str) -> None:
    file = tmp_path / ".takt" / "pieces" / "demo.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    agent = open_agent(file)
    assert isinstance(agent, AgentFolder)
    (found,) = lint(agent, LintSettings("takt-0.20.1"))
    assert (found.code, found.severity) == ("SF004", "error")
    assert found.message.endswith(f"this file holds {kind}: TAKT 0.20.1 refuses to load it")
    runner = runner_named("takt-0.20.1")
    assert runner is not None
    assert isinstance(piece_in(agent, runner), PieceRefusal)


_COPIED = """\
name: demo
initial_step: plan
max_steps: 3
steps:
  - {name: plan, edit: false, persona: You write., instruction: "Write {task}.", rules: [FIRST]}
  - {name: plan, edit: false, persona: You write., instruction: "Write {task}.", rules: [SECOND]}
"""


@pytest.mark.parametrize(
    ("rule", "code"),
    [("{condition: Done, next: plann}", "T004"), ('{condition: "all(", next: COMPLETE}', "T008")],
)
def test_a_step_whose_name_an_earlier_one_has_is_checked_as_loaders_do(tmp_path: Path, rule: str, code: str) -> None:
    sound = "{condition: Done, next: COMPLETE}"
    file = tmp_path / ".takt" / "workflows" / "demo.yaml"
    file.parent.mkdir(parents=True)
    for first, second in ((rule, sound), (sound, rule)):
        file.write_text(_COPIED.replace("FIRST", first).replace("SECOND", second))
        found = linted(file, "takt-0.53.0")
        assert code in [each.code for each in found if "refuses to load the file" in each.message], (first, second)


def linted(file: Path, runtime: str) -> list[Diagnostic]:
    agent = open_agent(file)
    assert isinstance(agent, AgentFolder)
    return lint(agent, LintSettings(runtime))


def test_an_empty_target_of_the_first_releases_is_refused(tmp_path: Path) -> None:
    file = tmp_path / ".takt" / "workflows" / "demo.yaml"
    file.parent.mkdir(parents=True)
    step = '{name: plan, agent: You write., instruction: Do it., transitions: [{condition: done, next_step: ""}, END]}'
    end = "{condition: approved, next_step: COMPLETE}"
    file.write_text(f"name: demo\ninitial_step: plan\nmax_iterations: 3\nsteps:\n  - {step.replace('END', end)}\n")
    found = linted(file, "takt-0.2.2")
    assert [(each.code, each.pointer) for each in found] == [("SF004", "/steps/0/transitions/0/next_step")]
    assert found[0].message == "“next_step” is empty: TAKT 0.2.2 refuses to load the file"


_JUDGED = """\
name: demo
initial_step: plan
max_steps: 3
steps:
  - {name: plan, edit: false, persona: You write., instruction: "Write {task}.", rules: [{condition: Done, next: mend}]}
  - name: mend
    edit: false
    persona: You write.
    instruction: Mend it.
    rules: [{condition: Bad, next: plan}, {condition: Done, next: COMPLETE}]
loop_monitors:
  - cycle: [plan, mend]
    judge:
      persona: You judge.
      rules: [{condition: Fine, next: plan}, {condition: Stuck, next: ABORT}]
      instruction: Look.
      instruction_template: See.
      agent: a
"""


def test_mixed_words_say_which_of_the_wanted_releases_refuse_them(tmp_path: Path) -> None:
    file = tmp_path / ".takt" / "workflows" / "demo.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(_JUDGED)
    (found,) = [each for each in linted(file, "takt-0.52.0") if each.code == "T031"]
    assert found.severity == "error"
    assert found.message.endswith("; TAKT 0.52 refuses to load the file")


def test_effects_of_a_step_that_calls_a_workflow_are_refused(tmp_path: Path) -> None:
    file = tmp_path / ".takt" / "workflows" / "demo.yaml"
    file.parent.mkdir(parents=True)
    call = "{name: plan, kind: workflow_call, call: part, effects: [{type: merge_pr, pr: 1}], rules: RULES}"
    rules = "[{condition: COMPLETE, next: COMPLETE}, {condition: ABORT, next: ABORT}]"
    file.write_text(f"name: d\ninitial_step: plan\nmax_steps: 3\nsteps:\n  - {call.replace('RULES', rules)}\n")
    messages = [each.message for each in linted(file, "takt-0.59.1") if each.code == "T028"]
    assert messages == ["“effects” is for system steps, and “plan” isn't one: TAKT 0.59.1 refuses to load the file"]
