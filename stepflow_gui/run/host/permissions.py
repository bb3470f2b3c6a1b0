"""What a step may do: its permission mode, its model, the commands that no step may run (runtime-semantics 8 and 10).

The runner here records these; it carries none of them out.
"""

import re

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.vocabulary import MODELS, PERMISSION_MODES

DEFAULT_MODEL = "opus"
_OF_KIND = {"work": "acceptEdits", "verification": "plan", "closure": "acceptEdits"}
_NOT_WHILE_PLANNING = frozenset({"Write", "Edit", "Bash", "NotebookEdit", "TodoWrite"})
_NEVER = (
    r"\bgh\s+issue\s+(?:close|delete|transfer|reopen)\b",
    r"\bgh\s+issue\s+edit\b.*--state\s+closed\b",
    r"\bgh\s+pr\s+(?:close|merge|ready)\b",
    r"\bgh\s+release\s+(?:create|edit)\b",
    r"\bgh\s+api\b",
    r"\b(?:curl|wget|python[23]?|node|ruby|perl|deno)\b.*\bapi\.github\.com\b",
    r"""["']state["']\s*:\s*["']closed["']""",
)

_WRITING = (
    r"\bgh\s+issue\s+(?:edit|close|delete|transfer|reopen|pin|unpin|lock|unlock)\b",
    r"\bgh\s+pr\s+(?:edit|review|reopen|lock|close|merge|ready)\b",
    r"\bgh\s+release\s+(?:create|edit|delete|upload)\b",
    r"\bgh\s+(?:project|label|repo)\s+(?!list\b|view\b|field-list\b|item-list\b|clone\b)[a-z-]+",
)


def permission_mode(step_mode: str | None, kind: str | None, agent_mode: str, era: Era) -> str:
    """The mode of a step: its own, its kind's, the agent's; earlier runners knew the agent's only."""
    if not era.step_modes:
        return agent_mode
    if step_mode in PERMISSION_MODES:
        return step_mode
    return _OF_KIND.get(kind or "", agent_mode)


def mode_of(step: Step, agent_mode: str, era: Era) -> str:
    """The mode of a step of the registry."""
    own = step.raw.get("permissionMode")
    return permission_mode(own if isinstance(own, str) else None, step.kind, agent_mode, era)


def model_of(step: Step, default: str | None) -> str:
    """The model of a step: its own, the flow's default, opus."""
    own = step.raw.get("model")
    return next((name for name in (own, default) if name in MODELS), DEFAULT_MODEL)


def tool_allowed(tool: str, mode: str) -> bool:
    """Whether a mode lets a tool be used."""
    return mode != "plan" or tool not in _NOT_WHILE_PLANNING


def command_allowed(command: str, era: Era | None = None) -> bool:
    """Whether a step may run a shell command: what ends or publishes anything at GitHub is the runner's alone.

    climpt 1.14 keeps all for itself that writes there.
    """
    refused = _NEVER if era is None or not era.settings_file else (*_NEVER, *_WRITING)
    return not any(re.search(pattern, command, re.ASCII) for pattern in refused)
