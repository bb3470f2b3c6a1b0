"""T001 piece-required.

What it does: reports a piece without a name or without movements, and a wrong type of these two, of where it begins or
of its limit. It says which of the last two isn't given, and what then holds.

Why is this bad: releases of TAKT 0.1 to 0.60 refuse to load a file without name or movements; up to 0.35 their lists
just don't show it. The guide expects all four.

Fix: add what is missing.
"""

from collections.abc import Iterator

from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, INFO, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.field_faults import faults_for, finding_of
from stepflow_gui.lint.rules.takt.reading import NO_LIST, TAKT, first_line
from stepflow_gui.lint.rules.takt.release_words import same_words, word_for
from stepflow_gui.text.document import ParsedFile

RULE = Rule("T001", "piece-required", ERROR, formats=TAKT, looks_at=DOCUMENT, defers_to=("T025",))

BAD = piece(("name: issue-flow\n", ""))
GOOD = piece()


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """The faults that the loader finds at these places, then what isn't given."""
    if document is not context.registry:
        return
    for fault in faults_for(RULE.code, context):
        cause = NO_LIST if fault.kind == "required" and fault.path == (context.takt.steps,) else None
        yield finding_of(fault, context)._replace(cause=cause)
    root = document.root
    if root is None or root.kind != "object" or not document.tree.sound or not context.flow.steps:
        return
    called = root.get("subworkflow")
    if called is not None:
        return
    initial, limit = (word_for(key, "top", context) or key for key in (context.takt.initial, context.takt.limit))
    initials, limits = (same_words(key, context) for key in (context.takt.initial, context.takt.limit))
    messages = []
    if not any(map(root.member, initials)):
        text = _("“{key}” isn't given: runs begin with “{step}”")
        messages.append(text.format(key=initial, step=next(iter(context.flow.steps))))
    if not any(map(root.member, limits)):
        messages.append(_("“{key}” isn't given: a run ends after 10 movements").format(key=limit))
    if messages:
        yield Finding(_(". ").join(messages), first_line(context, root), "", severity=INFO)
