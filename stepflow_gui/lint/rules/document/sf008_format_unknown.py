"""SF008 format-unknown.

What it does: reports a file that was taken for a registry and has none of the marks of one.

Why is this bad: nothing about it can be checked, drawn or run.

Fix: give the file the shape of one of the formats, or name the registry that was meant.
"""

from collections.abc import Iterator

from stepflow_gui.lint.examples.example import whole
from stepflow_gui.lint.rules.document.root_marks import has_marks
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Span

RULE = Rule("SF008", "format-unknown", ERROR, looks_at=DOCUMENT)

BAD = whole('{"name": "issue-flow", "flow": []}')
GOOD = changed()


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Look at the registry only."""
    root = document.root
    if document is not context.registry or context.folder.format is not None or not document.tree.valid:
        return
    if root is not None and root.kind == "object" and not has_marks(root):
        yield Finding(
            _(
                "This is not a registry of any known format: it has neither “steps” as climpt registries do nor "
                "“movements” as TAKT pieces do"
            ),
            Span(root.start, root.start + 1),
            "",
        )
