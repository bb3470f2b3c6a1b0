"""What a run of a piece consists of: states, the events that change them, and what happens in between."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from stepflow_gui.run.takt.machine.choosing import Chosen
from stepflow_gui.text.json.tree import JsonValue

Phase = Literal["execute", "report", "judge", "choose", "done"]
Strategy = Literal["reports", "response", "agent", "all"]  # who decides: by either, the agent, or over all rules
Status = Literal["done", "blocked", "error"]
EndKind = Literal[
    "complete",
    "abort_transition",
    "blocked",
    "input_cancelled",
    "judgment_failed",
    "max_iterations",
    "movement_failed",
    "movement_unknown",
    "no_input_handler",
    "no_next",
    "no_rule_matched",
    "report_empty",
    "report_missing",
    "report_path_escape",
    "returned",
    "state_unreadable",
]


class MovementTask(NamedTuple):
    """One movement or sub-step at work."""

    name: str
    phase: Phase = "execute"
    text: str = ""
    status: Status = "done"
    reported: int = 0  # how many of its reports are written
    strategies: tuple[Strategy, ...] = ()  # those that are left to get a tag, the one that is asked first
    tag: str = ""
    answers: tuple[int | None, ...] = ()  # the AI judge's, in order
    chosen: Chosen | None = None


class Judging(NamedTuple):
    """The judge of a monitor is running: which, after how many rounds of the cycle."""

    monitor: int
    rounds: int


class PieceEnd(NamedTuple):
    """How a run ended, at which movement. `detail`: a name that the message needs, such as the unknown movement."""

    kind: EndKind
    movement: str
    iterations: int
    detail: str = ""

    @property
    def success(self) -> bool:
        """Whether the piece was completed, or came to a result that it returns."""
        return self.kind in ("complete", "returned")


class PieceState(NamedTuple):
    """Where a run stands."""

    waits: Literal["start", "calls", "input", "limit", "nothing"] = "start"
    movement: str | None = None  # the current one; while a judge runs, the one that the cycle ended with
    iteration: int = 0
    limit: int | None = None
    counts: Mapping[str, int] = {}  # how often each movement and sub-step ran
    task: str = ""
    previous: str | None = None
    inputs: tuple[str, ...] = ()
    history: tuple[str, ...] = ()  # movements completed since a judge ran last
    row: tuple[str, int] = ("", 0)  # the movement that ran last, and how often without another between
    tasks: tuple[MovementTask, ...] = ()
    parent: MovementTask | None = None  # a parallel movement whose sub-steps are done
    judging: Judging | None = None
    asked: str = ""  # what the person is asked
    reports: Mapping[str, str] = {}  # file name -> text; they are kept here alone
    facts: Mapping[str, JsonValue] = {}  # what when() refers to
    given: Mapping[str, JsonValue] = {}  # those of them that the run began with
    sessions: Mapping[str, int] = {}  # by session key: which conversation it is in
    end: PieceEnd | None = None
    starts: int = 0  # how many movements have started, called workflows' among them
    workflow: str = ""  # the called one that is running, as `Piece.workflows` has it; "" for the piece itself
    caller: "PieceState | None" = None  # where the workflow stands that called it
    called_by: str = ""  # the task of the caller
    iteration_after: int = 0  # the most that workflows of sub-steps came to, while others of them are at work
    sessions_after: Mapping[str, int] = {}  # what they made of the sessions
    runs: Mapping[str, int] = {}  # how often steps of called workflows ran in all calls, by `PieceMachine.named`

    @property
    def outermost(self) -> "PieceState":
        """Where the piece itself stands: at the step that calls, while a called workflow runs."""
        return self if self.caller is None else self.caller.outermost

    @property
    def open_workflows(self) -> tuple[str, ...]:
        """The called workflows that are running, the outermost first."""
        return () if self.caller is None else (*self.caller.open_workflows, self.workflow)


class Begin(NamedTuple):
    """The run begins, at the piece's first movement or another one. `facts`: what when() refers to from the start."""

    task: str = ""
    movement: str | None = None
    facts: Mapping[str, JsonValue] = {}


class Replied(NamedTuple):
    """An agent's or conductor's reply to what a task asked. `structured`: its output by the step's schema, if any.

    `facts`: what when() refers to and is taken to be so from then on.
    """

    task: str
    text: str
    status: Status = "done"
    structured: JsonValue = None
    facts: Mapping[str, JsonValue] = {}


class JudgeReply(NamedTuple):
    """The AI judge's answer: the number of the text that holds; None: none of them, or undecided."""

    task: str
    holds: int | None


class UserInput(NamedTuple):
    """The person's answer. `text` None: cancelled; `possible` False: there is no one to ask."""

    text: str | None
    possible: bool = True


class Extended(NamedTuple):
    """So many further iterations are granted; 0 or less: none."""

    iterations: int


class Entered(NamedTuple):
    """The workflow that a task calls is opened, in place of an answer what it returned."""

    task: str


Event = Begin | Replied | JudgeReply | UserInput | Extended | Entered


class Started(NamedTuple):
    """A movement, or a monitor's judge, begins."""

    movement: str
    iteration: int
    workflow: str | None = None  # the called one that it is of


class Completed(NamedTuple):
    """A movement has a result. `subs`: the sub-steps of a parallel one, as they ended."""

    movement: str
    status: Status
    chosen: Chosen | None
    subs: tuple[MovementTask, ...] = ()
    workflow: str | None = None  # the called one that it is of


class WorkflowEntered(NamedTuple):
    """A movement has opened the workflow that it calls."""

    movement: str
    workflow: str


class WorkflowLeft(NamedTuple):
    """A called workflow came to its end, and the movement that called it gets this as its result."""

    workflow: str
    end: PieceEnd
    result: str


class CycleFound(NamedTuple):
    """A monitor fired."""

    cycle: tuple[str, ...]
    rounds: int


class LimitReached(NamedTuple):
    """The iterations are used up."""

    iteration: int
    limit: int


class Blocked(NamedTuple):
    """The agent of a movement can't go on without the person."""

    movement: str
    question: str


class InputGiven(NamedTuple):
    """The person has answered, and the movement runs again."""

    movement: str


class RunsInARow(NamedTuple):
    """A movement is about to run once more, after many times without another between."""

    movement: str
    times: int


class ReportWritten(NamedTuple):
    """A movement's report, as the trace keeps it."""

    movement: str
    name: str


Happening = (
    Started
    | Completed
    | CycleFound
    | LimitReached
    | Blocked
    | InputGiven
    | RunsInARow
    | ReportWritten
    | WorkflowEntered
    | WorkflowLeft
)


class Call(NamedTuple):
    """What a task waits for.

    `agent`: the work itself; `report`: one report (`detail` its file name); `conductor`: a tag, depending on `detail`
    (`reports` or `response`); `consult`: a tag by the agent itself; `judge`: which of `texts` holds (`JudgeReply`), by
    `detail` (`ai_judge`, `ai_judge_fallback`, `all` in place of a tag or, in workflows, `label`).
    """

    task: str
    kind: Literal["agent", "report", "conductor", "consult", "judge"]
    detail: str = ""
    texts: tuple[tuple[int, str], ...] = ()


class Moment(NamedTuple):
    """One event of a run with what came of it."""

    event: Event | None
    state: PieceState
    happened: tuple[Happening, ...] = ()
