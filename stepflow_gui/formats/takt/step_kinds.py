"""The kinds of steps that workflows have, and which fields each may hold (takt.md 13.2, 15). Pieces know no kinds."""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from stepflow_gui.formats.takt.eras import TaktEra
from stepflow_gui.text.json.tree import JsonValue

Path = tuple[str | int, ...]
Reason = Literal[
    "call-is-missing",
    "kind-and-mode",
    "one-of-these",
    "only-calls",
    "only-system",
    "only-agents",
    "not-with-these",
    "not-in-system",
    "not-in-calls",
    "not-in-subs",
    "model-is-missing",
    "routing-is-missing",
    "two-values",
]

AGENT, SYSTEM, CALL = "agent", "system", "workflow_call"
KINDS = (AGENT, SYSTEM, CALL)
STEP_KINDS = ("parallel", "arpeggio", "team_leader")  # how an agent's step may be divided: one of them at most

_DIVIDED = ("parallel", "arpeggio")
_ONLY_CALLS = ("call", "args", "vars")
_ONLY_SYSTEM = ("system_inputs", "effects")
# Of agents only, and of them only where none of these keys is beside it.
_ONLY_AGENTS: Mapping[str, tuple[str, ...]] = {
    "session": STEP_KINDS,
    "session_key": ("parallel",),
    "requires_user_input": ("parallel",),
    "promotion": STEP_KINDS,
    "companion": _DIVIDED,
    "dynamic_facets": _DIVIDED,
    "completion_retry": STEP_KINDS,
    "capabilities": (),
    "mcp": (),
}
_OF_AGENTS = (
    *("persona", "persona_name", "policy", "knowledge", "allow_git_commit", "mcp_servers"),
    *("required_permission_mode", "edit", "instruction", "structured_output", "output_contracts", "quality_gates"),
)
_NOT_IN: Mapping[str, tuple[Reason, tuple[str, ...]]] = {
    SYSTEM: ("not-in-system", (*STEP_KINDS, *_OF_AGENTS)),
    CALL: (
        "not-in-calls",
        (*STEP_KINDS, *_OF_AGENTS, "tags", "delay_before_ms", "concurrency", "pass_previous_response"),
    ),
}
_NOT_IN_SUBS = (
    *("kind", "mode", "promotion", "companion", "requires_user_input", "delay_before_ms", "structured_output"),
    *("system_inputs", "effects", "concurrency", "arpeggio", "team_leader"),
)


class Misplaced(NamedTuple):
    """A field that isn't allowed at its place, or `call`, which is missing; `beside` are those it can't be with."""

    path: Path
    reason: Reason
    field: str
    beside: tuple[str, ...] = ()


def kind_of(step: Mapping[str, JsonValue]) -> str:
    """The kind of a step by its own fields."""
    kind = step.get("kind")
    if isinstance(kind, str) and kind in KINDS:
        return kind
    if step.get("mode") == SYSTEM:
        return SYSTEM
    return CALL if step.get("call") else AGENT


def misplaced(root: JsonValue, era: TaktEra) -> Iterator[Misplaced]:
    """Every field that the loader refuses at its place. The kind of a step with `uses` depends on its fragment."""
    for path, step, is_sub in each_step(root, era):
        if "uses" not in step:
            yield from _in_sub(step, path) if is_sub else _in_step(step, path)


def each_step(root: JsonValue, era: TaktEra) -> Iterator[tuple[Path, dict[str, JsonValue], bool]]:
    """The objects that are steps, each followed by its sub-steps, with their places; True for a sub-step."""
    steps = root.get(era.steps) if isinstance(root, dict) else None
    for index, step in enumerate(steps if isinstance(steps, list) else ()):
        if not isinstance(step, dict):
            continue
        path: Path = (era.steps, index)
        yield path, step, False
        parallel = step.get("parallel")
        lists = [((*path, "parallel"), parallel)]
        if isinstance(parallel, dict):
            lists = [((*path, "parallel", key), parallel.get(key)) for key in ("fixed", "pool")]
        for where, subs in lists:
            for at, sub in enumerate(subs if isinstance(subs, list) else ()):
                if isinstance(sub, dict):
                    yield (*where, at), sub, True


def _in_step(step: dict[str, JsonValue], path: Path) -> Iterator[Misplaced]:
    kind = kind_of(step)
    if "kind" in step and "mode" in step:
        yield Misplaced((*path, "mode"), "kind-and-mode", "mode", ("kind",))
    if kind == CALL and "call" not in step:
        yield Misplaced((*path, "call"), "call-is-missing", "call")
    kinds = tuple(each for each in STEP_KINDS if each in step)
    if len(kinds) > 1 and kind == AGENT:
        yield Misplaced((*path, kinds[0]), "one-of-these", kinds[0], kinds[1:])
    reason, refused = _NOT_IN.get(kind, ("not-in-system", ()))
    for field in step:
        if field in refused:
            yield Misplaced((*path, field), reason, field)
        elif field in _ONLY_CALLS and kind != CALL:
            yield Misplaced((*path, field), "only-calls", field)
        elif field in _ONLY_SYSTEM and kind != SYSTEM:
            yield Misplaced((*path, field), "only-system", field)
        elif field in _ONLY_AGENTS:
            if kind != AGENT:
                yield Misplaced((*path, field), "only-agents", field)
            elif beside := tuple(each for each in kinds if each in _ONLY_AGENTS[field]):
                yield Misplaced((*path, field), "not-with-these", field, beside)


def _in_sub(sub: dict[str, JsonValue], path: Path) -> Iterator[Misplaced]:
    if sub.get("call"):
        _reason, refused = _NOT_IN[CALL]
        for field in sub:
            if field in refused or field in _ONLY_SYSTEM or field in _ONLY_AGENTS:
                yield Misplaced((*path, field), "not-in-calls", field)
        return
    for field in sub:
        if field in _NOT_IN_SUBS:
            yield Misplaced((*path, field), "not-in-subs", field)
        elif field in _ONLY_CALLS:
            yield Misplaced((*path, field), "only-calls", field)
