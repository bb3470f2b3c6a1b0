"""A JSON text with each member and element on a line of its own: nothing but its white space changes."""

import re

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s"{}\[\],:]+')


def in_lines(text: str, unit: str = "  ") -> str:
    """The text broken into lines, indented by `unit` a level. For JSON that is valid."""
    parts: list[str] = []
    depth = 0
    opened = False  # the last sign was an opening bracket
    for match in _TOKEN.finditer(text):
        token = match.group()
        closes = token in "]}"
        depth -= closes
        if (opened and not closes) or (closes and not opened):
            parts.append("\n" + unit * depth)
        parts.append(token)
        opened = token in "[{"
        depth += opened
        if token == ",":
            parts.append("\n" + unit * depth)
        elif token == ":":
            parts.append(" ")
    return "".join(parts) + "\n"
