"""Whole runs of pieces against what upstream's engine does with the same answers."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.takt.runners import PIECES
from stepflow_gui.run.takt.loading import PieceRefusal, load_piece
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree
from tests.conformance.takt_comparing import recorded, report
from tests.conformance.takt_runs import Played


def test_runs(conformance: Path, corpus: Path, subtests: pytest.Subtests) -> None:
    cases = map(_comparable, recorded(conformance, "seed/runs.json"))
    report(subtests, cases, lambda case: _observed(case, corpus))


def _comparable(case: dict[str, Any]) -> dict[str, Any]:
    """The part that a whole run determines: calls inside one parallel movement have no order of their own."""
    expect = {key: value for key, value in case["expect"].items() if key != "scenario_left"}
    if "calls" in expect:
        expect["calls"] = Counter(expect["calls"])
    return {**case, "expect": expect}


def _observed(case: dict[str, Any], corpus: Path) -> dict[str, Any]:
    folder = corpus
    text = case.get("yaml")
    if text is None:
        [file] = corpus.joinpath("takt", "seed-era").rglob(case["piece"])
        folder, text = file.parent, file.read_text(encoding="utf-8")

    def read(path: str) -> str | None:
        found = folder / path
        return found.read_text(encoding="utf-8") if found.is_file() else None

    tree = read_yaml_tree(Source(text))
    assert tree.root is not None
    piece = load_piece(tree.root.value, read, PIECES)
    assert not isinstance(piece, PieceRefusal), piece
    played = Played(PieceMachine(piece, PIECES, interactive=case["inputs"]["interactive"]), case["inputs"])
    end = played.state.end
    assert end is not None
    return {
        "status": "completed" if end.success else "aborted",
        "abort_reason": None if end.success else end.kind,
        "iterations": played.state.iteration,
        "last_movement": played.state.movement,
        "sequence": played.sequence,
        "movement_iterations": dict(played.state.counts),
        "user_inputs": list(played.state.inputs),
        "events": played.events,
        "judge_calls": played.judge_calls,
        "calls": Counter(played.calls),
    }
