"""Text edits that remove suppressions: from a registry's `x-stepflow`, from the project's configuration."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from stepflow_gui.lint.suppressions.suppressing import Excuse
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.json.tree import JsonTree
from stepflow_gui.text.pointer import parent
from stepflow_gui.text.source import Source

_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
_INK = re.compile(r"^[ \t]*[^\s#].*(?:\r?\n|\Z)", re.MULTILINE)
_BLANK_BEFORE = re.compile(r"(?:\A|(?<=\n))[ \t]*\r?\n\Z")


def edits_without(
    excuses: Iterable[Excuse], registry: ParsedFile, configs: Mapping[Path, Source]
) -> dict[Path, list[TextEdit]] | None:
    """The edits that remove these suppressions, and what is empty then; None if one is written in another style."""
    listed = list(excuses)
    edits: dict[Path, list[TextEdit]] = {}
    inside = [each.pointer for each in listed if each.pointer is not None and each.file == registry.path]
    if inside:
        if not registry.tree.valid:
            return None
        if registry.is_yaml:
            from stepflow_gui.text.yaml.edit import remove  # registries are JSON
        else:
            from stepflow_gui.text.json.edit import remove
        try:
            edits[registry.path] = remove(registry.tree, *_emptied(registry.tree, inside))
        except (ValueError, LookupError):  # a YAML text in which it is written in an unusual style
            return None
    for each in listed:
        if each.pointer is None or each.file != registry.path:
            source = configs.get(each.file)
            found = _table(source.text, each.range.start.offset) if source else None
            if found is None:
                return None
            edits.setdefault(each.file, []).append(found)
    return edits


def _emptied(tree: JsonTree, pointers: Iterable[str]) -> list[str]:
    """The places to take out: an entry, else its list where no other is left, else what holds nothing but that."""
    by_list: dict[str, set[str]] = {}
    for pointer in pointers:
        by_list.setdefault(parent(pointer), set()).add(pointer)
    places: list[str] = []
    for ignore, entries in by_list.items():
        listed, marks = tree.at(ignore), tree.at(parent(ignore))
        if listed is None or marks is None or len(list(listed.items())) > len(entries):
            places += sorted(entries)
        else:
            places.append(parent(ignore) if len(list(marks.members())) == 1 else ignore)
    return places


def _table(text: str, offset: int) -> TextEdit | None:
    """The `[[suppress]]` table whose header is at an offset, with the empty line before it."""
    start = text.rfind("\n", 0, offset) + 1
    if not text[start:offset].lstrip().startswith("[["):
        return None  # an inline table, or an array of them
    after = _HEADER.search(text, text.find("\n", offset) + 1 or len(text))
    ink = list(_INK.finditer(text, start, after.start() if after else len(text)))
    blank = _BLANK_BEFORE.search(text[:start])
    edit = TextEdit(blank.start() if blank else start, ink[-1].end(), "")
    return edit if _is_one_less(text, apply(text, [edit])) else None


def _is_one_less(before: str, after: str) -> bool:
    """Whether the configuration is the same but for one suppression."""
    try:
        old, new = _parts(tomllib.loads(before)), _parts(tomllib.loads(after))
    except (tomllib.TOMLDecodeError, AttributeError):
        return False
    shorter = [old[1][:index] + old[1][index + 1 :] for index in range(len(old[1]))]
    return old[0] == new[0] and new[1] in shorter


def _parts(values: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    """The values without the suppressions, and those."""
    table = values if "suppress" in values else values.get("tool", {}).get("stepflow", {})
    return values, table.pop("suppress", [])
