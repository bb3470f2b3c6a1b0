"""What many logged runs went through together: steps with their time and cost, transitions, ends."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.logs.log_runs import LogMove, moments_of
from stepflow_gui.run.logs.log_text import duration, money
from stepflow_gui.run.logs.logged_run import ComparedRun, EndOfRun
from stepflow_gui.run.scripts.coverage import Edge


class LoggedEnd(NamedTuple):
    """A way in which runs ended: at which step, with which code."""

    kind: EndOfRun
    step: str | None
    code: str | None


class StepMeasures(NamedTuple):
    """What a step took in all runs. Times in seconds, cost in US dollars; 0 where the logs have none."""

    visits: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    differences: int = 0  # turns at which the flow does something else


class LogCoverage:
    """Counts what logged runs of one flow went through. `edges`: all that can be taken, in the order of the file."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self.edges = _edges_of(flow)
        self.runs = 0
        self.steps: dict[str, StepMeasures] = {
            step.id: StepMeasures() for step in flow.steps.values() if not step.is_section
        }
        self.taken: Counter[Edge] = Counter()
        self.gone: Counter[LogMove] = Counter()  # transitions that the flow doesn't have
        self.ends: Counter[LoggedEnd] = Counter()

    def add(self, compared: ComparedRun) -> None:
        """Count a run."""
        self.runs += 1
        for each in compared.turns:
            turn = each.turn
            if turn.step is None:
                continue
            visits, seconds, cost, differences = self.steps.get(turn.step, StepMeasures())
            self.steps[turn.step] = StepMeasures(
                visits + 1,
                seconds + (turn.seconds or 0.0),
                cost + (turn.cost or 0.0),
                differences + (each.difference is not None),
            )
        for moment in moments_of(compared):
            if moment.move is not None:
                edge = edge_of_move(self._flow, moment.move)
                if edge is None:
                    self.gone[moment.move] += 1
                else:
                    self.taken[edge] += 1
        end, last = compared.run.end, compared.turns[-1].turn.step if compared.turns else None
        self.ends[LoggedEnd(end.kind, last, end.code)] += 1

    @property
    def cost(self) -> float:
        """US dollars of all runs."""
        return sum(each.cost for each in self.steps.values())

    @property
    def seconds(self) -> float:
        """Seconds of all runs."""
        return sum(each.seconds for each in self.steps.values())

    @property
    def never(self) -> list[Edge]:
        """Edges that no run took, in the order of the file."""
        return [edge for edge in self.edges if not self.taken[edge]]

    @property
    def counted(self) -> Mapping[Edge, int]:
        """How often each edge was taken: those of the file in its order, then those that it doesn't count."""
        return {edge: self.taken[edge] for edge in dict.fromkeys((*self.edges, *self.taken))}


def totals_of(coverage: LogCoverage) -> list[str]:
    """How many runs there were, and what they took and cost where the logs say so."""
    runs = ngettext("{count} run", "{count} runs", coverage.runs).format(count=coverage.runs)
    return [*filter(None, (runs, duration(coverage.seconds), money(coverage.cost or None)))]


def never_taken(coverage: LogCoverage) -> str:
    """How many transitions no run took."""
    text = _("never taken: {count} of {all} transitions")
    return text.format(count=len(coverage.never), all=len(coverage.edges))


def edge_of_move(flow: Flow, move: LogMove) -> Edge | None:
    """The flow's own transition for a logged move; None where it has none with that target."""
    step = flow.steps.get(move.step)
    if step is None:
        return None
    if flow.format == "takt":
        rule = int(move.answer) if move.answer.isdecimal() else -1
        return Edge(step.id, step.transitions[rule].intent) if 0 <= rule < len(step.transitions) else None
    rule_of = next((each for each in reversed(step.transitions) if each.intent == move.answer), None)
    if rule_of is None:
        return None
    for case in rule_of.cases:
        if (case.target.value if case.target is not None else None) == move.to:
            return Edge(step.id, move.answer, case.value)
    target = step.id if rule_of.stays else rule_of.target.value if rule_of.target is not None else None
    return Edge(step.id, move.answer) if not rule_of.cases and target == move.to else None


def _edges_of(flow: Flow) -> list[Edge]:
    """The transitions of a flow, each case of a conditional one by itself, in the order of the file."""
    found = []
    for step in flow.steps.values():
        for each in step.transitions if not step.is_section else ():
            cases: list[str | None] = [case.value for case in each.cases] or [None]
            found += [Edge(step.id, each.intent, case) for case in cases]
    return list(dict.fromkeys(found))
