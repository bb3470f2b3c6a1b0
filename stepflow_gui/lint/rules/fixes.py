"""The fixes of most rules: another string in place of one, a member put in, something taken away."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal
from stepflow_gui.lint.rules.document.json_types import literal_meant
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

_COMMENT = re.compile(r"(?<!\S)#[^\r\n]*")


def write(document: ParsedFile, span: Span, word: str, safe: bool = False) -> Proposal:
    """Write `word` in place of the string at the span, which holds its quotes."""
    if document.is_yaml:
        from stepflow_gui.text.yaml.write import rewritten  # only a fix needs it

        edit = TextEdit(span.start, span.end, rewritten(document.source.text, span, word))
    else:
        edit = TextEdit(span.start, span.end, json.dumps(word, ensure_ascii=False))
    return Proposal(_("Write “{word}”").format(word=word), ((document, edit),), safe)


def write_literal(document: ParsedFile, span: Span, kind: str, value: JsonValue) -> list[Proposal]:
    """Write the true, false or number that a text stands for in a field of a kind; nothing where none is meant."""
    meant = literal_meant(kind, value) if isinstance(value, str) else None
    if meant is None:
        return []
    return [Proposal(_("Write “{word}”").format(word=meant), ((document, TextEdit(span.start, span.end, meant)),))]


def guesses(proposals: Iterable[Proposal]) -> Iterator[Proposal]:
    """The proposals as what only a person can choose."""
    return (proposal._replace(guess=True) for proposal in proposals)


def put(
    document: ParsedFile, pointer: str, key: str, value: JsonValue, title: str, *, safe: bool = False
) -> Iterator[Proposal]:
    """Add a member to the object at a pointer, or give it its value where it is there, as null counts as absent.

    Nothing in a text with mistakes: what is meant there isn't certain.
    """
    where = join(pointer, key)
    there = document.tree.key_span(where) is not None

    def edits() -> DocumentEdits:
        from stepflow_gui.text.json.edit import insert_member, set_value  # only a fix needs it

        tree = document.tree
        found = set_value(tree, where, value) if there else insert_member(tree, pointer, key, value)
        return [(document, edit) for edit in found]

    def yaml_edits() -> list[TextEdit]:
        from stepflow_gui.text.yaml.edit import insert_member, set_value

        tree = document.tree
        return set_value(tree, where, value) if there else insert_member(tree, pointer, key, value)

    if document.is_yaml:
        yield from in_yaml(document, yaml_edits, title, safe=safe)
    elif document.tree.valid:
        yield Proposal(title, Later(edits, [key, json.dumps(value, ensure_ascii=False)]), safe)


def take_away(document: ParsedFile, pointers: Iterable[str], title: str, *, safe: bool = False) -> Iterator[Proposal]:
    """Remove members or elements. Nothing in a text with mistakes."""
    removed = list(pointers)

    def edits() -> DocumentEdits:
        from stepflow_gui.text.json.edit import remove

        return [(document, edit) for edit in remove(document.tree, *removed)]

    def yaml_edits() -> list[TextEdit]:
        from stepflow_gui.text.yaml.edit import remove

        return remove(document.tree, *removed)

    if document.is_yaml:
        yield from in_yaml(document, yaml_edits, title, safe=safe)
    elif document.tree.valid:
        yield Proposal(title, Later(edits), safe)


def in_yaml(
    document: ParsedFile, edits: Callable[[], Sequence[TextEdit]], title: str, *, safe: bool = False
) -> Iterator[Proposal]:
    """A change of a YAML text, where it can be made without one elsewhere."""
    if document.tree.sound:
        with suppress(ValueError, LookupError):
            made = [(document, edit) for edit in edits()]
            if made:
                yield Proposal(title, made, safe and not _loses_comment(document, made))


def _loses_comment(document: ParsedFile, edits: DocumentEdits) -> bool:
    """Whether a comment is gone with what is removed: somebody has to decide whether it was about that alone."""
    text = document.source.text
    gone = ((found[0], edit) for _document, edit in edits for found in _COMMENT.finditer(text, edit.start, edit.end))
    return any(comment not in edit.text for comment, edit in gone)


def renamed_key(document: ParsedFile, pointer: str, key: str, *, safe: bool = False) -> Iterator[Proposal]:
    """The member of a YAML file under another key."""

    def edits() -> list[TextEdit]:
        from stepflow_gui.text.yaml.edit import rename_key  # only a fix needs it

        return rename_key(document.tree, pointer, key)

    yield from in_yaml(document, edits, _("Write “{word}”").format(word=key), safe=safe)
