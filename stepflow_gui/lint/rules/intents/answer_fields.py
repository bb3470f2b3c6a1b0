"""The fields of an answer, as gates name them: dotted paths, and what an output schema says of them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.formats.schema_keywords import is_closed, properties, types
from stepflow_gui.lint.rules.prelude import RuleContext, Step

_DEEPEST = 6  # levels of an answer that suggestions come from


def readable_schema(step: Step, context: RuleContext) -> StepSchema | None:
    """The step's output schema; None where there is none, or where it can't be read in full (SF701 to SF707)."""
    if step.schema_ref is None:
        return None
    schema = context.schema(step)
    return None if schema.place is None or schema.faults else schema


def path_of_pointer(pointer: str) -> str | None:
    """The path in an answer of what a pointer names in its schema; None if that isn't a path through properties."""
    keys = pointer.removeprefix("#/").split("/")
    if not pointer.startswith("#/") or len(keys) % 2 or set(keys[::2]) != {"properties"}:
        return None
    return ".".join(keys[1::2])


def pointer_of_path(path: str) -> str:
    """The pointer in a schema of what a path names in the answer."""
    return "#/" + "/".join(f"properties/{key}" for key in path.split("."))


def declares(schema: dict[str, Any], path: str) -> bool | None:
    """Whether a schema, as the runner sends it, declares the field of an answer that a path names.

    None where it may or may not be there: the schema takes other keys as well, or has several shapes.
    """
    at: Any = schema
    for key in path.split("."):
        if not isinstance(at, dict):
            return None
        known = properties(at)
        if key in known:
            at = known[key]
        elif key.isdecimal() and "items" in at:
            at = at["items"]
        else:
            return None if _is_open(at, key) else False
    return True


def known_paths(schema: dict[str, Any], prefix: str = "", depth: int = 0) -> Iterator[str]:
    """The paths that a schema declares."""
    for key, inner in properties(schema).items() if depth <= _DEEPEST else ():
        yield prefix + key
        if isinstance(inner, dict):
            yield from known_paths(inner, f"{prefix}{key}.", depth + 1)


def path_meant(schema: dict[str, Any], path: str, nearest: Callable[[str, Iterable[str]], str | None]) -> str | None:
    """The path that was most likely meant: a similar key where the path ends, else the same key elsewhere."""
    at, done = schema, ""
    for key in path.split("."):
        known = properties(at)
        if key not in known:
            like = nearest(key, known)
            if like:
                return done + like + path[len(done + key) :]
            break
        at, done = known[key], f"{done}{key}."
        if not isinstance(at, dict):
            break
    last = path.rpartition(".")[2]
    same = [each for each in known_paths(schema) if each.rpartition(".")[2] == last]
    return same[0] if len(same) == 1 else None


def _is_open(schema: dict[str, Any], key: str) -> bool:
    kinds = types(schema)
    if len(kinds) == 1 and kinds[0] not in {"object", "array"}:
        return False
    if kinds == ["array"]:
        return key == "length" or (key.isdecimal() and "prefixItems" in schema)
    return not is_closed(schema)
