"""A JSON text edited to hold another value: what stays the same keeps its own text, its place and its order."""

from collections.abc import Iterator, Mapping

from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree, JsonValue
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source


def rewritten(text: str, value: JsonValue, renamed: Mapping[str, str]) -> str:
    """The text with this value. `renamed` are members that get another key, by their pointer in the text as it is.

    The text must be sound JSON. Members that are new stand behind the one that comes before them in the value.
    """
    tree = read_json(Source(text))
    text = apply(text, list(_changed(tree, _value(tree), value, "", renamed)))
    tree = read_json(Source(text))
    text = apply(text, json_edit.remove(tree, *_gone(_value(tree), value, "")))
    tree = read_json(Source(text))
    return apply(text, list(_added(tree, _value(tree), value, "")))


def _value(tree: JsonTree) -> JsonValue:
    return tree.root.value if tree.root else None


def _changed(
    tree: JsonTree, old: JsonValue, new: JsonValue, pointer: str, renamed: Mapping[str, str]
) -> Iterator[TextEdit]:
    """Keys that are renamed, and values that are others under keys that stay."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        if old != new or type(old) is not type(new):
            yield from json_edit.set_value(tree, pointer, new)
        return
    for key, inner in old.items():
        here = join(pointer, key)
        today = renamed.get(here, key)
        if today not in new:
            continue
        if today != key:
            yield from json_edit.rename_key(tree, here, today)
        yield from _changed(tree, inner, new[today], here, renamed)


def _gone(old: JsonValue, new: JsonValue, pointer: str) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key, inner in old.items():
            if key in new:
                yield from _gone(inner, new[key], join(pointer, key))
            else:
                yield join(pointer, key)


def _added(tree: JsonTree, old: JsonValue, new: JsonValue, pointer: str) -> Iterator[TextEdit]:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return
    first = next(iter(old), None)
    behind: str | None = None
    waiting: dict[str, JsonValue] = {}
    for key, inner in new.items():
        if key not in old:
            waiting[key] = inner
            continue
        if waiting:
            yield from _put(tree, pointer, waiting, behind, first)
            waiting = {}
        behind = key
        yield from _added(tree, old[key], inner, join(pointer, key))
    if waiting:
        yield from _put(tree, pointer, waiting, behind, first)


def _put(
    tree: JsonTree, pointer: str, members: Mapping[str, JsonValue], behind: str | None, first: str | None
) -> list[TextEdit]:
    before = first if behind is None else None
    return json_edit.insert_members(tree, pointer, members, after=behind, before=before)
