"""Which files an export may write over: those that an export has made."""

from pathlib import Path

from stepflow_gui.export import dot, html_report, mermaid, outline_text, svg

_HEAD = 65_536  # bytes in which the mark stands
_MARKS = (
    *(module.MARK.encode("ascii") for module in (svg, mermaid, dot, html_report, outline_text)),
    b'"stepflow-flow": ',
    b"Software\0Stepflow",
    b"/Creator (" + b"\xfe\xff" + "Stepflow".encode("utf-16-be"),
)


def is_own(path: Path) -> bool:
    """Whether a file is empty or was made by an export. Raises OSError where it can't be read."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return not head or any(mark in head for mark in _MARKS)
