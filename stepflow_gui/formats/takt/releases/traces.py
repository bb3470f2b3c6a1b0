"""What else in a project tells which releases of TAKT it is for: folders, keys of its configuration, other files."""

import re
from collections.abc import Mapping

from stepflow_gui.formats.takt.releases.places import row_at
from stepflow_gui.formats.takt.releases.sets import ALL, Releases, before, between, since

HOMES: Mapping[str, Releases] = {
    "pieces": between("0.5.0", "0.35.4"),
    "workflows": before("0.5.0") | since("0.34.0"),
}
"""By the folder in `.takt` that a file lies in: the releases that look for it there."""
FOLDERS: Mapping[str, Releases] = {
    "facets": since("0.22.0"),
    "steps": since("0.55.0"),
    "runtime.yaml": since("0.56.0"),
    "facet-pools": since("0.56.0"),
    "companions": since("0.58.0"),
    "provider-options": since("0.46.0"),
    "schemas": since("0.36.0"),
}
"""What else may be in `.takt`, and the releases that look at it."""
FLAT = (("personas", "policies", "knowledge", "instructions", "output-contracts"), between("0.9.0", "0.21.0"))
"""Folders of facets in `.takt` itself, where there is no `facets`."""
CONFIG_KEYS: Mapping[str, Releases] = {
    "piece": between("0.5.0", "0.29.0"),
    "piece_overrides": between("0.29.0", "0.35.4"),
    **dict.fromkeys(("piece_mcp_servers", "piece_arpeggio", "piece_runtime_prepare"), between("0.33.0", "0.35.4")),
    "movement_permission_overrides": between("0.16.0", "0.35.4"),
    "interactive_preview_movements": between("0.9.0", "0.35.4"),
    **dict.fromkeys(
        (
            *("workflow_overrides", "workflow_mcp_servers", "workflow_arpeggio", "workflow_runtime_prepare"),
            *("step_permission_overrides", "interactive_preview_steps"),
        ),
        since("0.34.0"),
    ),
    "rate_limit_fallback": since("0.41.0"),
    "workflow_command_gates": since("0.43.0"),
    "provider_routing": since("0.47.0"),
    "auto_routing": since("0.51.0"),
}
"""Keys of `.takt/config.yaml`, at whatever depth, and the releases that know them."""

_KEY = re.compile(r"^([ \t-]*)([a-z_]{4,40})[ \t]*:", re.MULTILINE)
_OF_STEPS = (
    *("persona", "instruction_template", "permission_mode", "required_permission_mode", "capabilities"),
    *("promotion", "session_key", "dynamic_facets", "companion", "completion_retry", "allow_git_commit"),
    *("provider_options", "output_contracts", "structured_output", "system_inputs", "delay_before_ms"),
    *("agent_name", "on_no_status", "status_rules_prompt"),
)


def keys_in(text: str) -> dict[str, str]:
    """The keys of a YAML text with what stands before them; comments and blocks of text may add some."""
    return {found[2]: found[1] for found in _KEY.finditer(text)}


def releases_by_words(text: str) -> Releases:
    """The releases that read all words of a piece or workflow that stand for releases, without reading it as YAML."""
    found = ALL
    for key, before_it in keys_in(text).items():
        level = "step" if key in _OF_STEPS and before_it else "top" if not before_it else ""
        row = row_at(level, key) if level else None
        if row is not None and row.read:
            found &= row.read
    return found
