"""A run once more under another runner: the same results of agents, and where its path differs."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from stepflow_gui.messages import ngettext
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.machine.state import Begin, Completed, Extended, Moment, MovementTask, PieceState, UserInput
from stepflow_gui.run.takt.picking import MovementPick, play
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.takt.words import end_words, in_its_words


class Parting(NamedTuple):
    """Where another runner's path differs: after how many movements, at which; `here` and `there` in words.

    `position`: the moment of the run, from 1; `runtime`: the other runner.
    """

    after: int
    movement: str
    here: str
    there: str
    position: int
    runtime: str
    piece: Piece

    @property
    def message(self) -> str:
        """All of it in words."""
        text = ngettext(
            "{runtime} differs at “{movement}”, after {count} movement: {there} (here: {here})",
            "{runtime} differs at “{movement}”, after {count} movements: {there} (here: {here})",
            self.after,
        )
        values = {"movement": self.movement, "there": self.there, "here": self.here}
        return in_its_words(self.piece, text).format(runtime=self.runtime, count=self.after, **values)


class _Choice(NamedTuple):
    """What a movement came to: the picks of its sub-steps and its own, and where the run stood then."""

    movement: str
    picks: Mapping[str, MovementPick]
    where: str
    position: int


def parting(run: PieceRun, other: PieceMachine) -> Parting | None:
    """Where a run would take another path under another runner; None if it takes the same to its last movement."""
    name = other.runner.name
    first = run.moments[0].event if run.moments else None
    state, _happened = other.step(PieceState(), first if isinstance(first, Begin) else Begin())
    answers = list(_answers(run))
    for number, choice in enumerate(_choices(run)):
        state = _answered(other, state, answers)
        running = other.running(state)
        if state.waits != "calls" or running is None or running.name != choice.movement:
            return Parting(
                number, choice.movement, choice.where, _where(other, state), choice.position, name, run.machine.piece
            )
        for task, pick in choice.picks.items():
            for played in play(other, state, task, pick):
                state = played.state
        there = _where(other, _answered(other, state, list(answers)))
        if there != choice.where:
            return Parting(number + 1, choice.movement, choice.where, there, choice.position, name, run.machine.piece)
    return None


def _answers(run: PieceRun) -> Iterator[UserInput | Extended]:
    """What the person answered, but in called workflows: those are not compared."""
    for number, moment in enumerate(run.moments):
        before = run.moment_at(number).state
        if isinstance(moment.event, UserInput | Extended) and before.caller is None:
            yield moment.event


def _choices(run: PieceRun) -> Iterator[_Choice]:
    """What the movements of a run came to, in order."""
    for number, moment in enumerate(run.moments):
        done = next((each for each in moment.happened if isinstance(each, Completed) and each.workflow is None), None)
        if done is None:
            continue
        whole = MovementTask(done.movement, text=moment.state.previous or "", status=done.status, chosen=done.chosen)
        yield _Choice(
            done.movement,
            {task.name: _pick(task, moment) for task in (*done.subs, whole)},
            _where(run.machine, _settled(run, number)),
            number + 1,
        )


def _settled(run: PieceRun, number: int) -> PieceState:
    """The state after a moment, once what it asks the person for is answered."""
    for moment in run.moments[number:]:
        if moment.state.waits not in ("input", "limit"):
            return moment.state
    return run.state


def _pick(task: MovementTask, moment: Moment) -> MovementPick:
    reports = {name: text for name, text in moment.state.reports.items() if text}
    return MovementPick(task.chosen.rule if task.chosen else None, task.text, task.status, reports)


def _answered(machine: PieceMachine, state: PieceState, answers: list[UserInput | Extended]) -> PieceState:
    """The state once the person has answered as in the run; what wasn't asked there nobody answers."""
    while state.waits in ("input", "limit"):
        wanted = UserInput if state.waits == "input" else Extended
        at = next((number for number, each in enumerate(answers) if isinstance(each, wanted)), None)
        unanswered: UserInput | Extended = UserInput(None, possible=False) if wanted is UserInput else Extended(0)
        state, _happened = machine.step(state, unanswered if at is None else answers.pop(at))
    return state


def _where(machine: PieceMachine, state: PieceState) -> str:
    """Where a run stands: the movement that is due, or its end in words."""
    running = machine.running(state)
    if state.end is not None:
        return end_words(state.end, machine.piece)
    return running.name if running is not None else ""
