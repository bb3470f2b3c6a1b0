"""What a workflow may return to one that calls it, and where a file says so that can't (takt.md 13.2)."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from stepflow_gui.formats.takt.eras import ENDS, TaktEra
from stepflow_gui.formats.takt.releases.notes import Path
from stepflow_gui.formats.takt.releases.sets import since
from stepflow_gui.formats.takt.step_kinds import each_step
from stepflow_gui.text.json.tree import JsonValue

Reason = Literal["in-a-sub", "beside-next", "not-callable", "is-an-end", "not-listed", "of-callable", "end-listed"]

RETURNING, RETURNING_TO_SUBS = since("0.37.0"), since("0.51.0")
"""The releases that read results, and those in which a sub-step calls a workflow."""
_OF_CALLABLE = ("visibility", "returns", "params")


class MisplacedResult(NamedTuple):
    """A `return`, or what a file says of itself as a called one, that isn't allowed at its place."""

    path: Path
    reason: Reason


def is_callable(root: JsonValue) -> bool:
    """Whether other workflows may call this one."""
    head = root.get("subworkflow") if isinstance(root, dict) else None
    return isinstance(head, dict) and head.get("callable") is True


def results_listed(root: JsonValue) -> list[str]:
    """What a workflow returns besides the ends."""
    head = root.get("subworkflow") if isinstance(root, dict) else None
    listed = head.get("returns") if isinstance(head, dict) else None
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []


def misplaced_results(root: JsonValue, era: TaktEra) -> Iterator[MisplacedResult]:
    """All of them in a file."""
    if not isinstance(root, dict):
        return
    head, callable_file = root.get("subworkflow"), is_callable(root)
    if isinstance(head, dict):
        yield from _of_head(head, callable_file=callable_file)
    listed = set(results_listed(root))
    for path, step, is_sub in each_step(root, era):
        for where, value, leads in _returned(step, path):
            if is_sub or leads:
                yield MisplacedResult(where, "in-a-sub" if is_sub else "beside-next")
            elif not callable_file:
                yield MisplacedResult(where, "not-callable")
            elif value in ENDS or value not in listed:
                yield MisplacedResult(where, "is-an-end" if value in ENDS else "not-listed")


def _of_head(head: dict[str, JsonValue], *, callable_file: bool) -> Iterator[MisplacedResult]:
    """What the file says of itself as a called one."""
    if not callable_file:
        yield from (MisplacedResult(("subworkflow", key), "of-callable") for key in _OF_CALLABLE if key in head)
        return
    for index, result in enumerate(_list(head.get("returns"))):
        if isinstance(result, str) and result in ENDS:
            yield MisplacedResult(("subworkflow", "returns", index), "end-listed")


def _returned(step: dict[str, JsonValue], path: Path) -> Iterator[tuple[Path, str, bool]]:
    """The results in the rules of a step, and whether `next` is beside them; with a fragment, of its own ones alone."""
    rules, where = step.get("rules"), (*path, "rules")
    if isinstance(rules, dict):
        rules, where = rules.get("self"), (*where, "self")
    for at, rule in enumerate(_list(rules)):
        value = rule.get("return") if isinstance(rule, dict) else None
        if isinstance(rule, dict) and isinstance(value, str):
            yield (*where, at, "return"), value, "next" in rule


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
