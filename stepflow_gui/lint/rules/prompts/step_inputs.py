"""The `inputs` of a step: what becomes a variable of its prompt, and what ends the run (runtime-semantics 12)."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.lint.rules.prelude import Step
from stepflow_gui.text.json.values import is_true
from stepflow_gui.text.pointer import join


class StepInput(NamedTuple):
    """An entry of `inputs`: the step and the key that it takes its value from, and the variable that it becomes.

    Both are "" where it names neither; then a default is its value. `malformed`: no step stands before the key.
    """

    name: str
    source: str
    key: str
    at: Text  # of `from`, or of the name where there is none
    required: bool | None  # as JavaScript reads it; None where it isn't written
    has_default: bool
    malformed: bool = False

    @property
    def variable(self) -> str:
        """The name under which a prompt finds the value."""
        return f"{self.source.replace('.', '_')}_{self.key}" if self.source else self.name

    @property
    def gives(self) -> bool:
        """Whether there may be a value."""
        return not self.malformed and (bool(self.source) or self.has_default)


def inputs_of(step: Step) -> Iterator[StepInput]:
    """The inputs whose `from` is a text or absent."""
    holder = step.node.get("inputs")
    where = join(step.pointer, "inputs")
    for member in holder.members() if holder else []:
        named = member.value.get("from")
        if member.value.kind != "object" or (named is not None and named.value and not isinstance(named.value, str)):
            continue
        pointer = join(where, member.key)
        given = text_at(member.value, "from", pointer)
        source, dot, key = given.value.rpartition(".") if given else ("", "", "")
        whole = bool(dot and source)
        required = member.value.get("required")
        yield StepInput(
            member.key,
            source if whole else "",
            key if whole else "",
            given if given and given.value else Text(member.key, member.key_span, pointer),
            None if required is None else is_true(required.value),
            member.value.member("default") is not None,
            malformed=bool(given and given.value) and not whole,
        )
