"""Scripts of what exploring a piece has found: one for each end, and one for each rule that these don't take."""

from collections.abc import Iterator
from itertools import islice

from stepflow_gui.run.takt.exploring import PieceExploreResult
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Event, Extended
from stepflow_gui.run.takt.scripts.piece_coverage import rules_taken
from stepflow_gui.run.takt.scripts.recorded import recorded
from stepflow_gui.run.takt.scripts.script import PieceScript, read_piece_script
from stepflow_gui.run.takt.scripts.script_check import misses
from stepflow_gui.run.takt.scripts.scripted import Chance, Scripted, drive
from stepflow_gui.run.takt.session import MOST_EVENTS, PieceRun, TakenRule

_SEEDS = 50  # of runs by chance that are to use up the iterations
_MOST_BY_CHANCE = 50_000  # events of all runs by chance together
_MOST_WITHOUT_CAP = 500  # events by chance of one run of a piece without a cap, which may never end


def scripts_of_piece(machine: PieceMachine, found: PieceExploreResult) -> list[str]:
    """The scripts as JSON, each of a run that takes the same path again; the same every time."""
    written: dict[str, None] = {}
    taken: set[TakenRule] = set()
    ends: set[tuple[str, str]] = set()
    by_chance = _ByChance()
    for end in (*found.endings, *(stop for stop in found.stops if stop.cause != "limit")):
        run = _replayed(machine, end.events)
        if run.state.end is not None:
            _add(run, written, taken)
            ends.add((run.state.end.kind, run.state.end.movement))
    for rule, events in found.first_taken.items():
        if TakenRule(rule.movement, rule.rule) not in taken and rule.workflow is None:
            run = _replayed(machine, events)
            by_chance.go_on(run, 0)
            _add(run, written, taken)
    for run in _used_up(machine, found, by_chance):
        at = run.state.end
        if at is not None and at.kind == "max_iterations" and (at.kind, at.movement) not in ends:
            ends.add((at.kind, at.movement))
            _add(run, written, taken)
    return list(written)


class _ByChance:
    """Lets runs go on by chance, as long as there are events left for all of them."""

    def __init__(self) -> None:
        self._left = _MOST_BY_CHANCE

    def go_on(self, run: PieceRun, seed: int) -> None:
        """Let a run go on to its end, or as far as it may."""
        most = _MOST_WITHOUT_CAP if run.machine.piece.limit is None else MOST_EVENTS
        driven = islice(drive(run, Chance(seed).next_event), min(most, self._left))
        self._left -= sum(1 for _position in driven)


def _used_up(machine: PieceMachine, found: PieceExploreResult, by_chance: _ByChance) -> Iterator[PieceRun]:
    """Runs by chance, some of which use up their iterations; none where no run does."""
    for seed in range(_SEEDS) if any(stop.cause == "limit" for stop in found.stops) else ():
        run = PieceRun(machine)
        run.begin()
        by_chance.go_on(run, seed)
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
    if run.state.end is None:
        return
    text = recorded(run)
    script = read_piece_script(text, "explored.json", run.machine.piece)
    if not isinstance(script, PieceScript):
        return
    again = PieceRun(run.machine)
    again.begin(script.task, script.start)
    for _position in drive(again, Scripted(script).next_event):
        pass
    if not misses(again, script):
        written[text] = None
        taken.update(rules_taken(run))
