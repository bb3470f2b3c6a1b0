"""The expression inside when(…) of a workflow: its grammar and its tree (takt.md 13.3).

`||` of `&&` of clauses; a clause is true, false, a boolean reference, a comparison, contains(list, value) or
exists(list, item.field == value && …).
"""

import json
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from stepflow_gui.messages import _

Operator = Literal["==", "!=", "<", "<=", ">", ">="]
ORDERING: frozenset[str] = frozenset({"<", "<=", ">", ">="})
SCOPES = ("context", "structured", "effect")
_FIELDS_BEFORE = {
    "context": 1,
    "structured": 1,
    "effect": 2,
    "companion": 1,
    "findings": 0,
    "item": 0,
}  # words between scope and field
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*")
    |(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
    |(?P<name>[^\W\d][\w-]*(?:\.[^\W\d][\w-]*|\[\d+\])*)
    |(?P<sign>\|\||&&|==|!=|<=|>=|<|>|\(|\)|,))""",
    re.VERBOSE,
)
_PART = re.compile(r"[^\W\d][\w-]*|\[(\d+)\]")


class StateReference(NamedTuple):
    """A place in the state: names and list indexes from the scope on."""

    text: str
    path: tuple[str | int, ...]


class Constant(NamedTuple):
    """A text, number, true, false or null."""

    value: str | int | float | bool | None


class Truth(NamedTuple):
    """`true`, `false` or a reference to a boolean."""

    of: Constant | StateReference


class ComparisonExpression(NamedTuple):
    """Two values with a sign between them."""

    left: StateReference
    operator: Operator
    right: Constant | StateReference


class Contains(NamedTuple):
    """Whether a list holds a value."""

    items: StateReference
    value: Constant | StateReference


class Exists(NamedTuple):
    """Whether a list has an item of which all of the clauses hold."""

    items: StateReference
    clauses: tuple["ComparisonExpression | Contains", ...]


class Unreadable(NamedTuple):
    """Text that is not a clause: releases that don't look at it before a run end the run there."""

    text: str
    message: str


Clause = Truth | ComparisonExpression | Contains | Exists | Unreadable


class Expression(NamedTuple):
    """Alternatives, each of clauses that must all hold."""

    alternatives: tuple[tuple[Clause, ...], ...]


class ExpressionFault(NamedTuple):
    """Why an expression is refused; `start` and `end` are offsets into it."""

    kind: Literal["when_syntax", "when_reference", "companion_reference"]
    message: str
    start: int
    end: int


class _RefusedError(Exception):
    def __init__(self, fault: ExpressionFault) -> None:
        self.fault = fault


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def parse_expression(text: str, scopes: tuple[str, ...] = SCOPES) -> Expression | ExpressionFault:
    """The tree of an expression, or the first fault in it. `scopes`: what references may begin with."""
    try:
        return _Parser(text, scopes).whole()
    except _RefusedError as refused:
        return refused.fault


class _Parser:
    def __init__(self, text: str, scopes: tuple[str, ...]) -> None:
        self._scopes = scopes
        self._end = len(text)
        self._tokens = list(_tokens(text))
        self._at = 0

    def whole(self) -> Expression:
        alternatives = [self._all()]
        while self._take("||"):
            alternatives.append(self._all())
        if rest := self._peek():
            raise _syntax(_("“{text}” isn't expected here").format(text=rest.text), rest.start, rest.end)
        return Expression(tuple(alternatives))

    def _all(self) -> tuple[Clause, ...]:
        clauses = [self._clause()]
        while self._take("&&"):
            clauses.append(self._clause())
        return tuple(clauses)

    def _clause(self) -> Clause:
        token = self._next()
        if token.kind == "name" and (following := self._peek()) and following.text == "(":
            return self._call(token)
        left = self._operand(token)
        sign = self._peek()
        if sign and sign.text in _SIGNS:
            return self._comparison(left, token, within_item=False)
        return self._truth(left, token)

    def _truth(self, found: Constant | StateReference, token: _Token) -> Truth:
        if isinstance(found, Constant):
            if not isinstance(found.value, bool):
                raise _syntax(_("“{text}” is neither true nor false").format(text=token.text), token.start, token.end)
            return Truth(found)
        _must_name_field(found, token)
        return Truth(found)

    def _comparison(self, left: Constant | StateReference, token: _Token, *, within_item: bool) -> ComparisonExpression:
        sign = self._next()
        if not isinstance(left, StateReference):
            raise _syntax(_("a comparison begins with a reference"), token.start, token.end)
        if within_item and sign.text != "==":
            raise _syntax(_("only == and contains() are known inside exists()"), sign.start, sign.end)
        at = self._next()
        right = self._operand(at)
        if sign.text in ORDERING and isinstance(right, Constant) and not _is_number(right.value):
            message = _("“{sign}” needs a number, not {text}").format(sign=sign.text, text=at.text)
            raise _syntax(message, at.start, at.end)
        return ComparisonExpression(left, _SIGNS[sign.text], right)

    def _call(self, name: _Token) -> Contains | Exists:
        if name.text == "contains":
            return self._contains()
        if name.text == "exists":
            return self._exists()
        message = _("“{name}” is not a function: only contains() and exists() are known").format(name=name.text)
        raise _syntax(message, name.start, name.end)

    def _contains(self) -> Contains:
        self._expect("(")
        items = self._list()
        self._expect(",")
        value = self._operand(self._next())
        self._expect(")")
        return Contains(items, value)

    def _exists(self) -> Exists:
        self._expect("(")
        items = self._list()
        self._expect(",")
        clauses = [self._about_item()]
        while self._take("&&"):
            clauses.append(self._about_item())
        self._expect(")")
        return Exists(items, tuple(clauses))

    def _about_item(self) -> ComparisonExpression | Contains:
        token = self._next()
        if token.text == "contains":
            return self._contains()
        return self._comparison(self._operand(token), token, within_item=True)

    def _list(self) -> StateReference:
        token = self._next()
        found = self._operand(token)
        if not isinstance(found, StateReference):
            raise _syntax(_("“{text}” is not a reference to a list").format(text=token.text), token.start, token.end)
        _must_name_field(found, token)
        return found

    def _operand(self, token: _Token) -> Constant | StateReference:
        if token.kind == "text":
            try:
                return Constant(json.loads(token.text))
            except ValueError:
                message = _("{text} isn't a text in double quotes").format(text=token.text)
                raise _syntax(message, token.start, token.end) from None
        if token.kind == "number":
            return Constant(json.loads(token.text) if _is_json(token.text) else float(token.text))
        if token.kind == "name":
            return Constant(_WORDS[token.text]) if token.text in _WORDS else _reference(token, self._scopes)
        raise _syntax(_("“{text}” isn't expected here").format(text=token.text), token.start, token.end)

    def _peek(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _next(self) -> _Token:
        token = self._peek()
        if token is None:
            raise _syntax(_("the expression ends too early"), self._end, self._end)
        self._at += 1
        return token

    def _take(self, sign: str) -> bool:
        token = self._peek()
        if token is None or token.text != sign:
            return False
        self._at += 1
        return True

    def _expect(self, sign: str) -> None:
        token = self._next()
        if token.text != sign:
            message = _("“{sign}” is expected instead of “{text}”").format(sign=sign, text=token.text)
            raise _syntax(message, token.start, token.end)


_SIGNS: dict[str, Operator] = {"==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_WORDS = {"true": True, "false": False, "null": None}


def _tokens(text: str) -> Iterator[_Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None:
            unread = text[at:end].lstrip()
            raise _syntax(_("“{text}” can't be read").format(text=unread.split()[0]), end - len(unread), end)
        kind = found.lastgroup or ""
        yield _Token(kind, found[kind], found.start(kind), found.end(kind))
        at = found.end()


def _reference(token: _Token, scopes: tuple[str, ...]) -> StateReference:
    path = tuple(int(part[1]) if part[1] else part[0] for part in _PART.finditer(token.text))
    scope = path[0]
    if scope == "companion":
        message = _("rules can't refer to companions: {text}").format(text=token.text)
        raise _RefusedError(ExpressionFault("companion_reference", message, token.start, token.end))
    if scope != "item" and scope not in scopes:
        message = _("“{text}” refers to nothing: a reference begins with context, structured or effect")
        raise _reference_fault(message.format(text=token.text), token)
    if len(path) < 2 or (scope == "effect" and len(path) <= _FIELDS_BEFORE["effect"] + 1):
        raise _reference_fault(_("“{text}” names no field").format(text=token.text), token)
    return StateReference(token.text, path)


def _must_name_field(found: StateReference, token: _Token) -> None:
    if len(found.path) <= _FIELDS_BEFORE[str(found.path[0])] + 1:
        raise _reference_fault(_("“{text}” names no field").format(text=found.text), token)


def _reference_fault(message: str, token: _Token) -> _RefusedError:
    return _RefusedError(ExpressionFault("when_reference", message, token.start, token.end))


def _syntax(message: str, start: int, end: int) -> _RefusedError:
    return _RefusedError(ExpressionFault("when_syntax", message, start, end))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_json(text: str) -> bool:
    return not re.match(r"-?0\d", text)
