"""Where a run can go: the paths between steps that transitions, defaults and answers open, and where it may end.

Everything is read generously, so that what isn't reached here is reached by no runner. If a transition is unknown
because of a mistake that other rules report, the step is `vague`: nothing is concluded from it.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from stepflow_gui.flow.model import Entry, Flow, Step, Transition, moves_of
from stepflow_gui.flow.reach import reached
from stepflow_gui.formats.checks.vocabulary import OUTCOME_OF_INTENT
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.formats.climpt.vocabulary import INTENTS_OF_KIND, aliases_of
from stepflow_gui.formats.schema_keywords import property_at, values
from stepflow_gui.lint.contract import Contract

WITHOUT_RULE = ("closing", "complete", "repeat", "abort")  # the runner knows their targets without reading a rule
TARGET_ONLY = ("handoff", "escalate")  # of their rules only `target` is read
ANYWHERE = "\0anywhere"  # means “whatever step the answer names”

ContractOf = Callable[[Step], Contract]
SchemaOf = Callable[[Step], StepSchema]


class RunPaths:
    """Where each step of a flow may go.

    `successors` holds for each step the steps it may go to, and ANYWHERE for those where an answer names the step;
    `open_successors` only the targets of intents that the step's gate and kind let through. A run may end as a
    success at `ends`, or by `abort` at `aborts`. `entries` are those that name a step; `vague_entry`: there are others.
    """

    __slots__ = ("aborts", "ends", "entries", "open_successors", "successors", "vague", "vague_entry")

    def __init__(
        self,
        flow: Flow,
        era: Era,
        contract_of: ContractOf,
        schema_of: SchemaOf,
        known: "dict[str, KnownPaths] | None" = None,
    ) -> None:
        """`known` are the paths of steps as read before, in a flow with the same steps; new ones are added to them."""
        self.successors: dict[str, list[str]] = {}
        self.open_successors: dict[str, list[str]] = {}
        self.ends: set[str] = set()
        self.aborts: set[str] = set()
        self.vague: set[str] = set()
        self.entries: list[Entry] = []
        self.vague_entry = False
        for entry in flow.entries:
            if entry.target and is_flow_step(entry.target.value, flow):
                self.entries.append(entry)
            elif entry.key is not None or entry.target is None or entry.target.value:
                self.vague_entry = True
        look = _look(self, flow, era, contract_of, schema_of)
        by_gates = isinstance(look, _OfGates) and known is not None
        for step in flow.steps.values():
            before = known.get(step.id) if known is not None and by_gates else None
            if before is not None and before.contract is contract_of(step):
                successors = before.successors
                self._take(step.id, before)
            else:
                successors = {}
                for other, taken in look.successors_of(step):
                    successors[other] = successors.get(other, False) or taken
                if known is not None and by_gates:
                    known[step.id] = KnownPaths(contract_of(step), successors, *self._marks(step.id))
            self.successors[step.id] = list(successors)
            self.open_successors[step.id] = [other for other, taken in successors.items() if taken]
        if any(ANYWHERE in others for others in self.successors.values()):
            self.successors[ANYWHERE] = [step.id for step in flow.steps.values() if not step.is_section]
            self.open_successors[ANYWHERE] = self.successors[ANYWHERE]

    def _marks(self, step: str) -> tuple[bool, bool, bool]:
        return step in self.ends, step in self.aborts, step in self.vague

    def _take(self, step: str, before: "KnownPaths") -> None:
        for on, marked in ((before.ends, self.ends), (before.aborts, self.aborts), (before.vague, self.vague)):
            if on:
                marked.add(step)

    @property
    def starts(self) -> list[str]:
        """The steps that entries name, each once."""
        return list(dict.fromkeys(entry.target.value for entry in self.entries if entry.target))

    def reached(self) -> dict[str, None]:
        """Every step that can be reached from an entry, on any path; may hold ANYWHERE."""
        return reached(self.starts, self.successors)


class KnownPaths(NamedTuple):
    """What was read of one step. It holds as long as the contract, which is made again with the step or its schema."""

    contract: Contract
    successors: dict[str, bool]
    ends: bool
    aborts: bool
    vague: bool


def may_emit(step: Step, intent: str, contract: Contract) -> bool:
    """Whether an answer of the step can be read as the intent; if the file doesn't specify it, yes.

    If not, SF204 or SF206 reports that the transition is never taken.
    """
    if step.kind and intent != "abort" and intent not in INTENTS_OF_KIND[step.kind]:
        return False
    return contract.allowed is None or any(word.intent == intent for word in contract.allowed)


def is_flow_step(name: str, flow: Flow) -> bool:
    """Whether a run can be at a step of that name: sections are none."""
    step = flow.steps.get(name)
    return step is not None and not step.is_section


class _OfGates:
    """Reads the transitions of steps with gates (runtime-semantics 6)."""

    def __init__(self, paths: RunPaths, flow: Flow, era: Era, contract_of: ContractOf, schema_of: SchemaOf) -> None:
        self.paths = paths
        self.flow = flow
        self.era = era
        self.contract_of = contract_of
        self.schema_of = schema_of
        self.gated = any(step.gate for step in flow.steps.values())
        self.closing = "complete" if flow.format == "complete" else "closing"
        self.aliases = aliases_of(flow.format)

    def successors_of(self, step: Step) -> Iterator[tuple[str, bool]]:
        """The steps it goes to, and whether a run can take that transition."""
        if step.is_section:
            return
        if self.era.starts_program(step):  # neither gate nor transition is read
            self.paths.ends.add(step.id)
            named = (rule.target.value for rule in step.transitions if rule.target)
            yield from ((name, False) for name in named if is_flow_step(name, self.flow))
            return
        contract = self.contract_of(step)
        emitted = {
            rule.intent
            for rule in step.transitions
            if may_emit(step, self.aliases.get(rule.intent, rule.intent), contract)
        }
        for move in moves_of(step):
            if move.target is not None and is_flow_step(move.target, self.flow):
                stays = move.intent == "repeat" and move.target != step.id and not self._repeat_moves(step)
                yield move.target, move.implied or (move.intent in emitted and not stays)
        for rule in step.transitions:
            self._judge(step, rule)
            if rule.fallback and is_flow_step(rule.fallback.value, self.flow):
                yield rule.fallback.value, False
        if self.gated and not step.gate:
            (self.paths.ends if step.kind == "closure" else self.paths.vague).add(step.id)
        for other in self._answers(step, contract):
            yield other, True

    def _repeat_moves(self, step: Step) -> bool:
        """Whether the runner follows the target of a repeat."""
        of_closure = step.raw.get("c2") == "closure"
        return self.era.repeat == "moves" or (self.era.repeat == "moves at c2 closure" and of_closure)

    def _judge(self, step: Step, rule: Transition) -> None:
        """Note whether a rule ends the run or is vague."""
        intent = self.aliases.get(rule.intent, rule.intent)
        if intent in {self.closing, "abort"}:
            return  # the words of the gate decide it
        if rule.terminal and (intent != "repeat" or self.era.repeat == "moves"):
            self.paths.ends.add(step.id)
        if intent in WITHOUT_RULE and (intent != "repeat" or self.era.repeat != "moves"):
            return
        if rule.cases and not rule.target:
            leading = [case for case in rule.cases if case.target and case.target.value]
            default = any(case.value == "default" for case in leading)
            null = self.era.null_case_ends and any(case.target is None for case in rule.cases)
            unread = intent == "handoff" and self.era.own_rules and not self.era.uniform_rules  # it counts as no rule
            ends = self.era.no_rule_ends if unread else null or (self.era.null_ends and not default)
            if ends:
                self.paths.ends.add(step.id)
        if intent == "repeat":
            return  # without a target it stays on the step
        named = [text.value for text in (rule.target, *(case.target for case in rule.cases)) if text and text.value]
        says_something = named or any(case.target is None for case in rule.cases) or rule.terminal or rule.stays
        if not says_something or not all(is_flow_step(name, self.flow) for name in named):
            self.paths.vague.add(step.id)

    def _answers(self, step: Step, contract: Contract) -> Iterator[str]:
        """What the intents of the gate open without a rule of theirs."""
        if step.gate is None:
            return
        ruled = {self.aliases.get(rule.intent, rule.intent) for rule in step.transitions}
        for word in contract.words():
            intent = word.intent
            if intent == self.closing:
                self.paths.ends.add(step.id)
            elif intent == "abort":
                if not (self.era.kinds and step.kind):
                    self.paths.aborts.add(step.id)
            elif intent == "jump" and step.gate.target_field:
                yield from self._named_by_answers(step, step.gate.target_field.value)
            elif intent not in ruled and intent not in WITHOUT_RULE:
                following = "continuation." + step.id.removeprefix("initial.")
                if intent in {"next", "jump"} and step.id.startswith("initial.") and following in self.flow.steps:
                    yield following
                else:
                    self.paths.vague.add(step.id)

    def _named_by_answers(self, step: Step, field: str) -> Iterator[str]:
        values = enum_at(self.schema_of(step), field)
        if values is None:
            yield ANYWHERE
            return
        for value in values:
            if isinstance(value, str) and value in self.flow.steps:
                yield value


class _OfPieces:
    """Reads the transitions of TAKT movements: their rules, and those of judges of loop monitors (takt.md 6, 10)."""

    def __init__(self, paths: RunPaths, flow: Flow) -> None:
        self.paths = paths
        self.flow = flow
        self.judges: dict[str, list[Step]] = {}
        for monitor in flow.monitors:
            for text in monitor.cycle:
                if monitor.judge is not None:
                    self.judges.setdefault(text.value, []).append(monitor.judge)

    def successors_of(self, step: Step) -> Iterator[tuple[str, bool]]:
        """The movements it goes to. If the user is asked it runs again; the rule's target is never followed."""
        if step.unread or not step.transitions:
            self.paths.vague.add(step.id)
        for rules in (step, *self.judges.get(step.id, ())):
            for move in moves_of(rules):
                if move.asks:
                    yield step.id, True
                if move.target is None:
                    (self.paths.aborts if move.end == "ABORT" else self.paths.ends).add(step.id)
                elif move.target in self.flow.steps:
                    yield move.target, not move.asks
                else:
                    self.paths.vague.add(step.id)


def _look(
    paths: RunPaths, flow: Flow, era: Era, contract_of: ContractOf, schema_of: SchemaOf
) -> "_OfChecks | _OfPieces | _OfGates":
    if flow.format == "checks":
        return _OfChecks(paths, flow)
    return _OfPieces(paths, flow) if flow.format == "takt" else _OfGates(paths, flow, era, contract_of, schema_of)


class _OfChecks:
    """Reads the transitions of steps with checks (runtime-semantics 14)."""

    def __init__(self, paths: RunPaths, flow: Flow) -> None:
        self.paths = paths
        self.flow = flow

    def successors_of(self, step: Step) -> Iterator[tuple[str, bool]]:
        """The steps it goes to; a run can take every transition of a check."""
        check = step.raw.get("check")
        outcomes = [check.get("onPass"), check.get("onFail")] if isinstance(check, dict) else [None]
        if any(_goes_nowhere(outcome) for outcome in outcomes):
            self.paths.ends.add(step.id)
        if any(_is_unclear(outcome) for outcome in outcomes):
            self.paths.vague.add(step.id)
        moves = list(moves_of(step))
        counts = Counter(OUTCOME_OF_INTENT.get(move.intent) for move in moves)
        for move in moves:
            # Retries that are used up end the run, unless the outcome specifies something else.
            alone = counts[OUTCOME_OF_INTENT.get(move.intent)] == 1
            if move.target is None or (move.target == step.id and move.limit is not None and alone):
                self.paths.ends.add(step.id)
            elif move.target in self.flow.steps:
                yield move.target, True
            else:
                self.paths.vague.add(step.id)


def _goes_nowhere(outcome: Any) -> bool:
    return not isinstance(outcome, dict) or not any(
        outcome.get(key) for key in ("next", "fallback", "retry", "complete")
    )


def _is_unclear(outcome: Any) -> bool:
    """Whether a transition is given by a value of a wrong type."""
    types = {"next": str, "fallback": str, "retry": bool, "complete": bool}
    return isinstance(outcome, dict) and any(
        outcome.get(key) is not None and not isinstance(outcome[key], kind) for key, kind in types.items()
    )


def enum_at(schema: StepSchema, path: str) -> list[Any] | None:
    """The values that an output schema lists for a dotted path; None where it lists none."""
    at: Any = schema.value if schema.problem is None or schema.place else None
    return values(property_at(at, path.split(".")))
