"""Whether a changed YAML text is read as it is meant to be.

Most changes are inside one member of the file's mapping: then it is enough to read that member's lines.
"""

import re
from collections.abc import Sequence

from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.json.tree import JsonTree, JsonValue, Member
from stepflow_gui.text.json.values import identical
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree

_OF_DOCUMENTS = re.compile(r"^(---|\.\.\.|%)", re.MULTILINE)  # what parts documents, and directives
_LINKS = frozenset("&*")  # anchors and aliases, which reach beyond the lines


def holds(before: JsonTree, edits: Sequence[TextEdit], after: str, value: JsonValue) -> bool:
    """Whether the text after some edits has a value, in that order, and no more problems than before."""
    if _member_holds(before, edits, value):
        return True
    tree = read_yaml_tree(before.source.with_text(after))
    return len(tree.problems) <= len(before.problems) and identical(tree.root.value if tree.root else None, value)


def _member_holds(before: JsonTree, edits: Sequence[TextEdit], value: JsonValue) -> bool:
    """Whether reading one member's lines is enough to be sure."""
    root = before.root
    if root is None or not isinstance(before, YamlTree) or not before.sound or before.aliases or not edits:
        return False
    old = root.value
    if not isinstance(old, dict) or not isinstance(value, dict) or list(old) != list(value):
        return False
    text, members = before.source.text, root.members()
    found = _touched(members, edits, text)
    if found is None:
        return False
    member, start, end = found
    moved = [TextEdit(edit.start - start, edit.end - start, edit.text) for edit in edits]
    part = apply(text[start:end], moved)
    if (end < len(text) and not part.endswith("\n")) or _OF_DOCUMENTS.search(part) or not _LINKS.isdisjoint(part):
        return False
    tree = read_yaml_tree(Source(part))
    if not tree.sound or tree.root is None:
        return False
    others = all(identical(each, value[key]) for key, each in old.items() if key != member.key)
    return others and identical(tree.root.value, {member.key: value[member.key]})


def _touched(members: Sequence[Member], edits: Sequence[TextEdit], text: str) -> tuple[Member, int, int] | None:
    """The one member that all edits are in, with its lines; None where there is none, or it isn't a block of lines."""
    first, last = min(edit.start for edit in edits), max(edit.end for edit in edits)
    starts = [member.key_span.start for member in members]
    for number, (member, start) in enumerate(zip(members, starts, strict=True)):
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        if start < first and last <= end:
            at_line = all(at == 0 or text[at - 1] == "\n" for at in (start, end if end < len(text) else start))
            return (member, start, end) if at_line else None
    return None
