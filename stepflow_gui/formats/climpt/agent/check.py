"""What the runner objects to in an agent.json, era by era (runtime-semantics 17).

Three checks on plain values: `check_raw` of the file as it stands, `check_schema` as its JSON Schema has it, and
`check_complete` of the file with its defaults. An editor's questions (does the path exist, …) are rules of the linter.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeGuard

from stepflow_gui.formats.climpt.agent.defaults import filled_fields, with_defaults
from stepflow_gui.formats.climpt.agent.fields import ABOUT, AGENT, VERDICTS
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.fields import Field, field_at
from stepflow_gui.formats.shape_check import Misfit, misfits
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, parent
from stepflow_gui.text.source import Span

Kind = Literal[
    "not_an_object",
    "missing_field",
    "legacy_format",
    "name_type",
    "name_format",
    "version_type",
    "version_format",
    "verdict_type_invalid",
    "verdict_config_required",
    "verdict_config_not_positive",
    "type",
    "enum",
    "required",
    "param_missing_cli",
    "param_cli_prefix",
    "param_missing_type",
    "param_default_type",
    "param_duplicate_cli",
    "unknown_top_level",
    "param_missing_description",
    "param_required_with_default",
]
_WARNINGS = {"unknown_top_level", "param_missing_description", "param_required_with_default"}

_KNOWN_ASIDE = ("runner", "labels")  # top-level keys that are not mistake, besides those of `ABOUT`
_FLAT_MARKS = ("behavior", "prompts", "logging")
_LOOKED_AT = (
    "/runner/boundaries/permissionMode",
    "/runner/flow/prompts/registry",
    "/runner/flow/prompts/fallbackDir",
    "/runner/logging/format",
    "/runner/logging/directory",
)
_JAVASCRIPT_TYPES = {str: "string", bool: "boolean", int: "number", float: "number"}


class AgentProblem(NamedTuple):
    """What is wrong and the keys on the path to it. `detail` is what a message needs besides."""

    kind: Kind
    path: tuple[str | int, ...] = ()
    detail: Mapping[str, JsonValue] = {}

    @property
    def is_warning(self) -> bool:
        """Whether the runner goes on anyway."""
        return self.kind in _WARNINGS

    @property
    def pointer(self) -> str:
        """The place as a JSON Pointer: that of the missing key, where one is missing."""
        return join("", *self.path)


def check_raw(value: JsonValue, era: Era) -> list[AgentProblem]:
    """The runner's own check of an agent.json as it stands."""
    if not isinstance(value, dict | list):
        return [AgentProblem("not_an_object")]
    return list(_raw(_keyed(value), era))


def check_schema(value: JsonValue, era: Era) -> list[Misfit]:
    """The check against the era's JSON Schema."""
    return list(misfits(value, AGENT, era.name))


def check_complete(value: JsonValue, era: Era) -> list[AgentProblem]:
    """The runner's check of the agent with its defaults filled in; nothing for what is not an object."""
    if not isinstance(value, dict):
        return []
    filled = with_defaults(value, era)
    found = [problem for problem in _raw(filled, era) if problem.kind != "missing_field"]
    for path, field in filled_fields(AGENT, era):
        if path[0] == "runner" and field.need != "no" and _falsy(_at(filled, path)):
            found.append(AgentProblem("required", path))
    return found


def span_in(document: ParsedFile, found: AgentProblem | Misfit) -> Span | None:
    """The span of a problem in the file: its value, else the key of the innermost holder that exists."""
    node = document.tree.at(found.pointer)
    if node:
        return node.span
    pointer = parent(found.pointer)
    while pointer:
        key = document.tree.key_span(pointer)
        if key:
            return key
        pointer = parent(pointer)
    return document.root.span if document.root else None


def _raw(agent: Mapping[str, JsonValue], era: Era) -> Iterator[AgentProblem]:
    for field in AGENT.fields:
        if field.need == "load" and field.name not in agent:
            yield AgentProblem("missing_field", (field.name,))
    if "runner" not in agent and any(mark in agent for mark in _FLAT_MARKS):
        yield AgentProblem("legacy_format")
    known = {*(field.name for field in ABOUT), *_KNOWN_ASIDE}
    unknown = [key for key in agent if key not in known]
    if unknown:
        yield AgentProblem("unknown_top_level", (), {"keys": unknown})
    yield from _pattern_of("name", "name_type", "name_format", agent)
    yield from _pattern_of("version", "version_type", "version_format", agent)
    yield from _verdict(agent)
    yield from _looked_at(agent, era)
    yield from _parameters(_keyed(agent.get("parameters")), era)


def _pattern_of(
    name: str, wrong_type: Kind, wrong_format: Kind, agent: Mapping[str, JsonValue]
) -> Iterator[AgentProblem]:
    if name not in agent:
        return
    field = next(field for field in ABOUT if field.name == name)
    for misfit in misfits(agent[name], field.shape, ""):
        yield AgentProblem(wrong_type if misfit.kind == "type" else wrong_format, (name,))


def _verdict(agent: Mapping[str, JsonValue]) -> Iterator[AgentProblem]:
    path = ("runner", "verdict")
    verdict = _keyed(_at(agent, path))
    name, config = verdict.get("type"), verdict.get("config")
    if _falsy(name):
        return
    known = VERDICTS.get(name) if isinstance(name, str) else None
    if known is None:
        yield AgentProblem("verdict_type_invalid", (*path, "type"))
    elif isinstance(config, dict | list):
        given = _keyed(config)
        for needed in known.needed:
            where = (*path, "config", needed)
            field = field_at(AGENT, join("", *where), "")
            least = field.shape.least if isinstance(field, Field) else None
            own = given.get(needed)
            if _falsy(own) or (needed == "conditions" and not (isinstance(own, list) and own)):
                yield AgentProblem("verdict_config_required", where)
            elif least is not None and not (_is_number(own) and own >= least):
                yield AgentProblem("verdict_config_not_positive", where)


def _looked_at(agent: Mapping[str, JsonValue], era: Era) -> Iterator[AgentProblem]:
    for pointer in _LOOKED_AT:
        field = field_at(AGENT, pointer, era.name)
        path = tuple(pointer[1:].split("/"))
        own = _at(agent, path)
        if not isinstance(field, Field) or _falsy(own):
            continue
        if field.shape.choices:
            if own not in field.shape.choices:
                yield AgentProblem("enum", path)
        elif not isinstance(own, str):
            yield AgentProblem("type", path)


def _parameters(parameters: Mapping[str, JsonValue], era: Era) -> Iterator[AgentProblem]:
    flags: dict[str, list[str]] = {}
    for name, value in parameters.items():
        parameter = _keyed(value)
        cli = parameter.get("cli")
        if _falsy(cli):
            yield AgentProblem("param_missing_cli", ("parameters", name, "cli"))
        elif isinstance(cli, str):
            flags.setdefault(cli, []).append(name)
            if not cli.startswith("--"):
                yield AgentProblem("param_cli_prefix", ("parameters", name, "cli"))
        if _falsy(parameter.get("type")):
            yield AgentProblem("param_missing_type", ("parameters", name, "type"))
        elif era.checks_parameters and "default" in parameter:
            yield from _default_of(name, parameter["type"], parameter["default"])
        if _falsy(parameter.get("description")):
            yield AgentProblem("param_missing_description", ("parameters", name, "description"))
        if parameter.get("required") is True and "default" in parameter:
            yield AgentProblem("param_required_with_default", ("parameters", name, "default"))
    for flag, names in flags.items() if era.checks_parameters else ():
        if len(names) > 1:
            yield AgentProblem("param_duplicate_cli", ("parameters", names[-1], "cli"), {"flag": flag, "params": names})


def _default_of(name: str, declared: JsonValue, default: JsonValue) -> Iterator[AgentProblem]:
    got = _JAVASCRIPT_TYPES.get(type(default), "object")
    fits = isinstance(default, list) if declared == "array" else got == declared
    if declared in ("string", "number", "boolean", "array") and not fits:
        yield AgentProblem("param_default_type", ("parameters", name, "default"), {"got": got, "declared": declared})


def _keyed(value: JsonValue) -> Mapping[str, JsonValue]:
    """An object, or a list as JavaScript takes one; nothing for any other value."""
    if isinstance(value, list):
        return {str(index): item for index, item in enumerate(value)}
    return value if isinstance(value, dict) else {}


def _at(value: JsonValue, path: tuple[str, ...]) -> JsonValue:
    for key in path:
        value = _keyed(value).get(key)
    return value


def _falsy(value: JsonValue) -> bool:
    return not value and not isinstance(value, dict | list)


def _is_number(value: JsonValue) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
