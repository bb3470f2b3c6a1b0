"""What a run is made of: states, the events that change them, the effects they ask for, and the trace's entries."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from stepflow_gui.run.closing import Failure, Validation
from stepflow_gui.run.gate import Interpretation
from stepflow_gui.run.problem import RunError
from stepflow_gui.run.route import Finished, Routed
from stepflow_gui.text.json_tree import JsonValue

Waits = Literal["start", "answer", "validator", "nothing"]
EndKind = Literal["closing", "complete", "null", "verdict", "abort", "limit", "validation"]


class Start(NamedTuple):
    """Begin at a step; None: where the registry and the verdict type say."""

    entry: str | None = None


class Answered(NamedTuple):
    """The active step was answered. `answer` None: without structured output; `failed`: the query itself failed."""

    answer: JsonValue
    texts: tuple[str, ...] = ()  # what the model wrote beside it
    told: bool = False  # an external verdict (poll:state, meta:custom) holds now
    session: str | None = None
    failed: str | None = None


class Validated(NamedTuple):
    """A validator has run. `error` is its output where it failed, `params` what was extracted for the retry prompt."""

    passed: bool
    error: str = ""
    params: Mapping[str, JsonValue] = {}
    recoverable: bool = True


Event = Start | Answered | Validated


class Query(NamedTuple):
    """Ask the active step."""

    step: str
    iteration: int
    retry: "Retry | None"


class RunValidator(NamedTuple):
    """Run a validator, or ask the person whether it passes."""

    validator: str
    command: str
    number: int  # from 1
    of: int
    validation: Validation
    failures: int  # of this validation so far


class Ended(NamedTuple):
    """The run is over."""

    outcome: "Outcome"


class Stopped(NamedTuple):
    """The event led nowhere: the state is as before it, but for the error."""

    error: RunError


class Ignored(NamedTuple):
    """The state waits for something else; nothing has changed."""

    message: str


Effect = Query | RunValidator | Ended | Stopped | Ignored


class Retry(NamedTuple):
    """A retry prompt that waits for the next query: which validator failed, and the pattern that it selects."""

    closure: str  # the step that said closing
    validation: Validation
    validator: str
    failure: Failure | None  # None: no pattern, so the error itself is the prompt
    error: str
    params: Mapping[str, JsonValue]
    attempt: int  # from 1


class Checking(NamedTuple):
    """Validators that run because a step said closing."""

    validation: Validation
    position: int  # of the validator that runs, from 0
    closing: Answered  # the answer that triggered them


class Outcome(NamedTuple):
    """How a run ended. `code` is upstream's, where it has one."""

    success: bool
    kind: EndKind
    message: str
    step: str
    iterations: int
    code: str | None = None


class Entry(NamedTuple):
    """One line of the trace: what happened at a step and what became of it."""

    event: Event
    step: str | None
    iteration: int
    interpretation: Interpretation | None = None
    way: Routed | Finished | None = None
    to: str | None = None  # the active step afterwards; None where the run is over or its validators begin
    validator: str | None = None
    wrong_step_id: str | None = None  # what the answer called itself
    error: RunError | None = None
    outcome: Outcome | None = None


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
    last: Entry | None = None  # what led here


START = State()
