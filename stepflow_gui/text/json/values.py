"""JSON values compared, and as conditions of JavaScript, which climpt is written in, read them."""

from math import isnan

from stepflow_gui.text.json.tree import JsonValue, kind_of


def same_values(a: JsonValue, b: JsonValue) -> bool:
    """Whether two values are equal, whatever the order of the keys of objects. Unlike in Python, true is not 1.

    Iterative: any depth.
    """
    stack = [(a, b)]
    while stack:
        one, other = stack.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                return False
            stack += [(value, other[key]) for key, value in one.items()]
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            stack += zip(one, other, strict=True)
        elif not equal_leaves(one, other):
            return False
    return True


def identical(a: JsonValue, b: JsonValue) -> bool:
    """Whether two values are the same, the order of keys and the kinds of numbers included. Iterative: any depth."""
    stack = [(a, b)]
    while stack:
        one, other = stack.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, dict):
            if list(one) != list(other):
                return False
            stack += zip(one.values(), other.values(), strict=True)
        elif isinstance(one, list):
            if len(one) != len(other):
                return False
            stack += zip(one, other, strict=True)
        elif one != other and not (isinstance(one, float) and isnan(one) and isnan(other)):
            return False
    return True


def equal_leaves(a: JsonValue, b: JsonValue) -> bool:
    """Whether two values are the same text, number, truth or null; objects and arrays never are here."""
    return kind_of(a) == kind_of(b) and not isinstance(a, dict | list) and bool(a == b)


def is_true(value: object) -> bool:
    """Whether JavaScript counts a value as true in a condition: objects and lists too, empty ones included."""
    return bool(value) or isinstance(value, dict | list)
