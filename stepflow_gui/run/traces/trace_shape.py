"""The shape of a trace file, for reading it."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from stepflow_gui.run.machine.state import Answered, Event, NotAsked, ProgramEnded, Start, Validated


class _Lenient(BaseModel):
    """What a later version adds is not a mistake."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class TraceHeader(_Lenient):
    """The first line: of what agent, registry and era the run was, and how it began."""

    version: Literal[1] = Field(alias="stepflow-trace")
    agent: str | None = None
    registry: str
    format: str | None = None
    era: str
    shadow: str | None = None
    entry: str | None = None
    args: dict[str, Any] = {}
    started: str | None = None
    max_iterations: int | None = None


class PromptRecord(_Lenient):
    """Which prompt was sent: its file from the project's root, and the hash of its text."""

    path: str | None = None
    hash: str | None = None


class EventRecord(_Lenient):
    """What came in."""

    kind: Literal["start", "answered", "not_asked", "validated", "program_ended"]
    entry: str | None = None
    args: dict[str, Any] = {}
    payload: dict[str, Any] = {}
    input: str | None = None
    answer: Any = None
    texts: list[str] | None = None  # None: of an answer that no model gave
    verdict_reached: bool = Field(default=False, alias="told")
    session: str | None = None
    failed: str | None = None
    handler: bool = False
    why: Literal["prompt", "schema", "check"] = "prompt"
    message: str = ""
    code: str | None = None
    passed: bool = False
    error: str = ""
    params: dict[str, Any] = {}
    unrecoverable: bool = False
    fault: str | None = None
    exit_code: int = 0
    stdout: str = ""

    @property
    def event(self) -> Event:
        """The event, to be sent into a run."""
        match self.kind:
            case "start":
                return Start(self.entry, self.args, self.payload, self.input)
            case "answered":
                texts = None if self.texts is None else tuple(self.texts)
                return Answered(self.answer, texts, self.verdict_reached, self.session, self.failed, self.handler)
            case "not_asked":
                return NotAsked(self.why, self.message, self.code)
            case "validated":
                return Validated(self.passed, self.error, self.params, not self.unrecoverable, self.fault)
            case "program_ended":
                return ProgramEnded(self.exit_code, self.stdout, self.failed)


class OutcomeRecord(_Lenient):
    """How the run ended."""

    kind: str
    success: bool
    message: str = ""
    code: str | None = None
    verdict: str | None = None


class ErrorRecord(_Lenient):
    """What stopped the run here."""

    kind: str
    message: str = ""
    code: str | None = None


class CheckRecord(_Lenient):
    """What the answer to a check meant, and the word of the outcome that was followed."""

    passed: bool
    transition: str = ""
    message: str = ""


class TraceEvent(_Lenient):
    """A line after the first: an event, and what became of it."""

    n: int
    step: str | None = None
    iteration: int = 0
    event: EventRecord
    prompt: PromptRecord | None = None
    intent: str | None = None
    raw: Any = None
    cause: str | None = None
    target: str | None = None
    case: str | None = None
    to: str | None = None
    validator: str | None = None
    check: CheckRecord | None = None
    outcome: OutcomeRecord | None = None
    error: ErrorRecord | None = None

    @property
    def is_of_check(self) -> bool:
        """Whether it is about the check of a step, and so no visit of its own."""
        return self.check is not None or (self.event.kind == "not_asked" and self.event.why == "check")
