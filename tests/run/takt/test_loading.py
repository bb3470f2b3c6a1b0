"""What the runner makes of a piece's file, or why it refuses it."""

import pytest

from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.piece import Report
from tests.run.takt.pieces import TWO, loaded, piece_of

HEAD = "name: p\nmovements:\n  - name: a\n    rules: [{condition: x, next: COMPLETE}]\n"


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("name: p\nmovements: []\n", "shape", ""),
        ("- a\n", "shape", ""),
        (HEAD + "initial_movement: b\n", "initial", "b"),
        (HEAD.replace("COMPLETE", "complete"), "target", "complete"),
        (HEAD.replace("condition: x", "condition: all(x)"), "condition", "all(x)"),
        (HEAD + "loop_monitors: [{cycle: [a, b], judge: {rules: [{condition: y, next: a}]}}]\n", "cycle", "b"),
        (HEAD + "loop_monitors: [{cycle: [a], judge: {rules: [{condition: y, next: a}]}}]\n", "cycle", ""),
        (HEAD + "loop_monitors: [{cycle: [a, a], judge: {rules: [{condition: y, next: z}]}}]\n", "target", "z"),
    ],
)
def test_refused(text: str, kind: str, name: str) -> None:
    found = loaded(text)
    assert isinstance(found, PieceRefusal)
    assert (found.kind, found.name) == (kind, name)
    assert name in found.message


def test_a_name_given_twice_is_the_first_movement() -> None:
    piece = piece_of(HEAD + "  - name: a\n    rules: [{condition: y, next: ABORT}]\n")
    assert [rule.text for rule in piece.movements["a"].rules] == ["x"]


def test_references_become_texts() -> None:
    text = HEAD + "    instruction: fix\n    policy: [known, words, gone.md]\n"
    text += "instructions: {fix: fix.md}\npolicies: {known: k.md}\n"
    movement = piece_of(text, {"fix.md": "Mend it.", "k.md": "Policy."}).movements["a"]
    assert movement.instruction == "Mend it."
    assert movement.policies == ("Policy.", "words", "gone.md")


def test_both_forms_of_reports() -> None:
    contract = "    output_contracts:\n      report:\n"
    contract += "        - {name: a.md, format: short}\n        - {Summary: b.md, Scope: c.md}\n"
    reports = piece_of(HEAD + contract + "report_formats: {short: Be short.}\n").movements["a"].reports
    assert reports == (Report("a.md", None, "Be short."), Report("b.md", "Summary"), Report("c.md", "Scope"))


def test_write_is_taken_from_the_tools_of_a_movement_that_only_reports() -> None:
    tools = "    allowed_tools: [Read, Write]\n"
    assert piece_of(HEAD + tools).movements["a"].tools == ("Read", "Write")
    reports = "    output_contracts: {report: [{name: a.md}]}\n"
    assert piece_of(HEAD + tools + reports).movements["a"].tools == ("Read",)
    assert piece_of(HEAD + tools + reports + "    edit: true\n").movements["a"].tools == ("Read", "Write")


def test_newer_words_are_read() -> None:
    text = TWO.replace("movements:", "steps:").replace("max_iterations: 6", "max_steps: infinite")
    piece = piece_of(text.replace("'ai(\"it is worse\")'", "when(true)"), notation="workflow")
    assert (piece.limit, list(piece.movements)) == (None, ["work", "check"])
