"""What a scalar of a YAML 1.2 text means: plain ones by the core schema, all others as text."""

import re

from stepflow_gui.text.json.tree import JsonValue

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEAN = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"([-+]?)\.(?:inf|Inf|INF)")
_NAN = frozenset({".nan", ".NaN", ".NAN"})
_LONGEST = 4000  # digits: a longer number is read as text
_STARTS = frozenset("-+.0123456789~nNtTfF")  # of what can be anything but text


def plain_value(text: str) -> JsonValue:
    """What a scalar without quotes means. `yes`, `on` and dates are texts in YAML 1.2."""
    if text[:1] not in _STARTS and text:
        return text
    if text in _NULL:
        return None
    if text in _BOOLEAN:
        return _BOOLEAN[text]
    if len(text) > _LONGEST:
        return text
    if _INTEGER.fullmatch(text):
        return int(text, 0) if text[:2] in {"0o", "0x"} else int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    infinite = _INFINITE.fullmatch(text)
    if infinite:
        return float(f"{infinite[1]}inf")
    return float("nan") if text in _NAN else text


def tagged_value(text: str, tag: str) -> JsonValue:
    """What a scalar with a tag means: the tags of the core schema count, any other leaves the text."""
    value = plain_value(text)
    match tag.rpartition(":")[2]:
        case "null":
            fits = value is None
        case "bool":
            fits = isinstance(value, bool)
        case "int":
            fits = isinstance(value, int) and not isinstance(value, bool)
        case "float":
            fits = isinstance(value, int | float) and not isinstance(value, bool)
        case _:
            fits = False
    return value if fits else text
