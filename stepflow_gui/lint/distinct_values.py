"""What tells steps apart: no suggestion may give one of them the prompt or the key that another has."""

from collections import Counter
from typing import Any

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.lookup import path_of_fields


class DistinctValues:
    """The prompts and fallback keys of a flow's steps, and those that suggestions would write."""

    __slots__ = ("_flow", "_keys", "_tails")

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        steps = flow.steps.values()
        self._tails = Counter(tail for step in steps if (tail := path_of_fields(flow, step.raw)))
        self._keys = Counter(step.fallback_key.value for step in steps if step.fallback_key)

    def address_is_free(self, fields: dict[str, Any]) -> bool:
        """Whether no step has the prompt of a step that had these fields."""
        tail = path_of_fields(self._flow, fields)
        return tail is None or not self._tails[tail]

    def key_is_free(self, key: str) -> bool:
        """Whether no step has this fallback key."""
        return not self._keys[key]

    def clear(self, wished: list[tuple[Step, str, str]]) -> set[str]:
        """Of steps with a field and the value wished for it: the ids of those that stay apart from all others."""
        tails = {step.id: path_of_fields(self._flow, step.raw | {field: value}) for step, field, value in wished}
        counted = Counter(tails.values())
        return {step for step, tail in tails.items() if tail is None or (counted[tail] == 1 and not self._tails[tail])}
