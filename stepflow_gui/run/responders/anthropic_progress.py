"""The progress of a model's answer: its words as they arrive, waits, and its usage in the end."""

from typing import Literal, NamedTuple

from stepflow_gui.run.responders.anthropic_costs import Usage
from stepflow_gui.run.schema_errors import Breach

# How the answer is asked for: by the API's structured outputs, a tool that must or may be called, words, not at all.
AnswerMode = Literal["format", "forced_tool", "tool", "words", "free"]


class AttemptStarted(NamedTuple):
    """An attempt begins; what was shown of one before is void."""

    step: str
    model: str
    mode: AnswerMode
    attempt: int  # from 1
    of: int


class Delta(NamedTuple):
    """More of the answer. `kind` "json": of the structured answer; "text": of the text beside it."""

    kind: Literal["text", "json", "thinking"]
    text: str


class Waiting(NamedTuple):
    """The attempt failed and the next begins in a while. `message` describes it."""

    seconds: float
    message: str


class Exchanged(NamedTuple):
    """An answer is there. `cost` in US dollars, None where the price is unknown; `breaches` of the step's schema."""

    step: str
    iteration: int
    model: str
    mode: AnswerMode
    usage: Usage
    cost: float | None
    breaches: tuple[Breach, ...] = ()


Progress = AttemptStarted | Delta | Waiting | Exchanged
