"""A piece as it is run: each reference is replaced by its text (takt.md 2-5, 8, 10)."""

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from stepflow_gui.formats.takt.conditions_model import Condition
from stepflow_gui.text.json.tree import JsonValue

Session = Literal["continue", "refresh"]
PermissionMode = Literal["readonly", "edit", "full"]


REPORT_TEXT = re.compile(r"\{report:([^}]+)\}")


class PieceRule(NamedTuple):
    """A result of a movement and its target; without `next` and `returns` there is none."""

    text: str  # the condition as written, which aggregates compare
    condition: Condition
    next: str | None = None
    appendix: str | None = None
    requires_user_input: bool = False
    interactive_only: bool = False
    returns: str | None = None  # the result of a workflow that others call (newer files)

    @property
    def target(self) -> str | None:
        """The target, as written in the file: a movement, an end, or the result that is returned."""
        return self.next or (f"return {self.returns}" if self.returns else None)


class Report(NamedTuple):
    """A file that a movement writes into the report directory. `format` and `order` are texts."""

    name: str
    label: str | None = None
    format: str | None = None
    order: str | None = None
    judged: bool = True  # whether the judge reads it


Unrun = Literal["", "call", "system", "team", "batches", "chosen"]
"""What of a step a run doesn't do: the workflow that it calls, its effects, parts, batches, or the choice of subs."""


class Movement(NamedTuple):
    """One movement, or one sub-step of a parallel one (`subs`)."""

    name: str
    rules: tuple[PieceRule, ...] = ()
    subs: tuple["Movement", ...] = ()
    persona: str | None = None  # the text of its file, or its replacement
    persona_name: str | None = None
    persona_key: str | None = None  # whose session it is; None: its own
    instruction: str = "{task}"
    policies: tuple[str, ...] = ()
    knowledge: tuple[str, ...] = ()
    quality_gates: tuple[str, ...] = ()
    reports: tuple[Report, ...] = ()
    tools: tuple[str, ...] | None = None
    model: str | None = None
    edit: bool | None = None
    permission_mode: PermissionMode | None = None
    session: Session = "continue"
    passes_previous: bool = True
    structured: str | None = None  # the schema of its structured output (newer files)
    asks_always: bool = False  # user input is asked for after it, whatever the rule (newer files)
    variables: Mapping[str, str] = {}  # what {var:…} stands for (newer files)
    unrun: Unrun = ""
    called: str = ""  # the workflow that it calls
    args: Mapping[str, JsonValue] = {}  # what that workflow's parameters are given
    opens: str | None = None  # that workflow in `Piece.workflows`; None: it can't be opened, or none is called
    closed: str = ""  # in words why not

    @property
    def session_key(self) -> str:
        """Movements with the same key talk to the same agent."""
        return self.persona_key or self.name


class Monitor(NamedTuple):
    """A cycle that is watched, and the judge that decides when it was gone through `threshold` times."""

    cycle: tuple[str, ...]
    threshold: int
    judge: Movement
    ignored: frozenset[str] = frozenset()  # movements that don't break a cycle (newer files)


class Piece(NamedTuple):
    """A piece that can be run. `limit` None: no cap."""

    name: str
    initial: str
    movements: Mapping[str, Movement]  # by name; of two with one name the first
    limit: int | None = 10
    monitors: tuple[Monitor, ...] = ()
    description: str = ""
    calls: bool = False  # a step runs another workflow, which may write reports
    callable: bool = False  # whether others may call it
    is_workflow: bool = False  # its file has steps, and no movements
    file: str = ""  # the path of a called workflow's file in the project
    workflows: Mapping[str, "Piece"] = {}  # those that it and they call, each by its file and what it is given


def everyone(piece: Piece) -> Iterator[Movement]:
    """The movements of a piece, their sub-steps and the judges of its monitors."""
    for movement in piece.movements.values():
        yield movement
        yield from movement.subs
    for monitor in piece.monitors:
        yield monitor.judge


def called_steps(piece: Piece) -> Iterator[tuple[str, Movement]]:
    """The steps of all called workflows, each as `CALL/STEP`, CALL as the step that calls names the workflow."""
    seen: set[str] = set()
    waiting = [piece]
    while waiting:
        for calling in everyone(waiting.pop()):
            if calling.opens is None or calling.opens in seen:
                continue
            seen.add(calling.opens)
            called = piece.workflows[calling.opens]
            waiting.append(called)
            yield from ((f"{calling.called}/{each.name}", each) for each in everyone(called))


def reports_read(instruction: str) -> Iterator[str]:
    """The names of the reports that an instruction brings in."""
    for found in REPORT_TEXT.finditer(instruction):
        yield found[1]
