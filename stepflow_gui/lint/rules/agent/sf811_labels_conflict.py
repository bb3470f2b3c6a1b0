"""SF811 labels-conflict.

What it does: reports a label that is both added and removed when the agent is done.

Why is this bad: only one of the two can be what you mean, and which of them wins depends on GitHub.

Fix: leave the label in one of the lists.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.prelude import DOCUMENT, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue

RULE = Rule("SF811", "labels-conflict", WARNING, looks_at=DOCUMENT)

_COMPLETION = "/runner/integrations/github/labels/completion"
BAD = changed(
    {
        "agent.json#/runner/integrations": {
            "github": {"enabled": True, "labels": {"completion": {"add": ["done"], "remove": ["in progress", "done"]}}}
        }
    }
)
GOOD = changed(
    {
        "agent.json#/runner/integrations": {
            "github": {"enabled": True, "labels": {"completion": {"add": ["done"], "remove": ["in progress"]}}}
        }
    }
)


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """GitHub's labels know no letter case."""
    agent = context.agent_file
    if document is not context.folder.agent_document or agent is None:
        return
    added = _labels(agent.value(f"{_COMPLETION}/add"))
    for label, index in _labels(agent.value(f"{_COMPLETION}/remove")).items():
        if label in added:
            pointer = f"{_COMPLETION}/remove/{index}"
            text = _("The label “{label}” is both added and removed at the end").format(label=agent.value(pointer))
            side = agent.side(f"{_COMPLETION}/add/{added[label]}", _("it is added here"))
            yield agent.finding(text, pointer, sides=[side])


def _labels(value: JsonValue) -> dict[str, int]:
    given = value if isinstance(value, list) else []
    return {label.lower(): index for index, label in enumerate(given) if isinstance(label, str)}
