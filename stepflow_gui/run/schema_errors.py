"""Where an answer breaks its output schema, with messages that name what is expected instead."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from stepflow_gui.formats.schema_patterns import with_plain_keys
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.expressions.matching import compiled
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

_MOST = 100  # breaches reported of one answer
_LONGEST = 60  # characters of a value that a message quotes
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]
_UNCHECKED = "unchecked"
_ALTERNATIVES = frozenset({"anyOf", "oneOf"})


class Breach(NamedTuple):
    """One thing in an answer that its schema doesn't allow. `pointer` is of the value, or of what is missing."""

    pointer: str
    message: str
    keyword: str  # of the schema


def breaches(schema: Mapping[str, Any], answer: JsonValue, draft: str | None = None) -> tuple[Breach, ...]:
    """What of an answer breaks a schema, in the order of the answer; () where all is well.

    `draft` is the `$schema` of the file that the schema is from; None: the schema's own, else 2020-12.
    A `$ref` is followed inside the schema only; one to elsewhere is a breach of its own, nothing is fetched.
    """
    from jsonschema.exceptions import SchemaError, UnknownType
    from referencing.exceptions import Unresolvable

    declared = schema.get("$schema")
    check = _checker(declared if isinstance(declared, str) else draft or _DRAFT)
    found: list[Breach] = []
    try:
        for error in check(with_plain_keys(schema, answer)).iter_errors(answer):
            found.extend(_breaches(error))
            if len(found) >= _MOST:
                break
    except Unresolvable as problem:
        message = _("The schema refers to “{ref}”, which isn't in it, so the answer can't be checked.")
        found.append(Breach("", message.format(ref=problem.ref), "$ref"))
    except (
        SchemaError,
        UnknownType,
        RecursionError,
        TypeError,
        ValueError,
        AttributeError,
    ):  # the schema itself is none
        found.append(Breach("", _("The output schema is invalid, so the answer can't be checked."), "$schema"))
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=8)
def _checker(draft: str) -> "Callable[[Schema], Validator]":
    """What makes the checker of a schema of a draft."""
    from jsonschema import Draft202012Validator, validators
    from referencing import Registry

    known = validators.validator_for({"$schema": draft}, default=Draft202012Validator)
    extend: Any = validators.extend
    ours = extend(known, {name: check for name, check in _BOUNDED.items() if name in known.VALIDATORS})
    return partial(ours, registry=Registry(), format_checker=known.FORMAT_CHECKER)


def _pattern(_checker: object, source: object, value: object, _schema: object) -> Iterator["ValidationError"]:
    """`pattern` as JavaScript reads it; one that it refuses holds nothing back."""
    from jsonschema import ValidationError

    found = _is_in(source, value) if isinstance(value, str) else True
    if not found:
        yield ValidationError(_UNCHECKED if found is None else "pattern")


def _is_in(source: object, text: str) -> bool | None:
    expression = compiled(source) if isinstance(source, str) else None
    return True if expression is None else expression.is_in(text)


def _pattern_properties(checker: Any, patterns: object, answer: object, _schema: object) -> Iterator["ValidationError"]:
    """`patternProperties`: a key that can't be checked counts as one that the pattern doesn't mean."""
    if not isinstance(answer, Mapping) or not isinstance(patterns, Mapping):
        return
    for pattern, schema in patterns.items():
        for key, value in answer.items():
            if compiled(pattern) is not None and _is_in(pattern, key):
                yield from checker.descend(value, schema, path=key, schema_path=pattern)


def _additional_properties(checker: Any, more: object, answer: object, schema: object) -> Iterator["ValidationError"]:
    from jsonschema import ValidationError

    if not isinstance(answer, Mapping) or not isinstance(schema, Mapping):
        return
    unknown = _unknown_keys(answer, schema)
    if isinstance(more, Mapping):
        for key in unknown:
            yield from checker.descend(answer[key], more, path=key)
    elif more is False and unknown:
        yield ValidationError("additionalProperties")


_BOUNDED: Mapping[str, Callable[..., Iterator["ValidationError"]]] = {
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
}
"""What the library itself would look for by an engine whose time has no bound."""


def _breaches(error: "ValidationError") -> Iterator[Breach]:
    pointer = join("", *error.absolute_path)
    keyword = str(error.validator)
    if keyword in _ALTERNATIVES and error.context:
        yield from _closest(error, pointer)
    elif keyword == "required":
        missing = _missing(error)
        yield Breach(join(pointer, missing), _("“{key}” is required.").format(key=missing), keyword)
    elif keyword == "additionalProperties" and error.validator_value is False:
        for key in _unknown(error):
            yield Breach(join(pointer, key), _("“{key}” isn't allowed here.").format(key=key), keyword)
    else:
        yield Breach(pointer, _unchecked(error) or _message(keyword, error), keyword)


def _unchecked(error: "ValidationError") -> str | None:
    if error.message != _UNCHECKED:
        return None
    text = _("This can't be checked: the pattern {pattern} takes too many steps, or has a back-reference.")
    return text.format(pattern=error.validator_value)


def _closest(error: "ValidationError", pointer: str) -> Iterator[Breach]:
    """What is wrong with the alternative that an answer most likely means; that none fits, where that isn't clear."""
    by_alternative: dict[object, list[ValidationError]] = defaultdict(list)
    for inner in error.context or ():
        by_alternative[inner.schema_path[0]].append(inner)
    likely = sorted((errors for errors in by_alternative.values() if all(map(_is_inside, errors))), key=len)
    if likely and (len(likely) == 1 or len(likely[0]) < len(likely[1])):
        for inner in likely[0]:
            yield from _breaches(inner)
        return
    yield Breach(pointer, _("This fits none of the forms that are allowed here."), str(error.validator))


def _is_inside(error: "ValidationError") -> bool:
    """Whether an alternative may be meant: it isn't the type, nor a constant that names the kind, that is wrong."""
    depth = len(error.path)
    return not (error.validator == "type" and depth == 0) and not (error.validator in {"const", "enum"} and depth < 2)


def _missing(error: "ValidationError") -> str:
    """The key that a `required` misses; jsonschema yields an error a key and names it in its message only."""
    given = error.instance if isinstance(error.instance, Mapping) else {}
    wanted = error.validator_value if isinstance(error.validator_value, list) else []
    absent = [key for key in wanted if isinstance(key, str) and key not in given]
    return next((key for key in absent if error.message.startswith(repr(key))), absent[0] if absent else "")


def _unknown(error: "ValidationError") -> list[str]:
    given = error.instance if isinstance(error.instance, Mapping) else {}
    return _unknown_keys(given, error.schema if isinstance(error.schema, Mapping) else {})


def _unknown_keys(answer: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    known = schema.get("properties")
    patterns = [compiled(each) for each in schema.get("patternProperties") or () if isinstance(each, str)]
    names = known if isinstance(known, Mapping) else {}
    return [key for key in answer if key not in names and not any(each and each.is_in(key) for each in patterns)]


def _message(keyword: str, error: "ValidationError") -> str:
    wanted = error.validator_value
    match keyword:
        case "type":
            return _("This must be {type}.").format(type=kinds_in_words(wanted))
        case "enum":
            listed = ", ".join(_short(each) for each in wanted) if isinstance(wanted, list) else ""
            return _("This must be one of: {values}.").format(values=listed)
        case "const":
            return _("This must be {value}.").format(value=_short(wanted))
        case "pattern":
            return _("This must match the pattern {pattern}.").format(pattern=wanted)
        case "format":
            return _("This must be of the format “{format}”.").format(format=wanted)
        case "oneOf":
            return _("This fits more than one of the forms that are allowed here; it may fit one only.")
        case "not":
            return _("This is what isn't allowed here.")
        case "uniqueItems":
            return _("No two items may be the same.")
        case "multipleOf":
            return _("This must be a multiple of {number}.").format(number=wanted)
    limit = _limit(keyword, wanted)
    return limit or _("This breaks “{keyword}” of the schema: {value}.").format(keyword=keyword, value=_short(wanted))


def _limit(keyword: str, wanted: object) -> str | None:
    count = wanted if isinstance(wanted, int) else 0
    match keyword:
        case "minimum":
            return _("This must be at least {number}.").format(number=wanted)
        case "maximum":
            return _("This must be at most {number}.").format(number=wanted)
        case "exclusiveMinimum":
            return _("This must be more than {number}.").format(number=wanted)
        case "exclusiveMaximum":
            return _("This must be less than {number}.").format(number=wanted)
        case "minLength":
            text = ngettext("This needs at least {count} character.", "This needs at least {count} characters.", count)
        case "maxLength":
            text = ngettext(
                "This may have {count} character at most.", "This may have {count} characters at most.", count
            )
        case "minItems":
            text = ngettext("This needs at least {count} item.", "This needs at least {count} items.", count)
        case "maxItems":
            text = ngettext("This may have {count} item at most.", "This may have {count} items at most.", count)
        case "minProperties":
            text = ngettext("This needs at least {count} entry.", "This needs at least {count} entries.", count)
        case "maxProperties":
            text = ngettext("This may have {count} entry at most.", "This may have {count} entries at most.", count)
        case _:
            return None
    return text.format(count=count)


def kinds_in_words(types: object) -> str:
    """JSON types as a person reads them: “a text or null”."""
    words = {
        "string": _("a string"),
        "integer": _("a whole number"),
        "number": _("a number"),
        "boolean": _("true or false"),
        "array": _("a list"),
        "object": _("an object"),
        "null": _("null"),
    }
    listed = types if isinstance(types, list) else [types]
    return _(" or ").join(words.get(str(each), str(each)) for each in listed)


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
