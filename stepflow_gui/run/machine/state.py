"""What a run is made of: states, the events that change them, the effects they ask for, and the trace's entries."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from stepflow_gui.run.machine.check_answer import CheckAnswer
from stepflow_gui.run.machine.closure_checks import ClosureValidation, MatchedFailure
from stepflow_gui.run.machine.gate import Interpretation
from stepflow_gui.run.machine.handlers import NOTHING_REPORTED, HandlerMemory
from stepflow_gui.run.machine.route import EndRun, Routed
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.subprocess_closure import Program
from stepflow_gui.text.json.tree import JsonValue

Waits = Literal["start", "answer", "check", "validator", "program", "nothing"]
EndKind = Literal["closing", "complete", "null", "verdict", "abort", "limit", "validation", "check", "unchecked"]


class Start(NamedTuple):
    """Begin at a step; None: where the registry and the verdict type define it.

    `args` are the agent's parameters, `payload` what an orchestrator adds for closures that start a program.
    """

    entry: str | None = None
    args: Mapping[str, JsonValue] = {}
    payload: Mapping[str, JsonValue] = {}
    input_text: str | None = None


class Answered(NamedTuple):
    """The active step, or its check, was answered.

    `answer` None: without structured output; `failed`: the query itself failed. `texts` is what the model wrote beside
    it; None: it wrote something unknown, as where a person or a script gives the answer.
    """

    answer: JsonValue
    texts: tuple[str, ...] | None = None
    verdict_reached: bool = False  # an external verdict (poll:state, meta:custom) holds now
    session: str | None = None
    failed: str | None = None
    by_handler: bool = False  # its prompt was the verdict handler's, which so learned of the iteration


class NotAsked(NamedTuple):
    """The active step was not asked: its prompt couldn't be made (which ends the run) or its schema not resolved.

    `why` "check": the prompt of its check couldn't be made.
    """

    why: Literal["prompt", "schema", "check"]
    message: str
    code: str | None = None  # upstream's, of a prompt


class Validated(NamedTuple):
    """A validator has run. `error` is its output where it failed, `params` what was extracted for the retry prompt.

    `fault`: it could not be judged, which ends the run.
    """

    passed: bool
    error: str = ""
    params: Mapping[str, JsonValue] = {}
    recoverable: bool = True
    fault: str | None = None


class ProgramEnded(NamedTuple):
    """The program of a closure step has ended; `failed`: it could not be started."""

    exit_code: int
    stdout: str = ""
    failed: str | None = None


Event = Start | Answered | NotAsked | Validated | ProgramEnded


class Query(NamedTuple):
    """Ask the active step, or its check."""

    step: str
    iteration: int
    retry: "Retry | None"
    check: bool = False


class RunValidator(NamedTuple):
    """Run a validator, or ask the person whether it passes."""

    validator: str
    command: str
    number: int  # from 1
    of: int
    validation: ClosureValidation
    failures: int  # of this validation so far
    before: bool = False  # it runs before the closure step is asked
    params: JsonValue = None  # of its condition, for the command


class RunProgram(NamedTuple):
    """Start the program of a closure step in place of the model. `missing`: a key of an argument that doesn't exist."""

    step: str
    iteration: int
    program: Program
    args: tuple[str, ...]
    missing: str | None = None


class AtBoundary(NamedTuple):
    """A closure step has finished: what upstream would now do outside, reported and never done."""

    step: str
    calls: tuple[str, ...]  # arguments of `gh`


class Ended(NamedTuple):
    """The run is over."""

    outcome: "Outcome"


class Stopped(NamedTuple):
    """The event had no effect: the state is as before it, but for the error.

    `step` and `context` are what they are for a runner that gives up here.
    """

    error: RunError
    step: str | None = None
    context: Mapping[str, Mapping[str, JsonValue]] = {}


class Ignored(NamedTuple):
    """The state waits for something else; nothing has changed."""

    message: str


Effect = Query | RunValidator | RunProgram | AtBoundary | Ended | Stopped | Ignored


class Retry(NamedTuple):
    """A retry prompt that waits for the next query: which validator failed, and the pattern that it selects.

    `validator` "": the answer's form was wrong.
    """

    closure: str  # the step that answered `closing`
    validation: ClosureValidation
    validator: str
    failure: MatchedFailure | None  # None: no pattern, so the error itself is the prompt
    error: str
    params: Mapping[str, JsonValue]
    attempt: int  # from 1


class Checking(NamedTuple):
    """Validators that run because a step answered `closing`, or before it is asked."""

    validation: ClosureValidation
    position: int  # of the validator that runs, from 0
    closing: Answered | None  # the answer that triggered them; None: they run before the step is asked
    transition: Routed | EndRun | None = None  # where the router sends that answer


class VisitCounts(NamedTuple):
    """How often the active step has run since the run came to it, and how often its check has sent it round again."""

    runs: int = 0
    retries: int = 0


class CheckJudged(NamedTuple):
    """What a check's answer means, and what was followed because of it.

    `transition` is a key of the outcome: next, fallback, retry or complete; "" where none of them holds, so the run
    ends.
    """

    answer: CheckAnswer
    transition: str


class Outcome(NamedTuple):
    """How a run ended. `code` is upstream's, where it has one."""

    success: bool
    kind: EndKind
    message: str
    step: str
    iterations: int
    code: str | None = None
    verdict: str | None = None  # the verdict of the answers, where the runner keeps that
    errors: bool = False  # finished, but an error during the run makes it a failure


class Memory(NamedTuple):
    """What a run has learned beside its place. Shared by all states between changes."""

    args: Mapping[str, JsonValue] = {}
    payload: Mapping[str, JsonValue] = {}
    input_text: str | None = None
    reported: HandlerMemory = NOTHING_REPORTED  # the answers so far, as far as the runner reports them
    prompted: HandlerMemory = NOTHING_REPORTED  # the same as the verdict handler knew it when it last built a prompt
    strikes: Mapping[str, int] = {}  # step id -> how often in a row its schema could not be resolved
    errors: int = 0  # queries and programs that went wrong
    spoke: bool = False  # the model has written a text
    session: str | None = None  # the conversation that the next query resumes
    repeats: Mapping[str, int] = {}  # step id -> how often it has repeated since it was last left
    adaptation: str | None = None  # of the next prompt, because its step repeats


class TraceEntry(NamedTuple):
    """One line of the trace: what happened at a step and what became of it."""

    event: Event
    step: str | None
    iteration: int
    interpretation: Interpretation | None = None
    transition: Routed | EndRun | None = None
    to: str | None = None  # the active step afterwards; None where the run is over or its validators begin
    validator: str | None = None
    wrong_step_id: str | None = None  # what the answer called itself
    error: RunError | None = None
    outcome: Outcome | None = None
    judged: CheckJudged | None = None  # of an answer to a check

    @property
    def is_visit(self) -> bool:
        """Whether a step was asked or should have been, or its program was started; a check is part of that."""
        match self.event:
            case Answered():
                return self.judged is None
            case NotAsked(why=why):
                return why != "check"
        return isinstance(self.event, ProgramEnded)


class State(NamedTuple):
    """A run at one moment. Never changed; cheap to keep, as states share what they have in common."""

    waits: Waits = "start"
    step: str | None = None  # the active step, at the end the last one
    iteration: int = 0  # the one that runs, from 1
    came_from: str | None = None  # the step before, other than the active one
    context: Mapping[str, Mapping[str, JsonValue]] = {}  # step id -> what it left
    retry: Retry | None = None
    failures: Mapping[str, int] = {}  # by key of validationSteps
    checking: Checking | None = None
    error: RunError | None = None
    outcome: Outcome | None = None
    last: TraceEntry | None = None  # what led here
    memory: Memory = Memory()
    counts: VisitCounts = VisitCounts()


START = State()
