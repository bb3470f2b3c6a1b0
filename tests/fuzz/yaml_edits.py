"""Random edits of random YAML texts, each held against a model of the value.

`run` raises AssertionError with a text that is as short as it could be made, the edit and the seed.
"""

import re
import time
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from math import isnan
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from stepflow_gui.text.edit import TextEdit, apply, inverse, ordered
from stepflow_gui.text.pointer import join, parent, split
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml import edit as yaml_edit
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree
from tests.fuzz.yaml_texts import broken_text, mixed_text, random_value, random_word, sound_text

_ROOT = Path(__file__).parents[2]
_LINE_END = re.compile(r"\r\n|\r|\n")
_REMARK = re.compile(r"# remark \d+;")
_NAMES = ("set_value", "insert_member", "insert_members", "insert_item", "remove", "rename_key", "move_item")
_TRIES = 3_000  # looks at shorter texts


class Edit(NamedTuple):
    """A function of `stepflow_gui.text.yaml.edit`, and what it is called with."""

    name: str
    words: tuple[Any, ...]
    named: dict[str, Any]

    def edits(self, tree: YamlTree) -> list[TextEdit]:
        """What it gives for a text."""
        function: Callable[..., list[TextEdit]] = getattr(yaml_edit, self.name)
        return function(tree, *deepcopy(self.words), **self.named)


def run(seed: int, seconds: float, counts: "Counter[str] | None" = None) -> int:
    """Edit for so many seconds; gives how many edits were tried. `counts`: which were made and which refused."""
    chance, until, tried = Random(seed), time.monotonic() + seconds, 0
    seeds = seed_texts()
    while time.monotonic() < until:
        case = chance.getrandbits(48)
        tried += run_case(case, seeds, counts, seed)
    return tried


def run_case(case: int, seeds: list[str], counts: "Counter[str] | None" = None, seed: int | None = None) -> int:
    """Make a text and edit it several times; gives how many edits were tried."""
    chance = Random(case)
    kind = chance.random()
    if kind < 0.35:
        made, text = "sound", sound_text(chance)
    elif kind < 0.6:
        made, text = "mixed", mixed_text(chance)
    else:
        made, text = "broken", broken_text(chance, seeds)
    tried = 0
    tree = read_yaml_tree(Source(text))
    for _each in range(chance.randrange(1, 12)):
        edit = random_edit(chance, tree)
        if edit is None:
            break
        tried += 1
        try:
            after = check(tree, edit)
        except Exception as error:
            raise AssertionError(_report(tree.source.text, edit, error, case, seed)) from error
        if counts is not None:
            counts[f"{made}: {'refused' if after is None else 'made'}"] += 1
        tree = tree if after is None else after
    return tried


def seed_texts() -> list[str]:
    """Texts of the bundled templates, to be mutated."""
    found = [path.read_text("utf-8") for path in sorted((_ROOT / "resources" / "templates").rglob("*.yaml"))]
    return [text[at : at + 800] for text in found for at in range(0, len(text), 800)]


def random_edit(chance: Random, tree: YamlTree) -> Edit | None:
    """An edit of what a text holds; now and then of what it doesn't."""
    nodes = list(tree.root.walk("")) if tree.root is not None else []
    if not nodes or len(nodes) > 5_000:
        return None
    pointer, node = chance.choice(nodes)
    if chance.random() < 0.02:
        pointer = join(pointer, random_word(chance))
        node = tree.at(pointer) or node
    keys = [member.key for member in node.members()]
    beside: dict[str, Any] = {}
    if keys and chance.random() < 0.6:
        beside = {chance.choice(("after", "before")): chance.choice(keys)}
    above = tree.at(parent(pointer)) if pointer else None
    kind = above.kind if above is not None else ""
    match _fitting(chance, node.kind, kind) if chance.random() < 0.9 else chance.choice(_NAMES):
        case "insert_members":
            members = {random_word(chance): random_value(chance, 2) for _each in range(chance.randrange(1, 4))}
            return Edit("insert_members", (pointer, members), beside)
        case "insert_member":
            return Edit("insert_member", (pointer, random_word(chance), random_value(chance, 1)), beside)
        case "insert_item":
            index = chance.choice((None, chance.randrange(len(node.items()) + 1)))
            return Edit("insert_item", (pointer, random_value(chance, 1), index), {})
        case "remove":
            others = [where for where, _node in chance.sample(nodes, min(3, len(nodes))) if where]
            chosen = [pointer, *others] if chance.random() < 0.3 else [pointer]
            clear = [one for one in chosen if not any(f"{one}/".startswith(f"{other}/") for other in {*chosen} - {one})]
            return Edit("remove", tuple(dict.fromkeys(clear)), {})
        case "rename_key":
            return Edit("rename_key", (pointer, random_word(chance)), {})
        case "move_item":
            return Edit("move_item", (pointer, chance.randrange(max(1, len(above.items()) if above else 1))), {})
        case _:
            return Edit("set_value", (pointer, random_value(chance)), {})


def _fitting(chance: Random, kind: str, above: str) -> str:
    """The name of an edit that makes sense of a value of that kind in one of that kind."""
    names = ["set_value"]
    names += ["insert_member", "insert_members"] if kind == "object" else ["insert_item"] if kind == "array" else []
    names += ["remove", "rename_key"] if above == "object" else ["remove", "move_item"] if above == "array" else []
    return chance.choice(names)


def check(tree: YamlTree, edit: Edit) -> YamlTree | None:
    """The text after an edit; None where it was refused. Raises AssertionError for whatever is wrong."""
    text = tree.source.text
    edits = _edits(edit, tree)
    if edits is None:
        return None
    for each in edits:
        assert 0 <= each.start <= each.end <= len(text), f"no stretch of the text: {each}"
    assert ordered(edits) is not None
    after = apply(text, edits)
    assert apply(after, inverse(text, edits)) == text, "undone it is another text"
    new = read_yaml_tree(Source(after))
    assert len(new.problems) <= len(tree.problems), f"a mistake was made: {new.problems[-1:]}"
    expected = wanted(plain(tree.root.value if tree.root is not None else None), edit)
    found = plain(new.root.value if new.root is not None else None)
    assert same(found, expected), f"it holds {found!r}, not {expected!r}"
    ends = set(_LINE_END.findall(text))
    strange = set(_LINE_END.findall(after)) - (ends or {"\n"})
    assert not strange, f"a line end of another kind: {strange}"
    if edit.name in {"insert_member", "insert_members", "insert_item", "rename_key", "move_item"}:
        held = Counter(_REMARK.findall(str(tree.root.value if tree.root is not None else "")))  # part of a key or text
        lost = Counter(_REMARK.findall(text)) - Counter(_REMARK.findall(after)) - held
        assert not lost, f"lost: {lost}"
    return new


def _edits(edit: Edit, tree: YamlTree) -> list[TextEdit] | None:
    try:
        return edit.edits(tree)
    except (LookupError, ValueError) as error:
        if type(error) in {LookupError, ValueError} and str(error):
            return None
        raise AssertionError(f"no refusal with a reason: {error!r}") from error


def wanted(root: Any, edit: Edit) -> Any:
    """The value that a text holds after an edit of it, its members in order."""
    if edit.name == "remove":
        gone = [(_holder(root, pointer), split(pointer)[-1]) for pointer in edit.words]
        for holder, key in [each for each in gone if isinstance(each[0], dict)]:
            del holder[key]
        for holder, key in sorted((each for each in gone if isinstance(each[0], list)), key=lambda each: -int(each[1])):
            del holder[int(key)]
        return root
    pointer, *words = edit.words
    node = _at(root, pointer)
    match edit.name:
        case "set_value":
            return _with(root, pointer, plain(words[0]))
        case "insert_member":
            return _with(root, pointer, _among(node, {words[0]: plain(words[1])}, **edit.named))
        case "insert_members":
            return _with(root, pointer, _among(node, plain(words[0]), **edit.named))
        case "insert_item":
            node.insert(len(node) if words[1] is None else words[1], plain(words[0]))
        case "rename_key":
            holder = _holder(root, pointer)
            old = split(pointer)[-1]
            return _with(root, parent(pointer), {words[0] if key == old else key: each for key, each in holder.items()})
        case "move_item":
            holder = _holder(root, pointer)
            holder.insert(words[0], holder.pop(int(split(pointer)[-1])))
    return root


def _among(holder: dict[str, Any], new: dict[str, Any], after: Any = None, before: Any = None) -> dict[str, Any]:
    keys = list(holder)
    slot = keys.index(before) if before is not None else keys.index(after) + 1 if after is not None else len(keys)
    order = [*keys[:slot], *new, *keys[slot:]]
    return {key: (new if key in new else holder)[key] for key in order}


def _at(root: Any, pointer: str) -> Any:
    for key in split(pointer):
        root = root[int(key) if isinstance(root, list) else key]
    return root


def _holder(root: Any, pointer: str) -> Any:
    return _at(root, parent(pointer))


def _with(root: Any, pointer: str, value: Any) -> Any:
    if not pointer:
        return value
    holder, key = _holder(root, pointer), split(pointer)[-1]
    holder[int(key) if isinstance(holder, list) else key] = value
    return root


def plain(value: Any) -> Any:
    """A copy in which nothing appears twice, as aliases do."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same, kinds and order of members included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) or (isinstance(one, float) and isnan(one) and isnan(other))


# What is shown of a fault


def _report(text: str, edit: Edit, error: Exception, case: int, seed: int | None) -> str:
    short = shrink(text, edit, error)
    return (
        f"seed {seed}, case {case}\n{type(error).__name__}: {_fault(short, edit) or error}\n"
        f"text = {short!r}\n{edit.name}(tree, *{edit.words!r}, **{edit.named!r})"
    )


def shrink(text: str, edit: Edit, error: Exception) -> str:
    """The shortest text found in which the edit goes wrong in the same manner."""
    left = _TRIES
    size = max(1, len(text) // 2)
    kind = _kind(error)
    while size:
        at, found = 0, False
        while at < len(text) and left > 0:
            left -= 1
            shorter = text[:at] + text[at + size :]
            if _kind_of(shorter, edit) == kind:
                text, found = shorter, True
            else:
                at += size
        size = size if found and size == 1 and left > 0 else size // 2
    return text


def _kind(error: Exception) -> str:
    return f"{type(error).__name__} {str(error)[:12]}"


def _kind_of(text: str, edit: Edit) -> str | None:
    fault = _fault(text, edit)
    return None if fault is None else _kind(fault)


def _fault(text: str, edit: Edit) -> Exception | None:
    try:
        check(read_yaml_tree(Source(text)), edit)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is what is looked for
        return error
    return None
