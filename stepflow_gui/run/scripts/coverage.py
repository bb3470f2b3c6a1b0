"""How much of a flow runs have covered: its steps, its edges, its validators, over any number of runs."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.messages import _
from stepflow_gui.run.machine.choices import choices
from stepflow_gui.run.machine.closure_checks import PHASES, validation_for, validators_of
from stepflow_gui.run.machine.route import EndRun, Routed
from stepflow_gui.run.machine.state import Answered, TraceEntry, Validated
from stepflow_gui.run.machine.verdict import Verdict

Kind = Literal["steps", "edges", "validators"]
KINDS: tuple[Kind, ...] = ("steps", "edges", "validators")


class Edge(NamedTuple):
    """An exit of a step as coverage counts it: `case` is the condition's value; all targets of a jump are one."""

    step: str
    intent: str
    case: str | None = None


class Share(NamedTuple):
    """So many of so many."""

    covered: int
    total: int

    @property
    def percent(self) -> float:
        """Of a hundred; 100 where there is nothing to cover."""
        return 100.0 * self.covered / self.total if self.total else 100.0


class Totals(NamedTuple):
    """All that there is to cover, in the order of the file."""

    steps: tuple[str, ...]
    edges: tuple[Edge, ...]
    validators: tuple[str, ...]


def totals_of(flow: Flow, era: Era, verdict: Verdict) -> Totals:
    """What runs of a flow can cover.

    Steps are all but sections; edges the possible answers to them: each listed intent, with each case of its
    condition that an answer can carry (`abort`, where the era allows it unlisted, isn't counted); validators those of
    the validations that the era looks for.
    """
    steps = [step for step in flow.steps.values() if not step.is_section]
    edges = dict.fromkeys(edge for step in steps for edge in _edges(flow, step, era))
    keys = dict.fromkeys(step.id for step in steps) if era.validates_by_step else {"": None}
    phases = PHASES if era.checks_by_phase else PHASES[1:]
    validations = [validation_for(flow, key, verdict.type, era, phase) for key in keys for phase in phases]
    known = validators_of(flow)
    names = dict.fromkeys(name for each in validations if each for name in each.validators if name in known)
    return Totals(tuple(step.id for step in steps), tuple(edges), tuple(names))


def lists(step: Step, intent: str) -> bool:
    """Whether a step's own gate allows the intent; one without a gate allows only `next`."""
    gate = step.raw.get("structuredGate")
    if not isinstance(gate, dict):
        return True
    allowed = gate.get("allowedIntents")
    return isinstance(allowed, list | str) and intent in allowed


def _edges(flow: Flow, step: Step, era: Era) -> Iterable[Edge]:
    apart = era.closure_loop and step.kind == "closure"
    for choice in choices(flow, step.id, era):
        if choice.refusal is None and (apart or lists(step, choice.intent)):
            yield Edge(step.id, choice.intent, choice.pick.case)


def edge_of(entry: TraceEntry) -> Edge | None:
    """The edge that an event of a run went; None where it moved nothing, or its validators still have to pass."""
    taken, read = entry.transition, entry.interpretation
    if entry.step is None or entry.error is not None:
        return None
    if isinstance(entry.event, Validated):  # a closing that its validators let through
        closed = entry.outcome is not None and entry.outcome.kind == "closing"
        return Edge(entry.step, "closing") if closed else None
    if isinstance(taken, EndRun) and (entry.outcome is None or taken.signal == "unchecked"):
        return None
    if isinstance(taken, Routed) and taken.how in {"check", "again"}:
        return None
    if isinstance(taken, Routed | EndRun) and read is not None:
        return Edge(entry.step, read.intent, taken.case)
    if isinstance(taken, EndRun):  # of a closure past the gate, or of its program
        return Edge(entry.step, taken.signal)
    if isinstance(taken, Routed) and isinstance(entry.event, Answered) and entry.event.answer is not None:
        return Edge(entry.step, "repeat")
    return None


class Coverage:
    """Counts what runs went through. What isn't among the totals, such as an unlisted `abort`, is counted beside."""

    def __init__(self, totals: Totals) -> None:
        self.totals = totals
        self.steps: Counter[str] = Counter()
        self.edges: Counter[Edge] = Counter()
        self.validators: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()  # how often each validator has failed
        self.runs = 0

    def add_run(self, trace: Iterable[TraceEntry]) -> None:
        """Count a whole run."""
        self.runs += 1
        for entry in trace:
            self.add(entry)

    def add(self, entry: TraceEntry) -> None:
        """Count one event: a step when it was answered, an edge when it was gone, a validator when it has run."""
        if entry.step is not None and entry.is_visit:
            self.steps[entry.step] += 1
        if isinstance(entry.event, Validated) and entry.validator is not None:
            self.validators[entry.validator] += 1
            self.failed[entry.validator] += not entry.event.passed
        edge = edge_of(entry)
        if edge is not None:
            self.edges[edge] += 1

    def add_all(self, other: "Coverage") -> None:
        """Count what another has counted."""
        self.runs += other.runs
        self.steps.update(other.steps)
        self.edges.update(other.edges)
        self.validators.update(other.validators)
        self.failed.update(other.failed)

    def share(self, kind: Kind) -> Share:
        """How many of a kind are covered."""
        match kind:
            case "steps":
                every, missing = len(self.totals.steps), len(self.missing_steps)
            case "edges":
                every, missing = len(self.totals.edges), len(self.missing_edges)
            case "validators":
                every, missing = len(self.totals.validators), len(self.missing_validators)
        return Share(every - missing, every)

    @property
    def missing_steps(self) -> list[str]:
        """Steps that no run answered, in the order of the file."""
        return [step for step in self.totals.steps if not self.steps[step]]

    @property
    def missing_edges(self) -> list[Edge]:
        """Edges that no run went, in the order of the file."""
        return [edge for edge in self.totals.edges if not self.edges[edge]]

    @property
    def missing_validators(self) -> list[str]:
        """Validators that never ran, in the order of the file."""
        return [name for name in self.totals.validators if not self.validators[name]]


def kind_name(kind: Kind) -> str:
    """What is covered, in words."""
    match kind:
        case "steps":
            return _("steps")
        case "edges":
            return _("edges")
    return _("validators")
