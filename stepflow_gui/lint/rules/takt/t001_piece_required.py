"""T001 piece-required.

What it does: reports a piece without a name or without movements, and a wrong type of these two, of where it begins or
of its limit. It says which of the last two isn't given, and what then holds.

Why is this bad: TAKT 0.8 and TAKT 0.60 refuse to load a file without name or movements; their lists don't show such a
piece. The guide wants all four.

Fix: add what is missing.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.releases.sets import row
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, INFO, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.field_faults import faults_for, finding_of
from stepflow_gui.lint.rules.takt.reading import TAKT, first_line, wanted_releases
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Node

_WORDS = (("initial_step", "initial_movement"), ("max_iterations", "max_movements", "max_steps"))  # by release

RULE = Rule("T001", "piece-required", ERROR, formats=TAKT, looks_at=DOCUMENT)

BAD = piece(("name: issue-flow\n", ""))
GOOD = piece()


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """The faults that the loader finds at these places, then what isn't given."""
    if document is not context.registry:
        return
    for fault in faults_for(RULE.code, context):
        yield finding_of(fault, context)
    root = document.root
    if root is None or root.kind != "object" or not document.tree.sound or not context.flow.steps:
        return
    called = root.get("subworkflow")
    absent = (
        []
        if called is not None
        else [key for key in (context.takt.initial, context.takt.limit) if not _is_given(key, root, context)]
    )
    if absent:
        first = next(iter(context.flow.steps))
        messages = {
            context.takt.initial: _("“{key}” isn't given: runs begin with “{step}”").format(
                key=context.takt.initial, step=first
            ),
            context.takt.limit: _("“{key}” isn't given: a run ends after 10 movements").format(key=context.takt.limit),
        }
        yield Finding(_(". ").join(messages[key] for key in absent), first_line(context, root), "", severity=INFO)


def _is_given(key: str, root: Node, context: RuleContext) -> bool:
    """Whether a key is there, or one in its place that all releases read that the file is for."""
    releases = wanted_releases(context)
    readers = (row("top", word) for word in _WORDS[key == context.takt.limit] if root.member(word))
    return bool(root.member(key)) or any(each and releases and not releases & ~each.read for each in readers)
