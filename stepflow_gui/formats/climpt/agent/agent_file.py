"""Reads agent.json: what the flow, its checks and its look-up need, in both of its layouts (seeds 001 and 003)."""

from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

Layout = Literal["runner", "flat", "none"]
"""`runner.*` as the runner reference has it, the older flat keys, or neither."""

_RUNNER = {
    "verdict_type": ("/runner/verdict/type", "/runner/completion/type"),
    "max_iterations": ("/runner/verdict/config/maxIterations", "/runner/completion/config/maxIterations"),
    "system_prompt_path": ("/runner/flow/systemPromptPath",),
    "registry_path": ("/runner/flow/prompts/registry",),
    "fallback_dir": ("/runner/flow/prompts/fallbackDir",),
    "schemas_base": ("/runner/flow/schemas/base",),
    "default_model": ("/runner/flow/defaultModel",),
    "default_closure_action": ("/runner/integrations/github/defaultClosureAction",),
}
_FLAT = {
    "verdict_type": ("/behavior/completionType",),
    "max_iterations": ("/behavior/completionConfig/maxIterations",),
    "system_prompt_path": ("/behavior/systemPromptPath",),
    "registry_path": ("/prompts/registry",),
    "fallback_dir": ("/prompts/fallbackDir",),
    "schemas_base": ("/schemas/base",),
    "default_model": ("/behavior/defaultModel",),
    "default_closure_action": ("/github/defaultClosureAction",),
}
_FLAT_MARKS = ("behavior", "prompts", "logging", "github", "worktree", "actions")


class Parameter(NamedTuple):
    """A parameter of the agent: a variable that its prompts may use."""

    name: str
    key_span: Span
    node: Node
    pointer: str
    type: Text | None
    cli: Text | None
    required: bool  # only the boolean true makes it so
    has_default: bool


class AgentDefinition:
    """An agent.json as read; what is absent or of another type is None."""

    __slots__ = (
        "default_closure_action",
        "default_model",
        "display_name",
        "document",
        "fallback_dir",
        "layout",
        "max_iterations",
        "max_iterations_span",
        "name",
        "parameters",
        "registry_path",
        "schemas_base",
        "system_prompt_path",
        "verdict_type",
    )

    def __init__(self, document: ParsedFile, layout: Layout) -> None:
        self.document = document
        self.layout = layout
        self.name: Text | None = None
        self.display_name: Text | None = None
        self.verdict_type: Text | None = None  # `runner.verdict.type`, in the flat layout `completionType`
        self.max_iterations: int | None = None
        self.max_iterations_span: Span | None = None
        self.system_prompt_path: Text | None = None
        self.registry_path: Text | None = None
        self.fallback_dir: Text | None = None
        self.schemas_base: Text | None = None
        self.default_model: Text | None = None
        self.default_closure_action: Text | None = None
        self.parameters: list[Parameter] = []


def read_agent(document: ParsedFile) -> AgentDefinition:
    """The agent that a document describes; an empty definition where it holds no object."""
    root = document.root
    if root is None or root.kind != "object":
        return AgentDefinition(document, "none")
    layout = layout_of(root)
    agent = AgentDefinition(document, layout)
    agent.name = text_at(root, "name", "")
    agent.display_name = text_at(root, "displayName", "")
    agent.parameters = _parameters(root)
    fields = _FLAT if layout == "flat" else _RUNNER
    agent.verdict_type = _first(document, fields["verdict_type"])
    agent.system_prompt_path = _first(document, fields["system_prompt_path"])
    agent.registry_path = _first(document, fields["registry_path"])
    agent.fallback_dir = _first(document, fields["fallback_dir"])
    agent.schemas_base = _first(document, fields["schemas_base"])
    agent.default_model = _first(document, fields["default_model"])
    agent.default_closure_action = _first(document, fields["default_closure_action"])
    for pointer in fields["max_iterations"]:
        node = document.tree.at(pointer)
        if node and isinstance(node.value, int) and not isinstance(node.value, bool):
            agent.max_iterations, agent.max_iterations_span = node.value, node.span
            break
    return agent


def layout_of(root: Node) -> Layout:
    """Which layout an agent.json has: `runner` wins where both are there."""
    if root.member("runner"):
        return "runner"
    return "flat" if any(root.member(key) for key in _FLAT_MARKS) else "none"


def _first(document: ParsedFile, pointers: tuple[str, ...]) -> Text | None:
    for pointer in pointers:
        node = document.tree.at(pointer)
        if node and isinstance(node.value, str):
            return Text(node.value, node.span, pointer)
    return None


def _parameters(root: Node) -> list[Parameter]:
    holder = root.get("parameters")
    found = []
    for member in holder.members() if holder else []:
        pointer = join("/parameters", member.key)
        required = member.value.get("required")
        found.append(
            Parameter(
                member.key,
                member.key_span,
                member.value,
                pointer,
                text_at(member.value, "type", pointer),
                text_at(member.value, "cli", pointer),
                required is not None and required.value is True,
                member.value.member("default") is not None,
            )
        )
    return found
