"""The known keys inside the fields that workflows have since 0.36 (takt.md 13.2, takt-versions.md 3).

No release was asked about each of them: any other key passes unless it is a slip of one of these, and any value that is
not an object.
"""

from stepflow_gui.formats.fields import ANY, STRING, Field, Shape, choice, list_of, map_of, object_of, string
from stepflow_gui.messages import _


def _known(*names: str, **inner: Shape) -> Shape:
    """An object with these keys, of which some hold more."""
    fields = (*((name, ANY) for name in names), *inner.items())
    return object_of(
        *(Field(name, shape, lambda: _("A field of newer workflows"), formats=("workflow",)) for name, shape in fields),
        others=ANY,
    )


_FILLED = string(pattern=r"[\s\S]+")
_NAMED = Shape("either", either=(STRING, map_of(ANY)))  # by a text, or by the parameter that holds it
_SELECTOR = _known("instruction", "persona")
_PARAMETER = _known("type", "facet_kind", "default")
_FOUND = _known("head_branch", "managed_by_takt", "same_repository", "draft")
_BRANCH = _known("name", create_if_missing=_known("from", "push"))
_TREE = _known("enabled", "auto_pr", "draft_pr", "managed_pr")
SELECTION = _known("reports", "max_selected", selector=_SELECTOR)
ARPEGGIO = _known(
    *("source", "source_path", "template", "batch_size", "concurrency", "merge"),
    *("max_retries", "retry_delay_ms", "output_path"),
)

_NETWORK = _known("network_access", "reasoning_effort")
PROVIDER_OPTIONS = _known("extends", claude=_known("allowed_tools", "sandbox"), codex=_NETWORK, opencode=_NETWORK)

_ANYWHERE = _known("ref", "position")

_SERVERS = map_of(_known("type", "command", "args", "env", "url", "headers"))
GATES = list_of(
    Shape("either", either=(STRING, _known(type=choice("command"), command=_FILLED)))
)  # a text, or a command that is run
TRANSITION = _known("condition", "next_step")  # of 0.1 and 0.2
OLDER_REPORT = _known("name", "order", "format")  # of 0.3 to 0.7
PROVIDER = _known("type", "model")  # as an object, since 0.29
RUNTIME = object_of(
    Field("prepare", list_of(_FILLED), lambda: _("What is prepared before a run: presets, or scripts")), others=ANY
)
# Of `workflow_config` and `piece_config`.
CONFIG = object_of(Field("runtime", RUNTIME, lambda: _("How runs are set up")), others=ANY)

OF_WORKFLOW: dict[str, Shape] = {
    "mcp_servers": _SERVERS,
    "workflow_config": CONFIG,
    "subworkflow": _known("callable", "visibility", "returns", params=map_of(_PARAMETER)),
    "schemas": map_of(STRING),
    "facet_pools": map_of(_known("uses")),
    "all_steps": _known(rules=list_of(Shape("either", either=(STRING, _ANYWHERE)))),
}
OF_STEP: dict[str, Shape] = {
    "mcp_servers": _SERVERS,
    "call": _NAMED,
    "structured_output": _known(schema_ref=_NAMED),
    "system_inputs": list_of(
        _known("type", "source", "as", "exclude_current_task", "exclude_selected_from", where=_FOUND)
    ),
    "effects": list_of(
        _known(
            *("type", "pr", "mode", "workflow", "task", "issue", "issue_number"), base_branch=_BRANCH, worktree=_TREE
        )
    ),
    "arpeggio": ARPEGGIO,
    "dynamic_facets": _known("pool", "max_selected", selector=_SELECTOR),
    "completion_retry": _known("retry_instruction", "max_retry"),
}
