"""The conditions of workflows (takt.md 13.3): trimmed, with when(…), and refused where a form doesn't parse."""

import re
from collections.abc import Iterator

from stepflow_gui.formats.takt.conditions_model import (
    Aggregate,
    Condition,
    ConditionFault,
    FaultKind,
    Label,
    LabelWhen,
    SubCondition,
    When,
)
from stepflow_gui.formats.takt.state_expression import ExpressionFault, parse_expression
from stepflow_gui.messages import _

_FORM = re.compile(r"(all|any|when|ai)\(")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


class _Piece:
    """A part of the condition with where it begins."""

    __slots__ = ("start", "text")

    def __init__(self, text: str, start: int) -> None:
        stripped = text.strip()
        self.start = start + (len(text) - len(text.lstrip()) if stripped else 0)
        self.text = stripped

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def inner(self, opened: int) -> "_Piece":
        """The text between the parenthesis at `opened` and the last character."""
        return _Piece(self.text[opened + 1 : -1], self.start + opened + 1)


def parse_workflow_condition(text: str) -> Condition | ConditionFault:
    """Parse a workflow's condition, or return why the loader refuses it."""
    parts = [_Piece(part, start) for part, start in _split(text, "&&")]
    if empty := next((part for part in parts if not part.text), None):
        kind: FaultKind = "empty" if len(parts) == 1 else "condition_syntax"
        return ConditionFault(kind, _("a condition is missing here"), empty.start, empty.end)
    if len(parts) > 2:
        return _fault(_("a condition may have at most one &&, before when(…)"), parts[2])
    left = _one(parts[0])
    if len(parts) == 1 or isinstance(left, ConditionFault):
        return left
    right = _one(parts[1])
    if isinstance(right, ConditionFault):
        return right
    if not isinstance(right, When):
        return _fault(_("after && only when(…) may stand"), parts[1])
    if isinstance(left, Aggregate):
        return left._replace(when=right)
    if isinstance(left, Label):
        return LabelWhen(left, right)
    return _fault(_("before && a label or all(…) or any(…) must stand"), parts[0])


def _one(part: _Piece) -> Label | When | Aggregate | ConditionFault:
    form = _FORM.match(part.text)
    if form is None:
        return Label(part.text)
    name = form[1]
    if name == "ai":
        message = _("ai(…) is no longer known: write the text itself as a label")
        return ConditionFault("ai_removed", message, part.start, part.end)
    opened = form.end() - 1
    if _closing(part.text, opened) != len(part.text) - 1:
        kind: FaultKind = "when_syntax" if name == "when" else "aggregate_format"
        message = _("{name}(…) must end with the parenthesis that closes it").format(name=name)
        return ConditionFault(kind, message, part.start, part.end)
    inner = part.inner(opened)
    return _when(inner) if name == "when" else _aggregate(name, inner)


def _when(inner: _Piece) -> When | ConditionFault:
    found = parse_expression(inner.text)
    if isinstance(found, ExpressionFault):
        return ConditionFault(found.kind, found.message, inner.start + found.start, inner.start + found.end)
    return When(inner.text, found)


def _aggregate(name: str, inner: _Piece) -> Aggregate | ConditionFault:
    pieces = [_Piece(part, inner.start + start) for part, start in _split(inner.text, ",")]
    quoted = pieces[0].text.startswith('"')
    wanted: list[SubCondition] = []
    for piece in pieces:
        argument = _argument(name, piece, quoted=quoted)
        if isinstance(argument, ConditionFault):
            return argument
        wanted.append(argument)
    return Aggregate(name == "all", tuple(wanted))


def _argument(name: str, piece: _Piece, *, quoted: bool) -> SubCondition | ConditionFault:
    text = piece.text
    if quoted:
        string = _QUOTED.fullmatch(text)
        if string is None:
            message = _("in {name}(…) each text must be in double quotes when the first is, with commas between")
            return ConditionFault("aggregate_format", message.format(name=name), piece.start, piece.end)
        text = re.sub(r"\\(.)", r"\1", string[1])
    elif text.startswith('"'):
        message = _("in {name}(…) no text may be in double quotes when the first isn't")
        return ConditionFault("aggregate_format", message.format(name=name), piece.start, piece.end)
    if not text.strip():
        message = _("an empty text in {name}(…)").format(name=name)
        return ConditionFault("aggregate_format", message, piece.start, piece.end)
    form = _FORM.match(text.lstrip())
    if form and form[1] in ("all", "any"):
        message = _("{name}(…) holds labels and when(…), not all(…) or any(…)").format(name=name)
        return ConditionFault("aggregate_format", message, piece.start, piece.end)
    found = parse_workflow_condition(text)
    if isinstance(found, ConditionFault):
        return found._replace(start=piece.start, end=piece.end)
    assert isinstance(found, Label | When | LabelWhen)
    return found


def _split(text: str, separator: str) -> Iterator[tuple[str, int]]:
    """The parts between separators that stand outside quotes and parentheses, each with its offset."""
    begun = 0
    for at in _outside(text):
        if at >= begun and text.startswith(separator, at):
            yield text[begun:at], begun
            begun = at + len(separator)
    yield text[begun:], begun


def _outside(text: str) -> Iterator[int]:
    depth = 0
    for at, sign in _unquoted(text):
        depth = max(0, depth + {"(": 1, ")": -1}.get(sign, 0))
        if depth == 0:
            yield at


def _closing(text: str, opened: int) -> int | None:
    """Where the parenthesis at `opened` is closed."""
    depth = 0
    for at, sign in _unquoted(text):
        if at < opened:
            continue
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0:
            return at
    return None


def _unquoted(text: str) -> Iterator[tuple[int, str]]:
    """The signs outside double quotes with their offsets; a quote that is never closed is a sign like others."""
    at = 0
    while at < len(text):
        string = _QUOTED.match(text, at)
        if string:
            at = string.end()
        else:
            yield at, text[at]
            at += 1


def _fault(message: str, part: _Piece) -> ConditionFault:
    return ConditionFault("condition_syntax", message, part.start, part.end)
