"""Everything that runs of a piece can do."""

from pathlib import Path
from typing import Any

from stepflow_gui.formats.takt.runners import PIECES
from stepflow_gui.run.takt.exploring import PieceExploreResult, RuleAt, explore
from stepflow_gui.run.takt.loading import load_piece
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.report import as_json, table
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree
from tests.run.takt.pieces import PARALLEL, TWO, piece_of


def _explored(text: str) -> PieceExploreResult:
    return explore(PieceMachine(piece_of(text), PIECES))


def test_all_rules_of_a_sound_piece_are_taken() -> None:
    found = _explored(TWO)
    assert found.taken == {
        RuleAt("work", 0),
        RuleAt("work", 1),
        RuleAt("check", 0),
        RuleAt("check", 1),
        RuleAt("check", 2),
    }
    assert {(end.kind, end.path) for end in found.endings} == {
        ("abort_transition", ("work:2",)),
        ("complete", ("work:1", "check:1")),
    }
    assert not found.endless


def test_monitors_judge_and_sub_steps_are_reached() -> None:
    found = _explored(PARALLEL)
    assert {"style", "safety", "_loop_judge_reviewers_fix"} <= found.reached
    assert RuleAt("_loop_judge_reviewers_fix", 1) in found.taken
    assert {end.kind for end in found.endings} == {"complete", "abort_transition"}


def test_a_loop_without_an_exit_and_a_rule_that_has_no_target() -> None:
    found = _explored(
        """
movements:
  - name: a
    rules: [{condition: x, next: b}, {condition: y}]
  - name: b
    rules: [{condition: x, next: b}]
"""
    )
    assert found.endless == ("b",)
    assert [(end.kind, end.path) for end in found.endings] == [("no_next", ("a:2",))]


def test_a_gap_of_aggregates_is_left_to_the_judge() -> None:
    found = _explored(PARALLEL.replace('any("needs_fix")', 'all("needs_fix")'))
    assert {RuleAt("reviewers", 0), RuleAt("reviewers", 1)} <= found.taken


def test_a_rule_that_no_run_takes_has_its_reason() -> None:
    text = PARALLEL.replace("next: fix}\n", "next: fix}\n      - {condition: odd, next: COMPLETE}\n", 1)
    text += "  - cycle: [fix, fix]\n    judge: {rules: [{condition: ok, next: COMPLETE}]}\n"
    machine = PieceMachine(piece_of(text), PIECES)
    found = explore(machine)
    lines = [*table(machine, found)]
    assert lines[lines.index("Rules that no run takes") + 1 :] == [
        '  reviewers:3 odd: one of “all("approved")”, “any("needs_fix")” goes first whenever it would hold',
        "  _loop_judge_fix_fix:1 ok: “_loop_judge_fix_fix” never runs",
    ]
    rules: Any = as_json(machine, found)["rules"]
    assert [(rule["why"], rule["by"]) for rule in rules if rule["taken"] is False] == [("covered", [1, 2]), (None, [])]
    assert {(rule["why"], *rule["by"]) for rule in rules if rule["taken"]} == {(None,)}


def test_a_name_that_judges_cannot_answer_with_ends_the_run() -> None:
    found = _explored(TWO.replace("work", "work2"))
    assert [(end.kind, end.movement) for end in found.endings] == [("judgment_failed", "work2")]


def test_a_thousand_combinations_of_sub_steps_are_the_most() -> None:
    subs = "".join(
        f"      - {{name: s{letter}, rules: [{{condition: a}}, {{condition: b}}]}}\n" for letter in "abcdefghij"
    )
    text = f'movements:\n  - name: all\n    parallel:\n{subs}    rules: [{{condition: any("a"), next: COMPLETE}}]\n'
    assert _explored(text).cut


def test_a_search_that_was_stopped_claims_nothing_of_what_is_left() -> None:
    machine = PieceMachine(piece_of(TWO), PIECES)
    calls = iter([False, True, *[True] * 100])
    found = explore(machine, stopped=lambda: next(calls))
    assert found.cut
    assert "Rules not searched" in [*table(machine, found)]
    assert "Rules that no run takes" not in [*table(machine, found)]
    rules: Any = as_json(machine, found)["rules"]
    taken = [rule["taken"] for rule in rules]
    assert None in taken
    assert False not in taken


def test_real_pieces_come_to_an_end(corpus: Path) -> None:
    for file in sorted(corpus.joinpath("takt", "seed-era").rglob("builtins/en/pieces/*.yaml")):
        tree = read_yaml_tree(Source(file.read_text(encoding="utf-8")))
        assert tree.root is not None
        piece = load_piece(tree.root.value, lambda _path: None, PIECES)
        assert isinstance(piece, Piece), (file, piece)
        found = explore(PieceMachine(piece, PIECES))
        assert not found.endless, file
        assert any(end.kind == "complete" for end in found.endings), file
