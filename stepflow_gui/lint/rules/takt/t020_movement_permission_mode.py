"""T020 movement-permission-mode.

What it does: reports a permission that is none of readonly, edit and full, and `edit: true` beside `readonly`.

Why is this bad: releases of TAKT 0.2 to 0.60 that read the key refuse to load the file. With readonly the agent is told
to edit files, and can't.

Fix: write one of the three.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.fields import PERMISSIONS
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.field_faults import MODES, faults_for, finding_of
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps
from stepflow_gui.text.pointer import join

RULE = Rule("T020", "movement-permission-mode", ERROR, formats=TAKT, looks_at=FLOW)

BAD = piece(("permission_mode: edit", "permission_mode: edits"))
GOOD = piece()

_LIKE = {"write": "edit", "read": "readonly", "read-only": "readonly", "all": "full"}


def check(context: RuleContext) -> Iterator[Finding]:
    """The faults that the loader finds there, then what contradicts itself."""
    for fault in faults_for(RULE.code, context):
        finding = finding_of(fault, context)
        node = context.registry.tree.at(fault.pointer)
        value = str(node.value) if node is not None else ""
        meant = _LIKE.get(value.lower()) or context.nearest(RULE.code, value, PERMISSIONS)
        if meant:
            yield finding._replace(
                message=finding.message + _(". Did you mean “{meant}”?").format(meant=meant),
                proposals=[write(context.registry, finding.span, meant)],
                misspelt=True,
            )
        else:
            yield finding
    for step, parent in all_steps(context):
        edit = step.node.get("edit")
        for key in MODES:
            mode = step.node.get(key)
            if edit is not None and edit.value is True and mode is not None and mode.value == "readonly":
                text = _("“{step}” is instructed to edit files but may only read them").format(step=step.id)
                yield Finding(text, mode.span, join(step.pointer, key), (parent or step).id, severity=WARNING)
