"""The steps that write and read each key of the context: as the registry declares it, and as a run has done it."""

from collections.abc import Callable, Collection
from typing import Any, Literal, NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.machine.route import condition_of
from stepflow_gui.run.session import Run
from stepflow_gui.text.json.tree import JsonValue

How = Literal["inputs", "prompt", "condition"]


class Reader(NamedTuple):
    """A step that reads a key: as a variable through its `inputs` (`prompt`: its prompt uses that), or in a condition.

    `name` is the variable's or the intent's.
    """

    step: str
    how: How
    name: str


class KeyRow(NamedTuple):
    """One key of the context at a moment. `written`: the entry of the trace, from 1; None where nothing did yet."""

    step: str
    key: str
    value: JsonValue
    here: bool  # it has a value; else it is only declared
    changed: bool  # by the last event
    written: int | None
    readers: tuple[Reader, ...]


class ContextUsage:
    """What a registry declares of its keys. `prompt_names(step)` gives the variables that a step's prompt uses."""

    __slots__ = ("_declared", "_readers")

    def __init__(self, flow: Flow, era: Era, prompt_names: Callable[[Step], Collection[str]] | None = None) -> None:
        self._declared = {step.id: fields for step in flow.steps.values() if (fields := _handed_over(step))}
        self._readers: dict[tuple[str, str], list[Reader]] = {}
        for step in flow.steps.values():
            self._read_inputs(step, era, prompt_names)
            rules = step.raw.get("transitions")
            for intent in rules if isinstance(rules, dict) else ():
                condition = condition_of(step, intent)
                if condition is not None:
                    self._add(step.id, condition, Reader(step.id, "condition", intent))

    def declared(self, step: str) -> tuple[str, ...]:
        """The keys that a step's gate hands over."""
        return self._declared.get(step, ())

    def readers(self, step: str, key: str) -> tuple[Reader, ...]:
        """Who reads what a step leaves under a key."""
        return tuple(self._readers.get((step, key), ()))

    def rows(self, run: Run) -> list[KeyRow]:
        """The keys where a run stands: what steps have left, the latest first, then what only is declared and read."""
        position, state = run.position, run.state
        before = run.state_at(position - 1).context if position > 0 else {}
        rows: list[KeyRow] = []
        written = {step: written_at(run, step) for step in state.context}
        for step in sorted(state.context, key=lambda step: -(written[step] or 0)):
            left, was = state.context[step], before.get(step, {})
            for key, value in left.items():
                changed = left is not was and (key not in was or was[key] != value)
                rows.append(KeyRow(step, key, value, True, changed, written[step], self.readers(step, key)))
        for (step, key), readers in self._readers.items():
            if key not in state.context.get(step, {}):
                rows.append(KeyRow(step, key, None, False, False, written.get(step), tuple(readers)))
        return rows

    def _read_inputs(self, step: Step, era: Era, prompt_names: Callable[[Step], Collection[str]] | None) -> None:
        inputs = step.raw.get("inputs")
        if not isinstance(inputs, dict) or not inputs:
            return
        used = prompt_names(step) if prompt_names is not None else ()
        for name, declared in inputs.items():
            source = declared.get("from") if isinstance(declared, dict) else None
            if not isinstance(source, str) or "." not in source:
                continue
            writer, _dot, key = source.rpartition(".")
            if not era.applies_inputs:
                writer, _dot, rest = source.partition(".")
                key = rest.partition(".")[0]
            variable = f"{writer.replace('.', '_')}_{key}" if era.applies_inputs else name
            self._add(writer, key, Reader(step.id, "prompt" if variable in used else "inputs", variable))

    def _add(self, writer: str, key: str, reader: Reader) -> None:
        self._readers.setdefault((writer, key), []).append(reader)


def written_at(run: Run, step: str) -> int | None:
    """The entry, from 1, that left what the context holds of a step now; None where it holds nothing."""
    now = run.state.context.get(step)
    if now is None:
        return None
    low, high = 0, run.position  # each write leaves a new object, so those that have it are all at the end
    while low < high:
        middle = (low + high) // 2
        if run.state_at(middle).context.get(step) is now:
            high = middle
        else:
            low = middle + 1
    return low


def _handed_over(step: Step) -> tuple[str, ...]:
    gate: Any = step.raw.get("structuredGate")
    fields = gate.get("handoffFields") if isinstance(gate, dict) else None
    listed = fields if isinstance(fields, list) else []
    return tuple(dict.fromkeys(path.rpartition(".")[2] for path in listed if isinstance(path, str)))
