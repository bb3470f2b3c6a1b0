"""The examples of a rule as one reads them: the pieces of files in which the bad and the good one differ."""

import json
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from stepflow_gui.lint.example import Example
from stepflow_gui.lint.example_agent import REGISTRY, files_of
from stepflow_gui.lint.rules.table import rule_module
from stepflow_gui.text.pointer import split

LONGEST = 24  # lines of a piece; of longer ones the beginning is shown


class Piece(NamedTuple):
    """A value of a file, or a whole file where `pointer` is empty."""

    file: str
    pointer: str
    text: str


def pieces(code: str, which: Literal["BAD", "GOOD"]) -> list[Piece]:
    """What stands in one example where the bad one was changed. A value that isn't there makes no piece."""
    module = rule_module(code)
    return list(_pieces(module.BAD, files_of(getattr(module, which))))


def _pieces(bad: Example, files: dict[str, str]) -> Iterator[Piece]:
    by_name = {name.rpartition("/")[2]: name for name in files} | {name: name for name in files}
    for where in bad.changes:
        file, _, pointer = where.rpartition("#")
        name = by_name.get(file or REGISTRY, file or REGISTRY)
        found = _value(files.get(name, ""), pointer)
        if found is not None:
            yield Piece(name, pointer, _short(found))
    for file in bad.texts:
        name = by_name.get(file, file)
        if name in files:
            yield Piece(name, "", _short(files[name].rstrip("\n")))


def _value(text: str, pointer: str) -> str | None:
    """The member at a pointer with its key, as JSON."""
    try:
        value: Any = json.loads(text)
        *above, last = split(pointer)
        for key in above:
            value = value[int(key) if isinstance(value, list) else key]
        inner = value[int(last) if isinstance(value, list) else last]
    except (ValueError, KeyError, IndexError, TypeError):
        return None
    shown = json.dumps(inner, ensure_ascii=False)
    if len(shown) > 100:
        shown = json.dumps(inner, ensure_ascii=False, indent=2)
    return shown if isinstance(value, list) else f"{json.dumps(last, ensure_ascii=False)}: {shown}"


def _short(text: str) -> str:
    lines = [line.encode("utf-8", "backslashreplace").decode() for line in text.split("\n")]
    return "\n".join(lines if len(lines) <= LONGEST else [*lines[:LONGEST], "…"])
