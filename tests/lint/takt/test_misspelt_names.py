"""Misspelt names of a piece: fixed where they are, whether it is a reference or what is referred to."""

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.piece import PIECE, piece, whole_piece
from stepflow_gui.lint.fixing import any_fixes, fix_all
from tests.lint.conftest import Open


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("persona: coder\n", "persona: codre\n"),
        ("  coder: ../personas", "  codr: ../personas"),
        ("  coding: ../policies", "  codin: ../policies"),
        ("  - name: implement\n", "  - name: implment\n"),
        ("  - name: review\n", "  - name: reveiw\n"),
        ("next: review\n", "next: reviw\n"),
        ("  - name: implement\n", "  - name: implemebt\n"),
        ("cycle: [implement, review]", "cycle: [implemet, review]"),
        ("loop_monitors:", "loop_monitor:"),
        ("movements:", "movments:"),
        ("output_contracts:", "output_contract:"),
        ("      report:\n", "      reprot:\n"),
        ("        - name: plan.md", "        - nmae: plan.md"),
        ("          format: plan", "          fromat: plan"),
    ],
)
def test_one_finding_whose_fix_gives_the_piece_back(right: str, wrong: str, open_example: Open) -> None:
    agent = open_example(piece((right, wrong)))
    assert len(lint(agent)) == 1
    (change,) = fix_all([agent], lint, any_fixes).changes
    assert change.after.text == PIECE


@pytest.mark.parametrize(
    ("right", "wrong", "count"),
    [
        ("coder: ../personas/coder.md", "coder: ../persnas/coder.md", 1),
        ("coder: ../personas/coder.md", "coder: ../personas/codr.md", 1),
        ("coder: ../personas/coder.md", "coder: ../policies/coder.md", 1),  # where one of a name not unlike it is
        ("coder: ../personas/coder.md", "coder: personas/coder.md", 1),
        ("coding: ../policies/coding.md", "coding: ../policy/coding.md", 1),
        ("planner.md\n  coder: ../personas/", "planner.md\n  coder: ../personas/demo/", 1),
        ("../personas/planner.md\n  coder: ../personas/", "../persnas/planner.md\n  coder: ../persnas/", 2),
    ],
)
def test_a_path_is_fixed_and_no_file_begun_beside_the_one_that_is_meant(
    right: str, wrong: str, count: int, open_example: Open
) -> None:
    agent = open_example(piece((right, wrong)))
    found = [each for each in lint(agent) if each.code == "T014"]
    assert [len(each.fixes) for each in found] == [1] * count
    (change,) = fix_all([agent], lint, any_fixes).changes
    assert change.after.text == PIECE


def test_entries_that_nothing_refers_to_are_taken_away_one_by_one(open_example: Open) -> None:
    more = "  coding: ../policies/coding.md\n  one: ../policies/coding.md\n  two: ../policies/coding.md\n"
    agent = open_example(piece(("  coding: ../policies/coding.md\n", more)))
    unused = [each for each in lint(agent) if each.code == "T015"]
    assert [each.pointer for each in unused] == ["/policies/one", "/policies/two"]
    assert [len(fix.edits) for each in unused for fix in each.fixes] == [1, 1]


def test_names_that_fit_are_kept_apart(open_example: Open) -> None:
    pairs = [("- name: design", "- name: part9"), ("- name: tests", "- name: part0")]
    found = [each for each in lint(open_example(piece(*pairs))) if each.code == "T026"]
    written = [edit.text for each in found for fix in each.fixes for edit in fix.edits]
    assert len(written) == len(set(written))


def test_a_movement_that_is_gone_is_reported_once(open_example: Open) -> None:
    start, end = PIECE.index("  - name: implement\n"), PIECE.index("  - name: review\n")
    (unknown,) = lint(open_example(whole_piece(PIECE[:start] + PIECE[end:])))
    assert (unknown.code, len(unknown.related)) == ("T004", 3)


def test_a_sub_step_that_is_led_to_stands_for_its_parent(open_example: Open) -> None:
    found = [each for each in lint(open_example(piece(("next: review", "next: design")))) if each.code == "T004"]
    assert [edit.text for each in found for fix in each.fixes for edit in fix.edits] == ["review"]


def test_what_stands_under_a_key_of_an_older_form_is_wanted(open_example: Open) -> None:
    new = "    output_contracts:\n      report:\n        - name: plan.md\n          format: plan\n"
    agent = open_example(piece((new, "    report:\n      name: plan.md\n      format: plan\n")))
    assert [(each.code, each.fixes) for each in lint(agent)] == [("T025", ())]
    assert fix_all([agent], lint, any_fixes).changes == []


def test_contracts_as_a_list_take_no_entry_away(open_example: Open) -> None:
    new = "    output_contracts:\n      report:\n        - name: plan.md\n          format: plan\n"
    agent = open_example(piece((new, "    output_contracts:\n      - name: plan.md\n        format: plan\n")))
    assert [each.code for each in lint(agent)] == ["T021"]
    assert fix_all([agent], lint, any_fixes).changes == []


def test_labels_of_reports_are_no_misspelt_keys(open_example: Open) -> None:
    agent = open_example(piece(("        - name: plan.md\n          format: plan\n", "        - game: plan.md\n")))
    assert "T025" not in [each.code for each in lint(agent)]


@pytest.mark.parametrize(("report", "meant"), [("plna.md", True), ("plan2.md", False), ("summary-plan.md", False)])
def test_only_a_slip_in_a_report_is_fixed_and_no_other_report_named(
    report: str, meant: bool, open_example: Open
) -> None:
    agent = open_example(piece(("{report:plan.md}", f"{{report:{report}}}")))
    (found,) = [each for each in lint(agent) if each.code == "T017"]
    assert bool(found.fixes) is meant


@pytest.mark.parametrize(
    ("written", "read"),
    [("plan-b.md", "plan-a.md"), ("plans.md\n          format: plan\n        - name: plant.md", "plan.md")],
)
def test_of_like_reports_none_is_taken_for_another(written: str, read: str, open_example: Open) -> None:
    agent = open_example(piece(("name: plan.md", f"name: {written}"), ("{report:plan.md}", f"{{report:{read}}}")))
    (found,) = [each for each in lint(agent) if each.code == "T017"]
    assert not found.fixes


@pytest.mark.parametrize(("name", "next_"), [("fix_bth", "fix_both"), ("fix_both", "fix_bth")])
def test_a_name_that_is_there_once_and_named_once_is_right_where_its_letters_are_usual(
    name: str, next_: str, open_example: Open
) -> None:
    text = (
        "name: demo\ndescription: About a bottle\nmax_iterations: 9\ninitial_movement: plan\nmovements:\n"
        f"  - name: plan\n    edit: false\n    rules:\n      - condition: It goes on\n        next: {next_}\n"
        f"  - name: {name}\n    edit: false\n    rules:\n      - condition: Done\n        next: COMPLETE\n"
    )
    agent = open_example(whole_piece(text))
    (change,) = fix_all([agent], lint, any_fixes).changes
    assert change.after.text == text.replace("fix_bth", "fix_both")


def test_sections_are_not_unused_while_a_movement_is_missing(open_example: Open) -> None:
    unused = ("  coding: ../policies/coding.md\n", "  coding: ../policies/coding.md\n  tests: ../policies/coding.md\n")
    assert [each.code for each in lint(open_example(piece(unused)))] == ["T015"]
    gone = ("next: review\n", "next: quality-assurance\n")
    assert {each.code for each in lint(open_example(piece(unused, gone)))} == {"T004"}


def test_what_names_a_missing_movement_is_one_finding(open_example: Open) -> None:
    gone = [("next: review\n", "next: quality-assurance\n"), ("[implement, review]", "[implement, quality-assurance]")]
    (found,) = [each for each in lint(open_example(piece(*gone))) if each.severity == "error"]
    assert (found.code, [each.pointer for each in found.related]) == ("T004", ["/loop_monitors/0/cycle/1"])


@pytest.mark.parametrize("name", ["plan", "implement", "review"])
@pytest.mark.parametrize("blanks", ["' {}'", "'{} '"])
def test_blanks_at_the_ends_of_a_name_go_from_the_name(name: str, blanks: str, open_example: Open) -> None:
    """They aren't written wherever the name is meant."""
    agent = open_example(piece((f"  - name: {name}\n", f"  - name: {blanks.format(name)}\n")))
    (change,) = fix_all([agent], lint, any_fixes).changes
    assert change.after.text.replace(f"'{name}'", name) == PIECE


@pytest.mark.parametrize("key", ["movement", "movment", "moveemnts", "step", "stesp", "stepss"])
@pytest.mark.parametrize("words", ["piece", "workflow"])
def test_a_misspelt_key_of_the_movements_is_one_error_at_the_key(key: str, words: str, open_example: Open) -> None:
    """Releases that read all of the file then decide; where those of both words do, the likeness."""
    begin, limit = ("initial_movement", "max_iterations") if words == "piece" else ("initial_step", "max_steps")
    step = "{name: a, persona: p, instruction: do, rules: [{condition: ok, next: COMPLETE}]}"
    text = f"name: x\n{begin}: a\n{limit}: 3\n{key}:\n  - {step}\n"
    agent = open_example(whole_piece(text))
    (found,) = [each for each in lint(agent) if each.severity == "error"]
    meant = "steps" if key.startswith("st") and words == "workflow" else "movements"
    assert found.code == "T025"
    assert text.splitlines()[found.range.start.line - 1] == f"{key}:"
    assert "dropped" not in found.message
    assert found.message.endswith(f"Did you mean “{meant}”?")
    assert found.fixes[0].title == f"Write “{meant}”"
