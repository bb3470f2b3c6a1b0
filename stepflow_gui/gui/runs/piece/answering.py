"""Who answers a piece's run as it was set up, how it begins, and the task that runs it off the window's thread."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from stepflow_gui.gui.runs.setup_model import CantAnswer, Setup
from stepflow_gui.gui.runs.worker import TaskStopped
from stepflow_gui.messages import _
from stepflow_gui.project.problem_text import describe
from stepflow_gui.run.debugging.branches import Goal, Paused, Pauses
from stepflow_gui.run.debugging.breakpoints import Breakpoint
from stepflow_gui.run.effects import Cancellable, NoAnswer
from stepflow_gui.run.takt.debugging import PieceMoment
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.machine.state import Begin, Event, Moment, PieceState
from stepflow_gui.run.takt.session import MOST_EVENTS, PieceRun
from stepflow_gui.text.files.store import ReadProblem, read
from stepflow_gui.text.source import Source

if TYPE_CHECKING:
    from stepflow_gui.run.responders.anthropic_progress import Progress
    from stepflow_gui.run.takt.prompts.model_answers import ModelAnswers
    from stepflow_gui.run.takt.scripts.script import PieceScript
    from stepflow_gui.run.takt.scripts.trace import PieceTrace


class Answers(Protocol):
    """Who answers a run."""

    def next_event(self, machine: PieceMachine, state: PieceState, /) -> Event | NoAnswer:
        """What comes next in a state that isn't the end, or why it can't be determined."""


class PieceRunStart(NamedTuple):
    """How a run begins. `era` None: as it is set up; `recorded`: the script or trace that it goes by."""

    begin: Begin
    interactive: bool
    era: str | None = None
    recorded: "PieceScript | PieceTrace | None" = None


class PieceTask(NamedTuple):
    """A run that is to be driven from where it is, until the goal or something else pauses it."""

    machine: PieceMachine
    state: PieceState
    position: int
    goal: Goal
    breakpoints: tuple[Breakpoint, ...]
    answers: Answers

    def events(self) -> Iterator[tuple[object | None, TaskStopped | None]]:
        """Each event as a `Moment`."""
        pauses, state = Pauses(self.goal, self.breakpoints), self.state
        for _position in range(self.position, MOST_EVENTS):
            if state.waits == "nothing":
                yield None, TaskStopped(Paused("nothing"))
                return
            event = self.answers.next_event(self.machine, state)
            if isinstance(event, NoAnswer):
                yield None, TaskStopped(Paused("no_answer", event.message), event)
                return
            before = state
            state, happened = self.machine.step(before, event)
            moment = Moment(event, state, happened)
            paused = pauses.after(PieceMoment(self.machine, before, moment))
            yield moment, TaskStopped(paused) if paused is not None else None
        given_up = NoAnswer("endless", _("The run was given up after very many events."))
        yield None, TaskStopped(Paused("no_answer", given_up.message), given_up)

    def call_off(self) -> None:
        """Call off what a model is asked."""
        if isinstance(self.answers, Cancellable):
            self.answers.cancel()


def beginning_of(setup: Setup, entry: str | None, piece: Piece) -> PieceRunStart | CantAnswer:
    """How a run begins as it was set up; the settings of the script or trace come first."""
    usual = PieceRunStart(Begin(setup.task, entry), setup.interactive)
    if setup.who not in ("script", "replay"):
        return usual
    source = _source(setup.file, _("Choose a script first.") if setup.who == "script" else _("Choose a trace first."))
    if isinstance(source, CantAnswer):
        return source
    assert setup.file is not None
    found = _script(source, setup.file, piece) if setup.who == "script" else _trace(source, setup.file, piece)
    if isinstance(found, CantAnswer) or found.begin.task:
        return found
    return found._replace(begin=found.begin._replace(task=setup.task)) if setup.who == "script" else found


def answers_of(
    setup: Setup, beginning: PieceRunStart, run: PieceRun, listener: "Callable[[Progress], None]"
) -> Answers | CantAnswer | None:
    """Who answers the run from its current state on; None where the user does."""
    happened = [moment.event for moment in run.moments]
    match setup.who:
        case "script" | "replay":
            return _recorded(setup, beginning, run.machine.piece, happened)
        case "random":
            from stepflow_gui.run.takt.scripts.scripted import Chance

            return Chance(setup.seed)
        case "anthropic":
            return _model(setup, listener)
    return None


def missed(beginning: PieceRunStart, run: PieceRun) -> list[str]:
    """What a run that has ended did otherwise than its script expects, and the answers that it had no use for."""
    from stepflow_gui.run.takt.scripts.script import PieceScript
    from stepflow_gui.run.takt.scripts.script_check import misses, unused_answers

    script = beginning.recorded
    if not isinstance(script, PieceScript):
        return []
    wrong = [miss.message for miss in misses(run, script)]
    heading = [_("Otherwise than the script expects:")] if wrong else []
    return [*heading, *wrong, *(left.message for left in unused_answers(run, script))]


def _recorded(
    setup: Setup, beginning: PieceRunStart, piece: Piece, happened: list[Event | None]
) -> Answers | CantAnswer | None:
    from stepflow_gui.run.takt.scripts.script import PieceScript
    from stepflow_gui.run.takt.scripts.scripted import Scripted
    from stepflow_gui.run.takt.scripts.trace import Replayed

    recorded = beginning.recorded
    if recorded is None:  # who answers was changed while the run was there
        now = beginning_of(setup, None, piece)
        if isinstance(now, CantAnswer):
            return now
        recorded = now.recorded
    if isinstance(recorded, PieceScript):
        return Scripted(recorded, happened)
    return Replayed(recorded, len(happened)) if recorded is not None else None


def _model(setup: Setup, listener: "Callable[[Progress], None]") -> "ModelAnswers | CantAnswer":
    try:
        from stepflow_gui.run.responders.anthropic_settings import SettingsProblem, read_settings
        from stepflow_gui.run.takt.prompts.model_answers import ModelAnswers
    except ImportError:
        return CantAnswer(_('The Anthropic library isn\'t installed. Add it with: pip install "stepflow-gui[llm]"'))
    settings = read_settings()
    if isinstance(settings, SettingsProblem):
        return CantAnswer(settings.message)
    return ModelAnswers(settings, listener, max_cost=setup.max_cost, apart=True, person=True)


def _source(file: Path | None, nothing: str) -> Source | CantAnswer:
    if file is None:
        return CantAnswer(nothing)
    source = read(file)
    return CantAnswer(describe(source)) if isinstance(source, ReadProblem) else source


def _script(source: Source, file: Path, piece: Piece) -> PieceRunStart | CantAnswer:
    from stepflow_gui.run.responders.script import ScriptProblem
    from stepflow_gui.run.takt.scripts.script import read_piece_script

    script = read_piece_script(source.text, file.name, piece)
    if isinstance(script, ScriptProblem):
        return CantAnswer(f"{file.name}:{script.line}: {script.message}")
    return PieceRunStart(Begin(script.task, script.start, script.state), script.interactive, script.era, script)


def _trace(source: Source, file: Path, piece: Piece) -> PieceRunStart | CantAnswer:
    from stepflow_gui.run.takt.scripts.trace import TraceFault, read_trace

    trace = read_trace(source.text)
    if isinstance(trace, TraceFault):
        return CantAnswer(f"{file.name}:{trace.line}: {trace.message}")
    if trace.piece != piece.name:
        text = _("{file} is the trace of another piece: “{name}”.")
        return CantAnswer(text.format(file=file.name, name=trace.piece))
    first = trace.events[0]
    assert isinstance(first, Begin)
    return PieceRunStart(first, trace.interactive, trace.runner.name, trace)
