"""How JavaScript reads JSON values: dotted paths and conversion to text (runtime-semantics 1 and 5)."""

from functools import lru_cache
from typing import Final

from stepflow_gui.text.json.tree import JsonValue


class Absent:
    """The type of `ABSENT`: what JavaScript calls undefined, as against null, which is None."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = Absent()
_EXACT = 2**53  # whole numbers up to here are exact in JavaScript
_COMMA = ()  # no JSON value is a tuple
_BLANK = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f"
    "\u3000\ufeff"
)


def trimmed(text: str) -> str:
    """The text without what JavaScript takes for blanks at its ends."""
    return text.strip(_BLANK)


def value_at(value: JsonValue, path: str) -> JsonValue:
    """The value at a dotted path, ABSENT where a link is missing. Keys with a dot can't be reached."""
    for key in _keys(path):
        if isinstance(value, dict):
            value = value.get(key, ABSENT)
        elif isinstance(value, list):
            value = _element(value, key)
        else:
            return ABSENT
    return value


@lru_cache(maxsize=4096)  # the paths of gates, which each answer is read by
def _keys(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def _element(items: list[JsonValue], key: str) -> JsonValue:
    if key == "length":
        return len(items)
    index = index_of(key)
    return items[index] if index is not None and index < len(items) else ABSENT


def index_of(key: str) -> int | None:
    """The position in an array that a path's key means; None where it is a name."""
    if not (key.isascii() and key.isdigit()) or len(key) > 15 or (key[0] == "0" and key != "0"):
        return None
    return int(key)


def text_of(value: JsonValue) -> str:
    """A JSON value as `String(value)` gives it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _joined(value)
    if isinstance(value, dict):
        return "[object Object]"
    if value is None:
        return "null"
    if value is ABSENT:
        return "undefined"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _number(value)


def _joined(items: list[JsonValue]) -> str:
    # Lists inside lists print flat and null prints as nothing. No recursion: an answer may be nested deeply.
    pieces: list[str] = []
    rest: list[JsonValue] = [items]
    while rest:
        value = rest.pop()
        if value is _COMMA:
            pieces.append(",")
        elif isinstance(value, list):
            for index in range(len(value) - 1, -1, -1):
                rest.append(value[index])
                if index:
                    rest.append(_COMMA)
        elif value is not None:
            pieces.append(text_of(value))
    return "".join(pieces)


def _number(number: float) -> str:
    if isinstance(number, int) and abs(number) <= _EXACT:
        return str(number)
    try:
        number = float(number)
    except OverflowError:
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    if number in (float("inf"), float("-inf")):
        return "Infinity" if number > 0 else "-Infinity"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    all_digits = whole + fraction
    point = len(whole) + int(exponent or 0)  # digits before the decimal point
    point -= len(all_digits) - len(all_digits.lstrip("0"))
    return sign + _placed(all_digits.strip("0"), point)


def _placed(digits: str, point: int) -> str:
    """Significant digits with the decimal point after the first `point` of them, in JavaScript's notation."""
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{tail}e{'+' if point > 0 else '-'}{abs(point - 1)}"
