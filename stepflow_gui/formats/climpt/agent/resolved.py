"""An agent with everything that its file leaves open filled in: what a run goes by (seed 001).

Loads pydantic: nothing that a clean lint uses imports this module. `agent_resolving` makes these.
"""

import math
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from stepflow_gui.formats.climpt.agent.fields import SAFETY_LIMIT
from stepflow_gui.formats.shape_check import Kind
from stepflow_gui.text.json.tree import JsonValue

COMPLETION_LIMIT = 10  # iterations of count:iteration where the config has no limit
ENDLESS = 10**9

NoteKind = Kind | Literal["too_deep"]
Number = int | float
PermissionMode = Literal["default", "plan", "acceptEdits", "bypassPermissions"]
Model = Literal["sonnet", "opus", "haiku"]


class Note(NamedTuple):
    """A value that doesn't fit: its default is used, but one that only its pattern refuses is used anyway."""

    kind: NoteKind
    pointer: str  # in the file
    value: JsonValue


class Resolved(BaseModel):
    """What the parts have in common: the file's names as aliases, no change once made."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, extra="ignore")


class ValueCheck(Resolved):
    """What a parameter's value is checked against."""

    min: Number | None = None
    max: Number | None = None
    pattern: str | None = None
    enum: tuple[str, ...] = ()


class ResolvedParameter(Resolved):
    """A value given to the agent when it starts. `default` is None too where the file has none."""

    type: Literal["string", "number", "boolean", "array"] | None = None
    description: str = ""
    required: bool = False
    default: JsonValue = None
    cli: str | None = None
    validation: ValueCheck = ValueCheck()


class PromptSettings(Resolved):
    """Where prompts are found; a path that the era knows nothing of is None."""

    registry: str
    fallback_dir: str | None = None


class Schemas(Resolved):
    """Where output schemas are found."""

    base: str | None = None
    inspection: bool = False


class FlowSettings(Resolved):
    """Prompts, schemas and model."""

    system_prompt_path: str | None = None
    prompts: PromptSettings
    schemas: Schemas = Schemas()
    default_model: Model | None = None
    ask_user_auto_response: str | None = None


class VerdictConfig(Resolved):
    """The settings of a verdict type; those of other types are there too where the file has them."""

    max_iterations: Number | None = None
    max_checks: Number | None = None
    verdict_keyword: str | None = None
    signal_type: str | None = None
    required_fields: dict[str, JsonValue] | tuple[str, ...] | None = None
    resource_type: Literal["github-issue", "github-project", "file", "api"] | None = None
    target_state: str | dict[str, JsonValue] | None = None
    registry_path: str | None = None
    entry_step: str | None = None
    operator: Literal["and", "or", "first"] | None = None
    conditions: "tuple[ResolvedVerdict, ...]" = ()
    handler_path: str | None = None


class ResolvedVerdict(Resolved):
    """When the agent is done. `type` is one of the eight, whatever name the file uses for it."""

    type: str
    config: VerdictConfig

    @property
    def limit(self) -> int:
        """How many iterations a run has at most."""
        limit = self.config.max_iterations
        if limit is None:
            return COMPLETION_LIMIT if self.type == "count:iteration" else SAFETY_LIMIT
        return math.ceil(min(limit, ENDLESS))


class Network(Resolved):
    """Access to the network."""

    mode: Literal["trusted", "none", "custom"] = "trusted"
    trusted_domains: tuple[str, ...] = ()


class Filesystem(Resolved):
    """Access to files."""

    allowed_paths: tuple[str, ...] = ()


class Sandbox(Resolved):
    """A sandbox in detail."""

    enabled: bool = True
    network: Network = Network()
    filesystem: Filesystem = Filesystem()
    excluded_commands: tuple[str, ...] = ()
    allow_unsandboxed_commands: bool | None = None


class Boundaries(Resolved):
    """What the agent may do; `sandbox` is None where the file doesn't set one.

    Tools and mode are in another file since climpt 1.14, which reads none here.
    """

    allowed_tools: tuple[str, ...] = ()
    permission_mode: PermissionMode = "default"
    sandbox: Sandbox | None = None


class CompletionLabels(Resolved):
    """Labels changed at the end."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


class Labels(Resolved):
    """Labels for the states of the work; those of other names are in `model_extra`."""

    model_config = ConfigDict(extra="allow")

    requirements: str | None = None
    in_progress: str | None = None
    blocked: str | None = None
    completion: CompletionLabels = CompletionLabels()


class GitHub(Resolved):
    """Work with GitHub issues."""

    enabled: bool = False
    labels: Labels = Labels()
    default_closure_action: Literal["close", "label-only", "label-and-close"] = "close"


class Integrations(Resolved):
    """Outside services."""

    github: GitHub


class ActionSettings(Resolved):
    """Action blocks in answers."""

    enabled: bool = False
    types: tuple[str, ...] = ()
    output_format: str | None = None
    handlers: dict[str, str] = {}


class Worktree(Resolved):
    """A git worktree for the agent."""

    enabled: bool = False
    root: str | None = None


class Finalize(Resolved):
    """What happens to the work after the run."""

    auto_merge: bool = True
    push: bool = False
    remote: str = "origin"
    create_pr: bool = False
    pr_target: str | None = None


class Execution(Resolved):
    """Where the agent works; `finalize` is None where the file doesn't set it."""

    worktree: Worktree
    finalize: Finalize | None = None


class Logging(Resolved):
    """Where logs go; without `max_files` all are kept."""

    directory: str
    format: Literal["jsonl", "text"]
    max_files: Number | None = None


class RunnerSettings(Resolved):
    """How the agent is run."""

    flow: FlowSettings
    verdict: ResolvedVerdict
    boundaries: Boundaries
    integrations: Integrations
    actions: ActionSettings = ActionSettings()
    execution: Execution
    logging: Logging


class ResolvedAgent(Resolved):
    """An agent as a run sees it. What the file has that no field of today can take is in `notes` and `aside`."""

    name: str | None = None
    display_name: str | None = None
    description: str
    version: str
    schema_url: str | None = Field(default=None, alias="$schema")
    parameters: dict[str, ResolvedParameter] = {}
    runner: RunnerSettings
    layout: Literal["runner", "flat", "none"] = "runner"
    notes: tuple[Note, ...] = ()
    aside: dict[str, JsonValue] = {}
    """JSON Pointer in the file -> a value that no field of the era takes."""
