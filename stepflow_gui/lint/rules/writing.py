"""The fixes of most rules: another string in place of one, a member put in, something taken away."""

import json
from collections.abc import Iterable, Iterator

from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal
from stepflow_gui.messages import _
from stepflow_gui.text.document import Document
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json_tree import JsonValue
from stepflow_gui.text.source import Span


def write(document: Document, span: Span, word: str, safe: bool = False) -> Proposal:
    """Write `word` in place of the string at the span, which holds its quotes."""
    edit = TextEdit(span.start, span.end, json.dumps(word, ensure_ascii=False))
    return Proposal(_("Write “{word}”").format(word=word), ((document, edit),), safe)


def put(
    document: Document, pointer: str, key: str, value: JsonValue, title: str, *, safe: bool = False
) -> Iterator[Proposal]:
    """Add a member to the object at a pointer. Nothing in a text with mistakes: what is meant there isn't certain."""

    def edits() -> DocumentEdits:
        from stepflow_gui.text.json_edit import insert_member  # only a fix needs it

        return [(document, edit) for edit in insert_member(document.tree, pointer, key, value)]

    if document.tree.valid:
        yield Proposal(title, Later(edits, [key, json.dumps(value, ensure_ascii=False)]), safe)


def take_away(document: Document, pointers: Iterable[str], title: str, *, safe: bool = False) -> Iterator[Proposal]:
    """Remove members or elements. Nothing in a text with mistakes."""
    removed = list(pointers)

    def edits() -> DocumentEdits:
        from stepflow_gui.text.json_edit import remove

        return [(document, edit) for edit in remove(document.tree, *removed)]

    if document.tree.valid:
        yield Proposal(title, Later(edits), safe)
