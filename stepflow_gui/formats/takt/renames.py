"""The names that files of other generations have for the same: keys, and the words that texts about them use."""

import re
from collections.abc import Callable, Mapping

from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue

_NONE: Mapping[str, str] = {}

REMOVED_FROM_STEPS = (
    *("allowed_tools", "permission_mode", "instruction_template", "provider", "model", "provider_options"),
    "overrides",
)
"""Keys that the loader of workflows refuses by name, on steps and sub-steps."""
REMOVED_FROM_TOP = ("auto_routing", "rate_limit_fallback", "permission_mode")

# By notation: the name that another era has for what is written there. "" where nothing took its place.
_TOP_TO_WORKFLOW = {
    "movements": "steps",
    "initial_movement": "initial_step",
    "max_iterations": "max_steps",
    "max_movements": "max_steps",
    "piece_config": "workflow_config",
    "agents": "personas",
    "stances": "policies",
    "output_contracts": "report_formats",
    "answer_agent": "",
}
_STEP_TO_WORKFLOW = {
    "permission_mode": "required_permission_mode",
    "instruction_template": "instruction",
    "allowed_tools": "capabilities",
    "agent": "persona",
    "agent_name": "persona_name",
    "stance": "policy",
}
_TOP_TO_PIECE = {
    "steps": "movements",
    "initial_step": "initial_movement",
    "max_steps": "max_iterations",
    "max_movements": "max_iterations",
    "agents": "personas",
    "stances": "policies",
    "output_contracts": "report_formats",
}
_STEP_TO_PIECE = {
    "required_permission_mode": "permission_mode",
    "agent": "persona",
    "agent_name": "persona_name",
    "stance": "policy",
    "report": "output_contracts",
}
TOP: Mapping[str, Mapping[str, str]] = {"piece": _TOP_TO_PIECE, "workflow": _TOP_TO_WORKFLOW}
STEP: Mapping[str, Mapping[str, str]] = {"piece": _STEP_TO_PIECE, "workflow": _STEP_TO_WORKFLOW}
JUDGE: Mapping[str, Mapping[str, str]] = {
    "piece": {"agent": "persona", "instruction": "instruction_template"},
    "workflow": {"agent": "persona", "instruction_template": "instruction"},
}
_SAME_AT_TOP = (
    ("movements", "steps"),
    ("initial_movement", "initial_step"),
    ("max_iterations", "max_movements", "max_steps"),
    ("piece_config", "workflow_config"),
)
_SAME_IN_TEXTS = (
    ("movement_iteration", "step_iteration"),
)  # variables, where the list of movements is called otherwise
_SAME_IN_STEPS = (("agent", "persona"), ("agent_name", "persona_name"), ("instruction_template", "instruction"))


def same_words(old: JsonValue, new: JsonValue) -> Mapping[str, str]:
    """Keys of one file that mean what others do in another one, old to new: what releases of their times call it."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return _NONE
    found: dict[str, str] = {}
    for group in _SAME_AT_TOP:
        now = next((word for word in group if word in new and word not in old), None)
        found |= {word: now for word in group if now is not None and word in old and word not in new}
    same = (*_SAME_IN_STEPS, *(_SAME_IN_TEXTS if "movements" in found or "steps" in found else ()))
    for one, other in same:
        found |= {one: other, other: one}
    return found


MOVED = frozenset(("provider", "model", "provider_options", "overrides", "rate_limit_fallback", "auto_routing"))
"""Keys whose settings stand in `.takt/runtime.yaml` since 0.60.0."""

_WORDS: Mapping[str, Callable[[], str]] = {
    "movement": lambda: _("step"),
    "movements": lambda: _("steps"),
    "piece": lambda: _("workflow"),
    "pieces": lambda: _("workflows"),
    "ピース": lambda: _("workflow"),
}
_QUOTED = r"“[^“”]*”|「[^「」]*」|‘[^‘’]*’|`[^`]*`|\{[^{}]*\}"  # names, keys and placeholders stay
_WORD = r"((?<![\w./-])(?:movements?|pieces?)(?![\w/-]|\.\w)|ピース)"
_FOUND = re.compile(rf"{_QUOTED}|( ?){_WORD}( ?)", re.IGNORECASE)
_LATIN = re.compile(r"[\x21-\x7e]")


def as_workflow(text: str) -> str:
    """A text that speaks of movements and pieces, in the words of a workflow; what it quotes stays."""
    japanese = any("぀" <= sign <= "鿿" for sign in text)

    def replaced(found: re.Match[str]) -> str:
        word = found[2]
        if word is None:
            return found[0]
        step = _WORDS[word.lower()]()
        if not japanese:
            return f"{found[1]}{step.capitalize() if word[0].isupper() else step}{found[3]}"
        before, after = text[: found.start()][-1:], text[found.end() :][:1]  # a space stands before Latin signs alone
        left, right = (side if _LATIN.match(sign) else "" for side, sign in ((found[1], before), (found[3], after)))
        return f"{left}{step}{right}"

    return _FOUND.sub(replaced, text)
