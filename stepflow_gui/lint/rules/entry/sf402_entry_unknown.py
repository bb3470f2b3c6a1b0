"""SF402 entry-unknown.

What it does: reports an `entryStep`, or a value of `entryStepMapping`, that names no step.

Why is this bad: the runner looks at all of them when it loads the registry, also at those of verdict types that the
agent doesn't use, and refuses to go on.

Fix: write the step that was meant.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Entry, Text
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import RANK
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.entry.verdicts import outcome_of_entry
from stepflow_gui.lint.rules.flow.step_names import at_misnamed, is_step, meant_step, respelt
from stepflow_gui.lint.rules.prelude import ALL, ERROR, FLOW, Finding, Rule, RuleContext, _, changed, ngettext
from stepflow_gui.text.pointer import join

RULE = Rule("SF402", "entry-unknown", ERROR, formats=ALL, looks_at=FLOW, defers_to=("SF407",))

BAD = changed({"/entryStepMapping": {"poll:state": "initial.issues"}})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """A step that is missing is one finding, however many entries name it."""
    missing: dict[str, list[tuple[Entry, Text]]] = {}
    for entry in context.flow.entries if context.format != "takt" else ():  # T002 speaks there
        target = entry.target
        if target is None or (entry.key is None and not target.value):
            continue  # an empty entryStep counts as absent
        if not is_step(target.value, context.flow) and not has_placeholder(target.value):
            missing.setdefault(target.value, []).append((entry, target))
    for uses in missing.values():
        yield _finding(uses, context)


def _finding(uses: list[tuple[Entry, Text]], context: RuleContext) -> Finding:
    entry, target = uses[0]
    side = target.pointer.removeprefix(join("/entryStepMapping", entry.key)) if entry.key is not None else ""
    if entry.key is None:
        message = _("entryStep is “{target}”, which is not a step: {outcome}")
    elif side:
        message = _("“{side}” of the entry for “{type}” is “{target}”, which is not a step: {outcome}")
    else:
        message = _("The entry for “{type}” is “{target}”, which is not a step: {outcome}")
    severity, outcome = min(
        (outcome_of_entry(each.key, context) for each, _target in uses), key=lambda each: RANK[each[0]]
    )
    text = message.format(type=entry.key, side=side.removeprefix("/"), target=target.value, outcome=outcome)
    others = [each for _entry, each in uses[1:]]
    if others:
        count = len(others)
        text += ngettext(". {count} other entry names it too", ". {count} other entries name it too", count).format(
            count=count
        )
    meant = meant_step(RULE.code, target.value, context)
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    proposals = respelt(target, meant, context, also=others)
    finding = Finding(
        text,
        target.span,
        target.pointer,
        severity=severity,
        sides=[Side(context.registry, each.span, each.pointer, _("the same step")) for each in others],
        proposals=proposals,
        misspelt=bool(meant or proposals),
    )
    return at_misnamed(finding, target, context)
