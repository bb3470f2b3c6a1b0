"""The fields of agent.json before it had a `runner` group, and where each stands now (seed 003, older real files).

A field's `newer` is the JSON Pointer of its place in the layout of today.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.agent.fields import (
    ABOUT,
    ACTIONS,
    CONFIG,
    FINALIZE,
    GITHUB,
    LOGGING,
    PERMISSION_MODES,
    PROMPTS,
    SANDBOX,
    SCHEMAS,
    WORKTREE,
    with_config_of,
)
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES, VERDICT_TYPES
from stepflow_gui.formats.fields import BOOLEAN, STRING, Field, Shape, choice, list_of, object_of
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

_STRINGS = list_of(STRING)

_COMPLETION_CONFIG = object_of(*(field._replace(formats=()) for field in CONFIG.fields))

_PRE_CLOSE = object_of(
    Field("enabled", BOOLEAN, lambda: _("Run checks before the issue is closed"), default=False),
    Field("validators", _STRINGS, lambda: _("Names of the checks")),
    Field("onFailure", STRING, lambda: _("What to do when a check fails")),
)


def _by_completion_type(shape: Shape, value: JsonValue) -> Shape:
    return with_config_of(shape, value, "completionType", "completionConfig")


_BEHAVIOR = object_of(
    Field(
        "systemPromptPath",
        STRING,
        lambda: _("The system prompt, from the agent’s folder"),
        "load",
        newer="/runner/flow/systemPromptPath",
    ),
    Field(
        "completionType",
        choice(*OLDER_VERDICT_TYPES, *VERDICT_TYPES, names="verdict"),
        lambda: _("How the agent’s end is recognised"),
        "load",
        newer="/runner/verdict/type",
    ),
    Field(
        "completionConfig",
        _COMPLETION_CONFIG,
        lambda: _("Settings of the verdict type"),
        newer="/runner/verdict/config",
    ),
    Field(
        "allowedTools",
        _STRINGS,
        lambda: _("Tools that the agent may use; * allows all"),
        "validate",
        newer="/runner/boundaries/allowedTools",
    ),
    Field(
        "permissionMode",
        choice(*PERMISSION_MODES),
        lambda: _("What is done without asking"),
        "validate",
        newer="/runner/boundaries/permissionMode",
    ),
    Field("sandboxConfig", SANDBOX, lambda: _("The sandbox in detail"), newer="/runner/boundaries/sandbox"),
    Field(
        "defaultModel",
        choice("sonnet", "opus", "haiku"),
        lambda: _("Model of steps that name none; else opus"),
        newer="/runner/flow/defaultModel",
    ),
    Field(
        "askUserAutoResponse",
        STRING,
        lambda: _("Answer given automatically whenever the model asks the user, so the run doesn't wait"),
        newer="/runner/flow/askUserAutoResponse",
    ),
    Field(
        "preCloseValidation",
        _PRE_CLOSE,
        lambda: _("Checks before the issue is closed; validation steps of the registry took their place"),
    ),
    narrow=_by_completion_type,
)

AGENT_FLAT = object_of(
    *ABOUT,
    Field("behavior", _BEHAVIOR, lambda: _("How the agent works and when it is done"), "load"),
    Field("prompts", PROMPTS, lambda: _("Where prompts are found"), "validate", newer="/runner/flow/prompts"),
    Field(
        "schemas",
        SCHEMAS,
        lambda: _("Where output schemas are found, and how they are used"),
        newer="/runner/flow/schemas",
    ),
    Field("actions", ACTIONS, lambda: _("Action blocks in answers"), newer="/runner/actions"),
    Field("github", GITHUB, lambda: _("Work with GitHub issues"), newer="/runner/integrations/github"),
    Field("worktree", WORKTREE, lambda: _("A git worktree for the agent"), newer="/runner/execution/worktree"),
    Field(
        "finalize",
        FINALIZE,
        lambda: _("What happens to the work after the run"),
        newer="/runner/execution/finalize",
    ),
    Field("logging", LOGGING, lambda: _("Where the agent’s logs go"), "validate", newer="/runner/logging"),
)
"""An agent.json of the older, flat layout."""


def moves(shape: Shape = AGENT_FLAT, pointer: str = "") -> Iterator[tuple[str, str]]:
    """What is elsewhere today: older and newer JSON Pointer."""
    for field in shape.fields:
        here = join(pointer, field.name)
        if field.newer.startswith("/"):
            yield here, field.newer
        yield from moves(field.shape, here)
