"""Keys of TAKT files that were renamed or dropped over time (takt.md 13.1)."""

from collections.abc import Mapping

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
MOVED = frozenset(("provider", "model", "provider_options", "overrides", "rate_limit_fallback", "auto_routing"))
"""Keys whose settings stand in `.takt/runtime.yaml` since 0.60.0."""
