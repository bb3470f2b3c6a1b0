"""Scripts of what exploring a piece has found: one for each end, and one for each rule that these don't take."""

from collections.abc import Iterator

from stepflow_gui.run.takt.exploring import PieceExploreResult
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Event, Extended
from stepflow_gui.run.takt.scripts.piece_coverage import rules_taken
from stepflow_gui.run.takt.scripts.recorded import recorded
from stepflow_gui.run.takt.scripts.script import PieceScript, read_piece_script
from stepflow_gui.run.takt.scripts.script_check import misses
from stepflow_gui.run.takt.scripts.scripted import Chance, Scripted, drive
from stepflow_gui.run.takt.session import PieceRun, TakenRule

_SEEDS = 50  # of runs by chance that are to use up the iterations


def scripts_of_piece(machine: PieceMachine, found: PieceExploreResult) -> list[str]:
    """The scripts as JSON, each of a run that takes the same path again; the same every time."""
    written: dict[str, None] = {}
    taken: set[TakenRule] = set()
    ends: set[tuple[str, str]] = set()
    for end in (*found.endings, *(stop for stop in found.stops if stop.cause != "limit")):
        run = _replayed(machine, end.events)
        if run.state.end is not None:
            _add(run, written, taken)
            ends.add((run.state.end.kind, run.state.end.movement))
    for rule, events in found.first_taken.items():
        if TakenRule(rule.movement, rule.rule) not in taken and rule.workflow is None:
            run = _replayed(machine, events)
            for _position in drive(run, Chance(0).next_event):
                pass
            _add(run, written, taken)
    for run in _used_up(machine, found):
        at = run.state.end
        if at is not None and at.kind == "max_iterations" and (at.kind, at.movement) not in ends:
            ends.add((at.kind, at.movement))
            _add(run, written, taken)
    return list(written)


def _used_up(machine: PieceMachine, found: PieceExploreResult) -> Iterator[PieceRun]:
    """Runs by chance, some of which use up their iterations; none where no run does."""
    for seed in range(_SEEDS) if any(stop.cause == "limit" for stop in found.stops) else ():
        run = PieceRun(machine)
        run.begin()
        for _position in drive(run, Chance(seed).next_event):
            pass
        yield run


def _replayed(machine: PieceMachine, events: tuple[Event, ...]) -> PieceRun:
    run = PieceRun(machine)
    for event in events:
        if run.state.waits == "limit":
            run.send(Extended(1))
        run.send(event)
    return run


def _add(run: PieceRun, written: dict[str, None], taken: set[TakenRule]) -> None:
    """Keep the script of a run if it goes to the same again."""
    text = recorded(run)
    script = read_piece_script(text, "explored.json", run.machine.piece)
    if not isinstance(script, PieceScript) or run.state.end is None:
        return
    again = PieceRun(run.machine)
    again.begin(script.task, script.start)
    for _position in drive(again, Scripted(script).next_event):
        pass
    if not misses(again, script):
        written[text] = None
        taken.update(rules_taken(run))
