"""JSON texts, valid or not: the tree holds together, and each edit does to the text what it should and is undone."""

import json
import random
from pathlib import Path

from stepflow_gui.text.edit import TextEdit, apply, inverse
from stepflow_gui.text.json import edit as editing
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree, JsonValue
from stepflow_gui.text.pointer import parent, split
from stepflow_gui.text.source import Source
from tests.fuzz import originals
from tests.fuzz.cases import Case, Cases
from tests.fuzz.mutations import mutated
from tests.text.json.test_recovery import check_tree

_NAME = "file.json"
_EDITS = 12
_LONGEST = 20_000  # characters: what is wrong with long texts is wrong with shorter ones
_VALUES: tuple[JsonValue, ...] = (None, True, 7, "", '語 "x"', [], [1, {"a": []}], {}, {"a": 1, "b": [None]})


def draw(chance: random.Random) -> Case:
    """A registry's text with mistakes, or a part of it."""
    files, registry = originals.agent(chance)
    text = files[registry]
    if len(text) > _LONGEST or chance.random() < 0.5:
        start = chance.randrange(max(1, len(text)))
        text = text[start : start + chance.choice((20, 200, 2000))]
    return Case({_NAME: mutated(text, _NAME, chance)}, chance.getrandbits(32))


def check(case: Case, _folder: Path) -> None:
    """Read, and edit at places that are there."""
    text = case.files[_NAME]
    tree = read_json(Source(text))
    check_tree(tree)
    _judged_alike(tree)
    if tree.root is None:
        return
    chance = random.Random(case.choices)
    places = [pointer for pointer, _node in tree.root.walk()]
    sound = tree.valid and not tree.duplicates()
    for _time in range(_EDITS):
        pointer, value = chance.choice(places), chance.choice(_VALUES)
        name, edits = _edits(tree, pointer, value, chance)
        for edit in edits:
            assert 0 <= edit.start <= edit.end <= len(text), (name, pointer, edit)
        after = apply(text, edits)
        assert apply(after, inverse(text, edits)) == text, (name, pointer)
        if sound:
            _claimed(tree, after, name, pointer, value)


def _judged_alike(tree: JsonTree) -> None:
    """Python's reader takes what the tree calls sound, and nothing else; and reads the same."""
    try:
        value = json.loads(tree.source.text, parse_constant=_refuse)
    except RecursionError:
        return  # deeper than Python's reader goes
    except ValueError:
        assert not tree.valid or len(tree.source.text) > _LONGEST
        return
    assert tree.valid, tree.problems
    assert tree.root is not None
    assert json.dumps(tree.root.value) == json.dumps(value)


def _refuse(name: str) -> JsonValue:
    raise ValueError(name)


def _edits(tree: JsonTree, pointer: str, value: JsonValue, chance: random.Random) -> tuple[str, list[TextEdit]]:
    """An edit at a place; none where it makes no sense there, which the two errors show."""
    name = chance.choice(("set", "insert", "append", "remove", "rename", "move"))
    try:
        match name:
            case "set":
                return name, editing.set_value(tree, pointer, value)
            case "insert":
                return name, editing.insert_member(tree, pointer, "new key", value)
            case "append":
                return name, editing.insert_item(tree, pointer, value)
            case "remove":
                return name, editing.remove(tree, pointer)
            case "rename":
                return name, editing.rename_key(tree, pointer, "new key")
            case _:
                return name, editing.move_item(tree, pointer, 0)
    except (LookupError, ValueError):
        return "none", []


def _claimed(tree: JsonTree, after: str, name: str, pointer: str, value: JsonValue) -> None:
    """A sound text stays sound, and holds what the edit was for."""
    new = read_json(Source(after))
    assert new.valid, (name, pointer, after)
    now = new.at(pointer)
    match name:
        case "set":
            assert now is not None
            assert json.dumps(now.value) == json.dumps(value)
        case "insert":
            assert now is not None
            assert list(now.value)[-1] == "new key"
        case "append":
            assert now is not None
            assert json.dumps(now.value[-1]) == json.dumps(value)
        case "remove":
            old, left = tree.at(parent(pointer)), new.at(parent(pointer))
            assert old is not None
            assert left is not None
            assert len(left.value) == len(old.value) - 1
        case "rename":
            holder = new.at(parent(pointer))
            assert holder is not None
            assert "new key" in holder.value or split(pointer)[-1] == "new key"
        case "none":
            assert after == tree.source.text


JSON = Cases("json", draw, check)
