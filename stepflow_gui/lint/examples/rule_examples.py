"""The examples of a rule as one reads them: the pieces of files in which the bad and the good one differ."""

import json
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from stepflow_gui.lint.examples.agent import REGISTRY, files_of
from stepflow_gui.lint.examples.example import Example
from stepflow_gui.lint.examples.piece import FILE, PIECE
from stepflow_gui.lint.rules.table import rule_module
from stepflow_gui.text.edit import common_ends
from stepflow_gui.text.pointer import join, split

_LINES_AROUND = 2
LONGEST = 24  # lines of a piece; of longer ones the beginning is shown


class ExampleSnippet(NamedTuple):
    """A value of a file, or a whole file where `pointer` is empty; `text` is empty for a file that doesn't exist."""

    file: str
    pointer: str
    text: str


def pieces(code: str, which: Literal["BAD", "GOOD"]) -> list[ExampleSnippet]:
    """The part of one example where the bad one was changed; for a missing member what is around it."""
    module = rule_module(code)
    return list(_pieces(module.BAD, files_of(getattr(module, which))))


def _pieces(bad: Example, files: dict[str, str]) -> Iterator[ExampleSnippet]:
    if bad.base == "takt":
        yield _of_piece(bad, files)
        return
    by_name = {name.rpartition("/")[2]: name for name in files} | {name: name for name in files}
    for where in bad.changes:
        file, _, pointer = where.rpartition("#")
        name = by_name.get(file or REGISTRY, file or REGISTRY)
        if name in files:
            yield _around(name, json.loads(files[name]), pointer)
    for file in bad.texts:
        name = by_name.get(file, file)
        yield ExampleSnippet(name, "", _short(files.get(name, "").rstrip("\n")))


def _of_piece(bad: Example, files: dict[str, str]) -> ExampleSnippet:
    """The lines of the piece around those that are changed in the bad example."""
    shown = files[FILE].rstrip("\n").split("\n")
    start, tail = common_ends(PIECE.rstrip("\n").split("\n"), str(bad.texts[FILE]).rstrip("\n").split("\n"))
    first, last = max(0, start - _LINES_AROUND), max(start, len(shown) - tail) + _LINES_AROUND
    return ExampleSnippet(FILE, "", _short("\n".join(shown[first:last])))


def _around(file: str, value: Any, pointer: str) -> ExampleSnippet:
    """The member at a pointer with its key; where there is none, what should hold it, without what lies deeper."""
    path: list[str] = []
    for key in split(pointer):
        if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            inner = value[int(key)]
        elif isinstance(value, dict) and key in value:
            inner = value[key]
        else:
            return ExampleSnippet(file, join("", *path), _short(_outline(value)))
        holder, value = value, inner
        path.append(key)
    shown = json.dumps(value, ensure_ascii=False)
    if len(shown) > 100:
        shown = json.dumps(value, ensure_ascii=False, indent=2)
    named = f"{json.dumps(path[-1], ensure_ascii=False)}: {shown}" if isinstance(holder, dict) else shown
    return ExampleSnippet(file, pointer, _short(named))


def _outline(value: Any) -> str:
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, indent=2)
    lines = [f"  {json.dumps(key, ensure_ascii=False)}: {_flat(inner)}" for key, inner in value.items()]
    return "\n".join(["{", *(f"{line}," for line in lines[:-1]), *lines[-1:], "}"])


def _flat(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    if len(shown) <= 60:
        return shown
    return "{ … }" if isinstance(value, dict) else "[ … ]" if isinstance(value, list) else shown


def _short(text: str) -> str:
    lines = [line.encode("utf-8", "backslashreplace").decode() for line in text.split("\n")]
    return "\n".join(lines if len(lines) <= LONGEST else [*lines[:LONGEST], "…"])
