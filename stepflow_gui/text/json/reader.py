"""Reads a JSON text into a tree, whatever is wrong with it.

Valid text is read by the standard library's C scanner. Text that the scanner refuses goes to `recovery`, which gives
the same tree, with problems.
"""

from stepflow_gui.text.json.spans import decoder, skip
from stepflow_gui.text.json.tree import JsonTree, Node
from stepflow_gui.text.source import Source


def read_json(source: Source) -> JsonTree:
    """Read a text, whatever is wrong with it. Never raises."""
    text = source.text
    decode, clashes = decoder()
    start = skip(text, 0)
    try:
        value, end = decode(text, start)
        if skip(text, end) == len(text):
            return JsonTree(source, Node(value, start, end, text, unique=not clashes), (), bool(clashes))
    except (ValueError, RecursionError):
        pass
    from stepflow_gui.text.json.recovery import recover  # broken text is rare, and a clean lint stays quick

    return recover(source)


def _read_deep(text: str, start: int, depth: int) -> Node:
    from stepflow_gui.text.json.recovery import read_all  # no registry is as deep

    return read_all(text, start, depth)


Node.read_deep = staticmethod(_read_deep)
