"""What a change does to a text, line by line, with a few lines around it. Knows no Qt."""

from typing import Literal, NamedTuple

from stepflow_gui.text.line_matching import LineMatcher

CONTEXT = 2  # lines

Kind = Literal["same", "added", "removed", "gap"]
SIGNS: dict[Kind, str] = {"same": "  ", "added": "+ ", "removed": "− ", "gap": ""}


class DiffLine(NamedTuple):
    """A line of a comparison; a gap replaces what is the same and left out."""

    kind: Kind
    text: str


def diff_lines(before: str, after: str, context: int = CONTEXT) -> list[DiffLine]:
    """The lines that differ, and up to `context` lines before and after each stretch of them."""
    old, new = before.splitlines(), after.splitlines()
    shown: list[DiffLine] = []
    for group in LineMatcher(old, new).get_grouped_opcodes(context):
        if shown:
            shown.append(DiffLine("gap", "⋯"))
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                shown += [DiffLine("same", text) for text in old[start:end]]
            else:
                shown += [DiffLine("removed", text) for text in old[start:end]]
                shown += [DiffLine("added", text) for text in new[new_start:new_end]]
    return shown


def dedented(lines: list[DiffLine]) -> list[DiffLine]:
    """The lines without the blanks that all of them begin with."""
    inked = [line.text for line in lines if line.kind != "gap" and line.text.strip()]
    width = min((len(text) - len(text.lstrip(" ")) for text in inked), default=0)
    return [line if line.kind == "gap" else line._replace(text=line.text[width:]) for line in lines]
