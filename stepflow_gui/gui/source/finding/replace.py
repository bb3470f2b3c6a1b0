"""The edits that replace what was found in the source. Knows no Qt."""

from collections.abc import Sequence

from stepflow_gui.gui.source.finding.search import Hit, filled
from stepflow_gui.gui.source.mapping import line_end
from stepflow_gui.text.edit import TextEdit, apply

_FEW = 1_000  # edits that are shown one by one


def replacing(text: str, hits: Sequence[Hit], by: str, *, pattern: bool) -> list[TextEdit]:
    """The edits for hits, those left out whose text stays. Of a pattern, `by` may name what it matched.

    Very many become one edit of the whole stretch.
    """
    end = line_end(text)
    edits = []
    for hit in hits:
        before = text[hit.start : hit.end]
        after = filled(by, hit.groups, before).replace("\n", end) if pattern else by
        if after != before:
            edits.append(TextEdit(hit.start, hit.end, after))
    return edits if len(edits) <= _FEW else [_joined(text, edits)]


def _joined(text: str, edits: list[TextEdit]) -> TextEdit:
    start, end = edits[0].start, edits[-1].end
    inside = [TextEdit(edit.start - start, edit.end - start, edit.text) for edit in edits]
    return TextEdit(start, end, apply(text[start:end], inside))
