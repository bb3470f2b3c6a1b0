"""A real run as its log shows it, the same for climpt and TAKT."""

from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.machine.state import Event
from stepflow_gui.run.takt.machine.state import Event as PieceEvent
from stepflow_gui.text.json.tree import JsonValue

Mark = Literal["seen", "computed", "guessed", "cut"]
"""How something is known: it stands in the log, the flow computes it, it is the likeliest, or the log cuts it off."""
LogKind = Literal["climpt", "takt"]
EndOfRun = Literal["finished", "failed", "limit", "unfinished"]
NoteKind = Literal["retry", "wrong id", "no answer", "no intent", "recovered", "schema", "query", "blocked", "other"]


class LogNote(NamedTuple):
    """Something else that the log reports in a turn: `text` is the log's own, `line` counts from 1."""

    kind: NoteKind
    line: int
    text: str


class LoggedCheck(NamedTuple):
    """Validators that ran in a turn: whether they let it through, and the failure pattern that the log names."""

    passed: bool
    line: int
    pattern: str | None = None


class LoggedPhase(NamedTuple):
    """A phase of a movement or sub-step of TAKT: 1 the work, 2 the reports, 3 the judge."""

    step: str
    phase: int
    status: str
    content: str
    line: int


class LoggedTurn(NamedTuple):
    """A step that was asked once. Lines count from 1; None where the log has none for it. Times are in seconds."""

    number: int  # from 1
    line: int  # where it begins
    iteration: int
    step: str | None = None
    step_mark: Mark = "seen"
    answer: JsonValue = ABSENT  # the structured output; ABSENT where the log doesn't have it
    answer_line: int | None = None
    texts: tuple[str, ...] = ()  # what the model wrote beside it
    texts_mark: Mark = "seen"
    intent: str | None = None  # what the runner read; of TAKT the number of the rule, from 0
    intent_line: int | None = None
    rule_method: str | None = None  # of TAKT: by what the rule was matched, in its own word
    used_fallback: bool = False
    to: str | None = None  # the next step that the log names
    to_line: int | None = None
    closes: bool = False  # the runner began to close here: the step that `to` names isn't entered
    substituted: bool = False  # `to` was made by replacing the step's prefix, for want of a rule
    checks: tuple[LoggedCheck, ...] = ()
    phases: tuple[LoggedPhase, ...] = ()
    program: int | None = None  # the exit code of a closure's program
    notes: tuple[LogNote, ...] = ()
    began: str | None = None  # ISO 8601, as the log has it
    seconds: float | None = None
    cost: float | None = None  # US dollars
    model_turns: int | None = None
    prompt: Path | None = None  # the file of a verbose folder that has the whole prompt

    @property
    def has_answer(self) -> bool:
        """Whether the log has the structured output."""
        return self.answer is not ABSENT


class LogEnd(NamedTuple):
    """How the run ended; `line` None where the log breaks off."""

    kind: EndOfRun
    text: str = ""
    code: str | None = None
    line: int | None = None


class EraGuess(NamedTuple):
    """The version of the runner that a log points to, by its name in `--runtime`; `other` fits as well."""

    name: str | None
    other: tuple[str, ...] = ()


class LoggedRun(NamedTuple):
    """A log as it was read."""

    file: Path
    kind: LogKind
    era: EraGuess
    turns: tuple[LoggedTurn, ...]
    end: LogEnd
    name: str | None = None  # the agent's display name, or the piece's
    task: str | None = None
    began: str | None = None
    ended: str | None = None
    lines: int = 0
    skipped: int = 0  # lines that are neither empty nor of the log's form
    is_cut: bool = False  # its last line is incomplete
    verbose: str | None = None  # the folder with whole texts that the log names
    verbose_index: Path | None = None  # its index, where the folder was found and read
    offsets: tuple[int, ...] = (0,)  # in bytes of lines 1, 1001, 2001 …

    @property
    def cost(self) -> float | None:
        """US dollars of all turns; None where no turn has any."""
        known = [turn.cost for turn in self.turns if turn.cost is not None]
        return sum(known) if known else None


class ComparedTurn(NamedTuple):
    """A turn of the log, and what the flow does with its answer.

    `mark`: how the answer is known; None where the flow wasn't asked. `to`: the step that follows in the flow;
    `ends`: the run is over there, for the reason `end`. `difference`: a sentence where both differ.
    """

    turn: LoggedTurn
    mark: Mark | None = None
    intent: str | None = None
    to: str | None = None
    ends: bool = False
    end: str = ""
    difference: str | None = None
    events: tuple[Event, ...] = ()  # what the flow was given for the turn
    piece_events: tuple[PieceEvent, ...] = ()  # the same of a piece


class ComparedRun(NamedTuple):
    """A log beside a flow; `era` is the name of the runtime that the flow was run by.

    `flow` is what an earlier flow is called that it is compared with; "" for the one that is open.
    """

    run: LoggedRun
    era: str
    turns: tuple[ComparedTurn, ...]
    flow: str = ""

    @property
    def first_difference(self) -> ComparedTurn | None:
        """The first turn at which the flow does something else."""
        return next((each for each in self.turns if each.difference is not None), None)


class LogProblem(NamedTuple):
    """Why a file can't be opened as a log; `line` from 1, None where it is about the whole file."""

    message: str
    line: int | None = None
