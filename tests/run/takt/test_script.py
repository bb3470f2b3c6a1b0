"""Scripts for pieces: read with their mistakes, and played."""

from pathlib import Path

import pytest

from stepflow_gui.formats.takt.runners import PIECES
from stepflow_gui.run.responders.script import ScriptProblem
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.scripts.script import PieceScript, read_piece_script
from stepflow_gui.run.takt.scripts.script_check import misses
from stepflow_gui.run.takt.scripts.scripted import Chance, Scripted, drive, path_of
from stepflow_gui.run.takt.session import PieceRun
from tests.run.takt.pieces import PARALLEL, TWO, piece_of

SCRIPT = """\
task: mend it
answers:
  work:
    - {rule: done, text: wrote, reports: {notes.md: noted}}
  check: [3, 2, good]
inputs: [please]
expect: {path: [work, check, work, check, check], end: complete, iterations: 5, reports: [notes.md]}
"""


def _read(text: str, piece: str = TWO) -> PieceScript:
    found = read_piece_script(text, "s.yaml", piece_of(piece))
    assert isinstance(found, PieceScript), found
    return found


def _played(script: PieceScript, piece: str = TWO) -> PieceRun:
    run = PieceRun(PieceMachine(piece_of(piece), PIECES))
    run.begin(script.task, script.start)
    assert list(drive(run, Scripted(script).next_event)) == list(range(2, run.length + 1))
    return run


def test_a_script_is_played_to_the_end() -> None:
    script = _read(SCRIPT)
    run = _played(script)
    assert script.expected is not None
    assert path_of(run) == script.expected.path
    assert run.state.inputs == ("please",)
    assert run.state.reports == {"notes.md": "noted\nnoted"}
    assert run.state.end is not None
    assert run.state.end.success


def test_blocked_failed_and_unknown() -> None:
    blocked = _played(_read("answers: {work: [{blocked: true, text: '質問: どれ'}, 2]}\ninputs: [A]\n"))
    assert blocked.state.counts == {"work": 2}
    failed = _played(_read("answers: {work: [{failed: true}]}\n"))
    assert failed.state.end is not None
    assert failed.state.end.kind == "movement_failed"
    unknown = _played(_read("answers: {work: [null]}\n"))
    assert unknown.state.end is not None
    assert unknown.state.end.kind == "judgment_failed"


def test_sub_steps_and_the_judge_of_a_monitor_have_lists_too() -> None:
    run = _played(_read("answers: {style: needs_fix, _loop_judge_reviewers_fix: stuck}\n", PARALLEL), PARALLEL)
    assert path_of(run)[-1] == "_loop_judge_reviewers_fix"


def test_limits_are_granted() -> None:
    run = _played(_read("answers: {check: [3]}\nlimits: [2]\n"))
    assert run.state.iteration == 8


@pytest.mark.parametrize(
    ("text", "line", "named"),
    [
        ("- a\n", 1, "the script"),
        ("tsk: x\n", 1, "tsk"),
        ("task: 1\n", 1, "task"),
        ("era: old\n", 1, "old"),
        ("task: t\nstart: ghost\n", 2, "ghost"),
        ("answers:\n  ghost: [1]\n", 2, "ghost"),
        ("answers:\n  work: []\n", 2, "work"),
        ("answers:\n  work:\n    - 1\n    - 4\n", 4, "4"),
        ("answers:\n  work:\n    - dne\n", 3, "1 done, 2 stop"),
        ("answers:\n  work:\n    - {rule: 1, reports: {x.md: a}}\n", 3, "x.md"),
        ("answers:\n  work:\n    - {blocked: 1}\n", 3, "blocked"),
        ("inputs: [1]\n", 1, "inputs"),
        ("expect: {paths: []}\n", 1, "paths"),
        ("expect: {path: [1]}\n", 1, "path"),
        ("expect:\n  end: COMPLETE\n", 2, "complete, abort_transition"),
        ("a: [\n", 2, ""),
    ],
)
def test_mistakes_are_reported_with_their_line(text: str, line: int, named: str) -> None:
    found = read_piece_script(text, "s.yaml", piece_of(TWO))
    assert isinstance(found, ScriptProblem)
    assert found.line in (line, line - 1) if text == "a: [\n" else found.line == line
    assert named in found.message


def test_chance_is_the_same_for_a_seed() -> None:
    paths = []
    for seed in (1, *range(1, 12)):
        run = PieceRun(PieceMachine(piece_of(TWO), PIECES))
        run.begin()
        list(drive(run, Chance(seed).next_event))
        assert run.state.end is not None
        paths.append(path_of(run))
    assert paths[0] == paths[1]
    assert len(set(paths)) > 1


def test_the_documents_example_runs_a_real_piece_as_described(checkout: Path, corpus: Path) -> None:
    page = (checkout / "docs" / "pieces.md").read_text("utf-8")
    example = page.split("```yaml\n")[1].split("```")[0]
    [file] = corpus.joinpath("takt", "seed-era").rglob("builtins/en/pieces/default.yaml")
    piece = file.read_text("utf-8")
    script = _read(example, piece)
    assert misses(_played(script, piece), script) == []
