"""SF003 encoding.

What it does: reports files that aren't UTF-8, prompts among them, a byte order mark, and escapes of characters that no
text can hold: NUL and halves of surrogate pairs.

Why is this bad: climpt reads UTF-8 only, and a byte order mark makes its JSON reader refuse the file. NUL cuts texts
off in other programs, and a lone surrogate becomes “�” as soon as it is written anywhere.

Fix: save the file as UTF-8 without a byte order mark; write the character that was meant.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.lint.diagnostic import Diagnostic, Range
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Position, Span

RULE = Rule("SF003", "encoding", WARNING, looks_at=DOCUMENT)

BAD = changed({"/steps/initial.issue/name": "Understand\0"})
GOOD = changed()

_WIDE = {"x0x0": "UTF-16", "0x0x": "UTF-16", "x000": "UTF-32", "000x": "UTF-32"}  # where NULs stand at the start
_MARKS_32 = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_MARKS_16 = (b"\xff\xfe", b"\xfe\xff")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)


def check(document: ParsedFile, _context: RuleContext) -> Iterator[Finding]:
    """Look at the mark and the escapes."""
    source = document.source
    encoding = wide(source.text)
    if encoding:
        text = _wide_text().format(encoding=encoding)
        yield Finding(text, Span(0, 1), "", document=document, severity=ERROR)
        return
    if document.is_yaml:
        return  # whose readers take a mark, and in which most escapes are plain text
    if source.bom:
        yield Finding(
            _("The file begins with a byte order mark, which JSON readers refuse: save it as UTF-8 without one"),
            Span(0, min(1, len(source.text))),
            "",
            document=document,
            proposals=[Proposal(_("Save without the byte order mark"), (), True, [document])],
        )
    if "\\u" not in source.text:
        return
    behind = -1  # the end of the value that was reported last: one finding is enough for each
    for start, end, code in _odd_escapes(source.text):
        if start < behind:
            continue
        pointer = document.tree.pointer_at(start)
        node = document.tree.at(pointer)
        behind = node.end if node is not None and node.start <= start else end
        yield Finding(
            _("\\u{code} stands for half a character: the other half is missing").format(code=code)
            if code != "0000"
            else _("\\u0000 stands for NUL, which cuts the text off in other programs"),
            Span(start, end),
            pointer,
            document=document,
        )


def _odd_escapes(text: str) -> Iterator[tuple[int, int, str]]:
    """NUL and lone surrogates, as start, end and hex digits."""
    high: tuple[int, int, str] | None = None
    for escape in _ESCAPE.finditer(text):
        code = int(escape[1], 16) if escape[1] else -1
        if high:
            if 0xDC00 <= code <= 0xDFFF and escape.start() == high[1]:
                high = None
                continue
            yield high
            high = None
        if 0xD800 <= code <= 0xDBFF:
            high = (escape.start(), escape.end(), escape[1])
        elif code == 0 or 0xDC00 <= code <= 0xDFFF:
            yield escape.start(), escape.end(), escape[1]
    if high:
        yield high


def not_utf8(problem: ReadProblem, format_id: str | None = None) -> Diagnostic:
    """The diagnostic of a file whose bytes are not UTF-8, at the first of them."""
    at = _position(problem.path, int(problem.detail))
    severity, message = ERROR, _message(problem.path)
    if problem.path.suffix == ".md":
        severity = WARNING
        message = _("The prompt isn't UTF-8 from here on: the model is shown “�” for invalid bytes. Save it as UTF-8")
    return Diagnostic(RULE.code, RULE.name, severity, message, problem.path, format_id, None, None, Range(at, at))


def wide(text: str) -> str | None:
    """The encoding of a file without a mark that gives each character more than a byte, which UTF-8 takes for NULs."""
    return _WIDE.get("".join("0" if char == "\0" else "x" for char in text[:4]))


def _message(path: Path) -> str:
    start = _start(path)
    for encoding, marks in (("UTF-32", _MARKS_32), ("UTF-16", _MARKS_16)):
        if start.startswith(marks):
            return _wide_text().format(encoding=encoding)
    return _("The file isn't UTF-8 from here on: the runner can't read it. Save it as UTF-8")


def _wide_text() -> str:
    return _("The file is {encoding}: the runner can't read it. Save it as UTF-8")


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(4)
    except OSError:  # gone since it was read
        return b""


def _position(path: Path, offset: int) -> Position:
    try:
        with path.open("rb") as file:
            before = file.read(offset).decode("utf-8", "replace").removeprefix("\ufeff")
    except OSError:  # gone since it was read
        before = ""
    return Position(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1, len(before))
