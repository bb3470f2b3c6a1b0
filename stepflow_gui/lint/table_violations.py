"""Which steps of a registry aren't just as a field table says: told once, for all rules that look beside it."""

from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.plain_values import is_plain, plain
from stepflow_gui.text.json.tree import JsonValue


class TableViolations:
    """Belongs to one table, one format and one run over a registry."""

    __slots__ = ("_plain", "_step", "table")

    def __init__(self, table: Shape, format_id: str) -> None:
        self.table = table
        self._step = plain(table, format_id).fields["steps"].others
        self._plain: set[str] = set()

    def left(self, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """The registry's value without the steps in which there is nothing to find, or as much of it as is given."""
        steps = value.get("steps")
        if self._step is None or not isinstance(steps, dict):
            return value
        known = self._plain
        known.update(key for key, step in steps.items() if key not in known and is_plain(step, self._step))
        return {**value, "steps": {key: step for key, step in steps.items() if key not in known}}
