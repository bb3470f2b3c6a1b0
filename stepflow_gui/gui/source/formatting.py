"""A JSON text with each member and element on a line of its own, indented and ended as the text's own lines are."""

from collections.abc import Sequence

from stepflow_gui.gui.source.keys import indent_unit
from stepflow_gui.gui.source.mapping import line_end
from stepflow_gui.text.edit import TextEdit, difference
from stepflow_gui.text.json.lines import in_lines
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.source import Source


def format_edits(source: Source) -> Sequence[TextEdit] | None:
    """What formats a text; none where it is so already, None where it isn't JSON that can be read."""
    if not read_json(source).valid:
        return None
    text, end = source.text, line_end(source.text)
    formatted = in_lines(text, indent_unit(text)).replace("\n", end)
    return difference(text, formatted if text.endswith(end) else formatted.removesuffix(end))
