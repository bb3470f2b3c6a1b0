"""T022 condition-duplicate.

What it does: reports two rules of one movement, sub-step or judge with the same condition; since 0.53 also two of one
label, with different `when(…)`, whose appendices differ.

Why is this bad: up to TAKT 0.52 the judge can't distinguish them; later, and always of two that ask for the same
results, the second never holds. One label can ask for one appendix only: TAKT 0.53 to 0.60 refuse to load the file.

Fix: make them differ, or remove one.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Transition
from stepflow_gui.formats.takt.conditions_model import Aggregate
from stepflow_gui.formats.takt.releases.sets import ALL, since
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import FLOW, WARNING, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps, judges, label_of, parsed
from stepflow_gui.lint.rules.takt.release_words import in_part, runner, severity, wanted_releases
from stepflow_gui.text.json.tree import JsonValue

RULE = Rule("T022", "condition-duplicate", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(("condition: It can't be done", "condition: Done"))
GOOD = piece()

_ORDERED = since("0.53.0")  # the first rule that holds is taken, whatever its kind


def check(context: RuleContext) -> Iterator[Finding]:
    """Every list of rules."""
    for step, parent in all_steps(context):
        conflicts = _appendices(step, (parent or step).id, context) if wanted_releases(context) & _ORDERED else {}
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
            text.format(label=label, runner=runner(context, _ORDERED)),
            rule.key_span if key == "condition" else rule.node.key_span(key),
            f"{rule.pointer}/{key}",
            owner,
            severity=severity(context, _ORDERED),
            sides=[Side(context.registry, first.key_span, f"{first.pointer}/condition", _("the first is here"))],
        )
    return found


def _appendix(rule: Transition) -> JsonValue:
    node = rule.node.get("appendix")
    return node.value if node is not None else None


def _of(step: Step, owner: str | None, context: RuleContext) -> Iterator[Finding]:
    seen: dict[str, Transition] = {}
    ordered = wanted_releases(context) & _ORDERED
    for rule in step.transitions:
        if not rule.as_written:
            continue
        first = seen.setdefault(rule.as_written.strip() if ordered else rule.as_written, rule)
        if first is rule or (first.interactive and not rule.interactive):
            continue
        asked = isinstance(parsed(rule, context), Aggregate)
        text = (
            in_part(
                _("“{condition}” appears twice: this rule never holds, the one before does"),
                context,
                ALL if asked else _ORDERED,
            )
            if asked or ordered
            else _("“{condition}” appears twice: the judge can't distinguish the rules")
        )
        yield Finding(
            text.format(condition=rule.as_written),
            rule.key_span,
            f"{rule.pointer}/condition",
            owner,
            sides=[Side(context.registry, first.key_span, f"{first.pointer}/condition", _("the first is here"))],
        )
