"""T022 condition-duplicate.

What it does: reports two rules of one movement, sub-step or judge with the same condition; in workflows also two of one
label, with different `when(…)`, whose appendices differ.

Why is this bad: the judge can't tell them apart; of two that ask for the same results the second never holds. One label
can ask for one appendix only: TAKT 0.60 refuses to load the file.

Fix: say what sets them apart, or remove one.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Transition
from stepflow_gui.formats.takt.conditions_model import Aggregate
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, WARNING, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps, judges, label_of, parsed
from stepflow_gui.text.json.tree import JsonValue

RULE = Rule("T022", "condition-duplicate", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(("condition: It can't be done", "condition: Done"))
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """Every list of rules."""
    for step, parent in all_steps(context):
        conflicts = _appendices(step, (parent or step).id, context) if not context.takt.judges_rest else {}
        yield from conflicts.values()
        yield from (found for found in _of(step, (parent or step).id, context) if found.pointer not in conflicts)
    for judge in judges(context):
        yield from _of(judge, None, context)


def _appendices(step: Step, owner: str, context: RuleContext) -> dict[str, Finding]:
    """Rules whose appendix isn't that of the first rule of their label, by the pointer of their condition."""
    seen: dict[str, Transition] = {}
    found = {}
    for rule in step.transitions:
        label = label_of(parsed(rule, context), rule, context)
        first = seen.setdefault(label, rule) if label else rule
        if _appendix(first) == _appendix(rule):
            continue
        text = _("“{label}” has another appendix than in the rule before: {runner} refuses to load the file")
        key = "condition" if _appendix(rule) is None else "appendix"
        found[f"{rule.pointer}/condition"] = Finding(
            text.format(label=label, runner=context.takt.release),
            rule.key_span if key == "condition" else rule.node.key_span(key),
            f"{rule.pointer}/{key}",
            owner,
            severity=ERROR,
            sides=[Side(context.registry, first.key_span, f"{first.pointer}/condition", _("the first is here"))],
        )
    return found


def _appendix(rule: Transition) -> JsonValue:
    node = rule.node.get("appendix")
    return node.value if node is not None else None


def _of(step: Step, owner: str | None, context: RuleContext) -> Iterator[Finding]:
    seen: dict[str, Transition] = {}
    for rule in step.transitions:
        if not rule.as_written:
            continue
        first = seen.setdefault(rule.as_written.strip() if context.takt.judges_rest is False else rule.as_written, rule)
        if first is rule or (first.interactive and not rule.interactive):
            continue
        never = not context.takt.judges_rest or isinstance(parsed(rule, context), Aggregate)
        text = (
            _("“{condition}” stands there twice: this rule never holds, the one before does")
            if never
            else _("“{condition}” stands there twice: the judge can't tell the rules apart")
        )
        yield Finding(
            text.format(condition=rule.as_written),
            rule.key_span,
            f"{rule.pointer}/condition",
            owner,
            sides=[Side(context.registry, first.key_span, f"{first.pointer}/condition", _("the first is here"))],
        )
