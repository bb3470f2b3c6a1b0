"""T010 aggregate-unknown-text.

What it does: reports a text in all() or any() that is not a condition of the sub-steps which it is about; of a
positional all() the sub-step at that place.

Why is this bad: no sub-step can end like that, so the rule never holds, or never because of this text. The texts are
compared letter by letter.

Fix: write the condition of the sub-step as it is there.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Transition
from stepflow_gui.formats.takt.conditions_model import Label, LabelWhen, SubCondition
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import STEP, WARNING, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT, aggregates, results_of
from stepflow_gui.lint.rules.takt.targets import meant_for

RULE = Rule("T010", "aggregate-unknown-text", WARNING, formats=TAKT, looks_at=STEP)

BAD = piece(('condition: any("needs_fix")', 'condition: any("needs_fix", "needs fix")'))
GOOD = piece()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Silent if the results of some sub-step are unknown."""
    if not step.subs or any(not sub.transitions or sub.unread for sub in step.subs):
        return
    results = [results_of(sub, context) for sub in step.subs]
    for rule, condition in aggregates(step, context):
        for index, wanted in enumerate(condition.wanted):
            label = label_wanted(wanted)
            if condition.positional and len(condition.wanted) == len(step.subs):
                known, sub = results[index], step.subs[index].id
            else:
                known, sub = [each for own in results for each in own], None
            if label is not None and label not in known:
                rest = not condition.every and any(label_wanted(each) in {None, *known} for each in condition.wanted)
                yield _finding(label, known, sub, rule, step, context, rest_may_hold=rest)


def label_wanted(wanted: SubCondition) -> str | None:
    """The label that a part of an aggregate asks for."""
    if isinstance(wanted, LabelWhen):
        return wanted.label.text
    return wanted.text if isinstance(wanted, Label) else None


def _finding(
    label: str,
    known: list[str],
    sub: str | None,
    rule: Transition,
    step: Step,
    context: RuleContext,
    *,
    rest_may_hold: bool,
) -> Finding:
    text = (
        _("No sub-step of “{step}” ends with “{label}”: “{condition}” never holds because of it")
        if rest_may_hold
        else _("No sub-step of “{step}” ends with “{label}”: “{condition}” never holds")
        if sub is None
        else _("The sub-step “{sub}” of “{step}” never ends with “{label}”: “{condition}” never holds")
    )
    text = text.format(step=step.id, sub=sub, label=label, condition=rule.as_written)
    meant = meant_for(label, list(dict.fromkeys(known)), context, RULE.code)
    proposals: list[Proposal] = []
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
        wished = rule.as_written.replace(f'"{label}"', f'"{meant}"')
        if wished != rule.as_written:
            proposals = [write(context.registry, rule.key_span, wished)]
    return Finding(text, rule.key_span, f"{rule.pointer}/condition", step.id, proposals=proposals)
