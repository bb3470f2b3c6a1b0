"""The fields of agent.json with its `runner` group (seed 001, runtime-semantics 17).

A field's `formats` are the names of the eras that know it. `need`: `load` is what the runner's own check of the file
asks for, `validate` what has a default or is missed only by its JSON Schema.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from stepflow_gui.formats.climpt.eras import (
    CLIMPT_1_14,
    CLIMPT_2026_01_09,
    CLIMPT_2026_01_18,
    CLIMPT_2026_03_14,
    CLIMPT_2026_04_20,
    ERAS,
    GUIDE,
)
from stepflow_gui.formats.climpt.vocabulary import CLOSURE_ACTIONS, OLDER_VERDICT_TYPES, VERDICT_TYPES
from stepflow_gui.formats.fields import (
    ANY,
    BOOLEAN,
    STRING,
    Field,
    Shape,
    choice,
    list_of,
    map_of,
    object_of,
    string,
)
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue

_EARLY = (CLIMPT_2026_03_14.name, CLIMPT_2026_01_18.name, CLIMPT_2026_01_09.name)
_WITH_FALLBACK = (GUIDE.name, *_EARLY)
_NEWEST = (GUIDE.name, CLIMPT_1_14.name, CLIMPT_2026_04_20.name)
_WITH_BOUNDARIES = tuple(name for name in ERAS if name != CLIMPT_1_14.name)  # later in a file of the project
_LATE = tuple(name for name in ERAS if name not in _EARLY)
_BEFORE_VERDICTS = (CLIMPT_2026_01_18.name,)  # between that era and the next, `verdict` was called `completion`

PERMISSION_MODES = ("default", "plan", "acceptEdits", "bypassPermissions")
_NUMBER = Shape("number")
_AT_LEAST_ONE = Shape("number", least=1)
_STRINGS = list_of(STRING)
_VERDICT = choice(*VERDICT_TYPES, names="verdict")

SAFETY_LIMIT = 20
"""The iteration limit of all verdict types but count:iteration where the file has none."""


def by_verdict(shape: Shape, value: JsonValue) -> Shape:
    """A verdict by its type: the config has the fields of that type, and others only where the file has them."""
    return with_config_of(shape, value, "type", "config")


def with_config_of(shape: Shape, value: JsonValue, type_key: str, config_key: str) -> Shape:
    """An object with a verdict type and its config, which has the fields of the type; all, where that isn't known."""
    name, config = value.get(type_key, "count:iteration"), value.get(config_key)
    known = OLDER_VERDICT_TYPES.get(name, name) if isinstance(name, str) else ""
    inner = _config_of(known, list(config) if isinstance(config, dict) else [])
    fields = []
    for field in shape.fields:
        if field.name == config_key:
            default = field.default if known == "count:iteration" else None
            fields.append(field._replace(shape=inner, default=default, need="validate"))
        elif field.name == type_key:
            shown = field.shape if field.shape.choices else _VERDICT
            fields.append(field._replace(shape=shown, meaning=partial(_meaning_of_type, field, known)))
        else:
            fields.append(field)
    return shape._replace(fields=tuple(fields), narrow=None)


def _config_of(known: str, given: Sequence[str]) -> Shape:
    verdict_type = VERDICTS.get(known)
    if verdict_type is None:
        return CONFIG
    all_fields = {field.name: field for field in CONFIG.fields}
    fields: list[Field] = []
    for name in (*verdict_type.needed, *verdict_type.also):
        field = all_fields[name]
        if name == "maxIterations" and known != "count:iteration":
            field = field._replace(default=SAFETY_LIMIT)
        elif name in verdict_type.needed:
            field = field._replace(need="validate")
        fields.append(field)
    read = {field.name for field in fields}
    fields += [_unread(all_fields[name], known) for name in given if name in all_fields and name not in read]
    return object_of(*fields)


def _unread(field: Field, verdict: str) -> Field:
    if field.newer or field.shape.kind == "any":  # which has such a message itself
        return field._replace(formats=())
    meaning = partial(_no_field_of, verdict)
    return field._replace(meaning=meaning, default=None)


def _meaning_of_type(field: Field, verdict: str) -> str:
    verdict_type = VERDICTS.get(verdict)
    return f"{field.meaning()}\n{verdict_type.meaning()}" if verdict_type else field.meaning()


def _no_field_of(verdict: str) -> str:
    return _("{verdict} doesn’t read this; it is kept as it is").format(verdict=verdict)


PARAMETER = object_of(
    Field("type", choice("string", "number", "boolean", "array"), lambda: _("Type of the parameter’s value"), "load"),
    Field("description", STRING, lambda: _("What the parameter is for"), "validate"),
    Field("required", BOOLEAN, lambda: _("Required to start the agent"), default=False),
    Field("default", ANY, lambda: _("The value taken where none is given")),
    Field("cli", string(pattern="--[a-z][a-z0-9-]*"), lambda: _("Its flag on the command line"), "load"),
    Field(
        "validation",
        object_of(
            Field("min", _NUMBER, lambda: _("The smallest number allowed")),
            Field("max", _NUMBER, lambda: _("The largest number allowed")),
            Field("pattern", STRING, lambda: _("Regular expression that the text has to match")),
            Field("enum", _STRINGS, lambda: _("The values allowed")),
        ),
        lambda: _("What the value is checked against"),
    ),
)

CONDITION = object_of(
    Field("type", string(names="verdict"), lambda: _("Verdict type of the condition"), "load"),
    Field("config", map_of(ANY), lambda: _("Settings of the condition’s verdict type"), "load"),
    narrow=by_verdict,
)
"""A verdict inside a composite; its config has the fields of `CONFIG` again, to any depth."""

CONFIG = object_of(
    Field(
        "maxIterations",
        _AT_LEAST_ONE,
        lambda: _("After how many iterations count:iteration is done; for other types the limit that stops a run"),
        default=10,
    ),
    Field("maxChecks", _AT_LEAST_ONE, lambda: _("After how many checks the agent is done")),
    Field("verdictKeyword", STRING, lambda: _("The text in an answer that ends the run")),
    Field("signalType", STRING, lambda: _("Type of the action block in an answer that ends the run")),
    Field(
        "requiredFields",
        Shape("either", either=(map_of(ANY), _STRINGS)),
        lambda: _("What the block has to hold: names of fields, or fields with their values"),
    ),
    Field(
        "resourceType",
        choice("github-issue", "github-project", "file", "api"),
        lambda: _("Kind of the outside thing whose state is watched"),
    ),
    Field("targetState", Shape("either", either=(STRING, map_of(ANY))), lambda: _("The state that ends the run")),
    Field("registryPath", STRING, lambda: _("The step registry whose flow is followed")),
    Field("entryStep", string(names="step"), lambda: _("The step that the flow begins with")),
    Field("operator", choice("and", "or", "first"), lambda: _("Require all conditions, or any one")),
    Field("conditions", list_of(CONDITION), lambda: _("The verdicts that are combined")),
    Field("handlerPath", STRING, lambda: _("The module that decides")),
    Field(
        "completionKeyword",
        STRING,
        lambda: _("The text in an answer that ends the run"),
        formats=_BEFORE_VERDICTS,
        newer="verdictKeyword",
    ),
    Field("type", ANY, lambda: _("Left over from an older form; no runner reads it")),
    Field("issueParam", ANY, lambda: _("Left over from an older form; no runner reads it")),
)


class VerdictType(NamedTuple):
    """When a verdict type ends a run, the config fields it can't do without, and those it reads besides."""

    meaning: Callable[[], str]
    needed: tuple[str, ...] = ()
    also: tuple[str, ...] = ("maxIterations",)


VERDICTS = {
    "poll:state": VerdictType(
        lambda: _("Done when something outside, such as an issue, has reached a state"),
        also=("resourceType", "targetState", "maxIterations"),
    ),
    "count:iteration": VerdictType(lambda: _("Done after a number of iterations"), ("maxIterations",), ()),
    "count:check": VerdictType(lambda: _("Done after a number of status checks"), ("maxChecks",)),
    "detect:keyword": VerdictType(lambda: _("Done when an answer holds a keyword"), ("verdictKeyword",)),
    "detect:structured": VerdictType(
        lambda: _("Done when an answer holds an action block of a type"),
        ("signalType",),
        ("requiredFields", "maxIterations"),
    ),
    "detect:graph": VerdictType(
        lambda: _("Done when the flow of steps reaches an end"), also=("registryPath", "entryStep", "maxIterations")
    ),
    "meta:composite": VerdictType(lambda: _("Combines several verdicts"), ("operator", "conditions")),
    "meta:custom": VerdictType(lambda: _("Done when your own module reports it"), ("handlerPath",)),
}
"""The eight verdict types in the order of `VERDICT_TYPES`."""

PROMPTS = object_of(
    Field(
        "registry", STRING, lambda: _("The step registry, from the agent’s folder"), "validate", "steps_registry.json"
    ),
    Field(
        "fallbackDir",
        STRING,
        lambda: _("Folder of the prompts used where the registry’s lookup finds none"),
        "validate",
        "prompts",
        formats=_WITH_FALLBACK,
    ),
)

SCHEMAS = object_of(
    Field("base", STRING, lambda: _("Folder of the output schemas")),
    Field("inspection", BOOLEAN, lambda: _("Validate answers against the schemas")),
)

FLOW = object_of(
    Field("systemPromptPath", STRING, lambda: _("The system prompt, from the agent’s folder"), "load"),
    Field("prompts", PROMPTS, lambda: _("Where prompts are found"), "validate"),
    Field("schemas", SCHEMAS, lambda: _("Where output schemas are found, and how they are used")),
    Field("defaultModel", choice("sonnet", "opus", "haiku"), lambda: _("Model of steps that name none; else opus")),
    Field(
        "askUserAutoResponse",
        STRING,
        lambda: _("Answer given automatically whenever the model asks the user, so the run doesn't wait"),
    ),
    closed=True,
)

VERDICT = object_of(
    Field("type", _VERDICT, lambda: _("How the agent’s end is recognised"), "validate", "count:iteration"),
    Field("config", CONFIG, lambda: _("Settings of the verdict type"), default={"maxIterations": 10}),
    closed=True,
    narrow=by_verdict,
)

_OLDER_VERDICT = object_of(
    Field(
        "type",
        choice(*OLDER_VERDICT_TYPES, *VERDICT_TYPES, names="verdict"),
        lambda: _("How the agent’s end is recognised"),
        "validate",
    ),
    Field("config", CONFIG, lambda: _("Settings of the verdict type")),
    narrow=by_verdict,
)

SANDBOX = object_of(
    Field("enabled", BOOLEAN, lambda: _("Run the agent in a sandbox"), default=True),
    Field(
        "network",
        object_of(
            Field(
                "mode",
                choice("trusted", "none", "custom"),
                lambda: _("What can be reached: known domains, nothing, or those listed"),
                default="trusted",
            ),
            Field("trustedDomains", _STRINGS, lambda: _("Domains that can be reached; * stands for any part")),
        ),
        lambda: _("Access to the network"),
    ),
    Field(
        "filesystem",
        object_of(Field("allowedPaths", _STRINGS, lambda: _("Further paths that may be written to"))),
        lambda: _("Access to files"),
    ),
    Field("excludedCommands", _STRINGS, lambda: _("Commands that run outside the sandbox"), formats=_NEWEST),
    Field(
        "allowUnsandboxedCommands",
        BOOLEAN,
        lambda: _("Let commands ask to run outside the sandbox"),
        formats=_NEWEST,
    ),
)

BOUNDARIES = object_of(
    Field(
        "allowedTools",
        _STRINGS,
        lambda: _("Tools that the agent may use; * allows all"),
        "validate",
        ["*"],
        formats=_WITH_BOUNDARIES,
    ),
    Field(
        "permissionMode",
        choice(*PERMISSION_MODES),
        lambda: _("What is done without asking"),
        "validate",
        "plan",
        formats=_WITH_BOUNDARIES,
    ),
    Field("sandbox", SANDBOX, lambda: _("The sandbox in detail")),
    closed=True,
)

_LABELS = (
    Field("requirements", STRING, lambda: _("Label of requirement documents")),
    Field("inProgress", STRING, lambda: _("Label while the agent works")),
    Field("blocked", STRING, lambda: _("Label while the work is blocked")),
    Field(
        "completion",
        object_of(
            Field("add", _STRINGS, lambda: _("Labels added at the end")),
            Field("remove", _STRINGS, lambda: _("Labels taken away at the end")),
        ),
        lambda: _("Labels changed when the agent is done"),
    ),
)

GITHUB = object_of(
    Field("enabled", BOOLEAN, lambda: _("Work with GitHub"), "validate", default=False),
    Field("labels", object_of(*_LABELS, others=ANY), lambda: _("Labels for the states of the work"), formats=_LATE),
    Field("labels", object_of(*_LABELS, others=STRING), lambda: _("Labels for the states of the work"), formats=_EARLY),
    Field(
        "defaultClosureAction",
        choice(*CLOSURE_ACTIONS),
        lambda: _("What happens to the issue at the end: closed, labelled, or both"),
        default="close",
    ),
)

ACTIONS = object_of(
    Field("enabled", BOOLEAN, lambda: _("Look for action blocks in answers"), "validate"),
    Field("types", _STRINGS, lambda: _("Types of action blocks that are allowed")),
    Field("outputFormat", STRING, lambda: _("Marker of the code block that holds an action, such as json")),
    Field("handlers", map_of(STRING), lambda: _("Action type → what handles it")),
)

WORKTREE = object_of(
    Field("enabled", BOOLEAN, lambda: _("Work in a separate git worktree"), "validate", False),
    Field("root", STRING, lambda: _("Folder that worktrees are made in")),
)

FINALIZE = object_of(
    Field("autoMerge", BOOLEAN, lambda: _("Merge the branch after a success"), default=True),
    Field("push", BOOLEAN, lambda: _("Push the merge"), default=False),
    Field("remote", STRING, lambda: _("The remote that is pushed to"), default="origin"),
    Field("createPr", BOOLEAN, lambda: _("Open a pull request instead of merging"), default=False),
    Field("prTarget", STRING, lambda: _("The branch that the pull request is for")),
)

LOGGING = object_of(
    Field("directory", STRING, lambda: _("Folder of the logs"), "validate", "logs"),
    Field("format", choice("jsonl", "text"), lambda: _("Format of the logs"), "validate", "jsonl"),
    Field("maxFiles", _AT_LEAST_ONE, lambda: _("How many log files are kept")),
)

RUNNER = object_of(
    Field("flow", FLOW, lambda: _("Prompts, models and schemas"), "load"),
    Field("verdict", VERDICT, lambda: _("When the agent is done"), "validate"),
    Field(
        "completion",
        _OLDER_VERDICT,
        lambda: _("When the agent is done"),
        formats=_BEFORE_VERDICTS,
        newer="verdict",
    ),
    Field("boundaries", BOUNDARIES, lambda: _("What the agent may do"), "validate", formats=_WITH_BOUNDARIES),
    Field("boundaries", BOUNDARIES, lambda: _("What the agent may do"), formats=(CLIMPT_1_14.name,)),
    Field(
        "integrations",
        object_of(
            Field("github", GITHUB, lambda: _("Work with GitHub issues"), default={"enabled": True}, formats=_LATE),
            Field("github", GITHUB, lambda: _("Work with GitHub issues"), default={"enabled": False}, formats=_EARLY),
            closed=True,
        ),
        lambda: _("Outside services"),
    ),
    Field("actions", ACTIONS, lambda: _("Action blocks in answers")),
    Field(
        "execution",
        object_of(
            Field("worktree", WORKTREE, lambda: _("A git worktree for the agent"), default={"enabled": False}),
            Field("finalize", FINALIZE, lambda: _("What happens to the work after the run")),
            closed=True,
        ),
        lambda: _("Where the agent works, and what becomes of it"),
    ),
    Field("logging", LOGGING, lambda: _("Where the agent’s logs go")),
    closed=True,
)

NAME = string(pattern="[a-z][a-z0-9-]*")
VERSION = string(pattern="[0-9]+\\.[0-9]+\\.[0-9]+")
ABOUT = (
    Field("$schema", STRING, lambda: _("The JSON Schema of this file, for editors")),
    Field("version", VERSION, lambda: _("Version of the agent, such as 1.0.0"), "validate", "1.0.0"),
    Field("name", NAME, lambda: _("The agent’s name: the same as its folder’s"), "load"),
    Field("displayName", STRING, lambda: _("The agent’s display name"), "load"),
    Field("description", STRING, lambda: _("What the agent does"), "validate", ""),
    Field("parameters", map_of(PARAMETER), lambda: _("Values given to the agent when it starts"), default={}),
)
"""The top-level fields that both layouts share."""

AGENT = object_of(*ABOUT, Field("runner", RUNNER, lambda: _("How the agent is run"), "load"), closed=True)
"""An agent.json with its `runner` group."""
