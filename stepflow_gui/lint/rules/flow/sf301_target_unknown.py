"""SF301 target-unknown.

What it does: reports transitions, cases of conditional transitions and fallbacks whose target step doesn't exist.

Why is this bad: the run stops with an error as soon as it follows the transition. Where the runner never follows the
name (the `fallback` of a rule, the target of `closing`, `complete`, `repeat` or `abort`, a transition that no answer
can take) it is misleading.

Fix: write the step that was meant, or add it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import Text, Transition
from stepflow_gui.formats.checks.vocabulary import OUTCOME_OF_INTENT
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import RANK, Severity
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.flow.naming import runner
from stepflow_gui.lint.rules.flow.step_names import at_misnamed, is_step, meant_step, respelt
from stepflow_gui.lint.rules.prelude import (
    ALL,
    ERROR,
    FLOW,
    GATE,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
    ngettext,
)
from stepflow_gui.lint.run_paths import TARGET_ONLY, WITHOUT_RULE
from stepflow_gui.text.pointer import join

RULE = Rule("SF301", "target-unknown", ERROR, formats=ALL, looks_at=FLOW)

BAD = changed({"/steps/initial.issue/transitions/next/target": "continuation.isue"})
GOOD = changed()


def _of_fallback() -> str:
    return _("The fallback of “{intent}” of “{step}” is “{target}”, which is not a step; {era} never follows it")


class _Use(NamedTuple):
    """A place that names a missing step, and what is wrong there."""

    named: Text
    step: Step
    message: str
    severity: Severity


def check(context: RuleContext) -> Iterator[Finding]:
    """A step that is missing is one finding, however many rules name it."""
    uses: dict[str, list[_Use]] = {}
    for use in _uses(context):
        uses.setdefault(use.named.value, []).append(use)
    for group in uses.values():
        yield _finding(group, context)


def _uses(context: RuleContext) -> Iterator[_Use]:
    """Look at every name in every rule, but for those of words that are not intent: SF205 says so."""
    for step in context.flow.steps.values() if context.format != "takt" else ():  # T004 speaks there
        emitted, unknown = context.emitted(step), _unknown_words(step, context)
        for rule in step.transitions:
            if rule.intent in unknown:
                continue
            followed = rule.intent not in WITHOUT_RULE and rule in emitted and not _ends_anyway(step, rule, context)
            if rule.target:
                # Boot of climpt 1.14 looks at every plain target, whether a run gets there or not.
                yield from _target(rule.target, rule, step, context, followed or context.era.whole_check)
            for case in rule.cases:
                if case.target:
                    cases_read = followed and rule.intent not in TARGET_ONLY and not rule.target
                    chosen = cases_read and (case.value == "default" or _hands_over(step, rule))
                    yield from _target(case.target, rule, step, context, chosen)
            if rule.fallback and not _known(rule.fallback, context):
                text = _(
                    "The fallback of “{intent}” of “{step}” is “{target}”, which is not a step; {era} never follows it"
                )
                yield _use(text, rule.fallback, rule, step, context, False)


def _hands_over(step: Step, rule: Transition) -> bool:
    """Whether the step hands over what the condition asks for; else only the default is taken."""
    fields = step.gate.handoff_fields if step.gate else ()
    wanted = rule.condition.value if rule.condition else None
    return any(field.value.rpartition(".")[2] == wanted for field in fields)


def _unknown_words(step: Step, context: RuleContext) -> set[str]:
    if step.gate is None or context.judged_as not in GATE:
        return set()
    return {word.value for word in context.contract(step).transitions or () if word.reading == "unknown"}


def _known(target: Text, context: RuleContext) -> bool:
    return is_step(target.value, context.flow) or has_placeholder(target.value)


def _target(target: Text, rule: Transition, step: Step, context: RuleContext, followed: bool) -> Iterator[_Use]:
    if _known(target, context) or not target.value:
        return  # an empty target counts as none: SF004
    message = (
        _("“{intent}” of “{step}” goes to “{target}”, which is not a step: {era} refuses to start the agent")
        if context.era.whole_check and target is rule.target
        else _("“{intent}” of “{step}” goes to “{target}”, which is not a step: the run stops there with an error")
        if followed
        else _("“{intent}” of “{step}” names “{target}”, which is not a step; {era} never follows it")
    )
    yield _use(message, target, rule, step, context, followed)


def _ends_anyway(step: Step, rule: Transition, context: RuleContext) -> bool:
    """The guide visits a `complete` step once, and then the run ends whatever it says but `repeat`."""
    return context.era.visits_complete and step.id.startswith("complete.") and rule.intent != "repeat"


def _use(message: str, target: Text, rule: Transition, step: Step, context: RuleContext, followed: bool) -> _Use:
    era = runner(context) if _ends_anyway(step, rule, context) else context.climpt.name
    word = OUTCOME_OF_INTENT.get(rule.intent, rule.intent) if context.format == "checks" else rule.intent
    text = message.format(intent=word, step=step.id, target=target.value, era=era)
    return _Use(target, step, text, ERROR if followed else WARNING)


def _finding(uses: list[_Use], context: RuleContext) -> Finding:
    first = min(uses, key=lambda use: RANK[use.severity])
    named, text = first.named, first.message
    meant = meant_step(RULE.code, named.value, context)
    others = [use for use in uses if use is not first]
    if others:
        text += ngettext(
            ". {count} other transition goes to it too", ". {count} other transitions go to it too", len(others)
        ).format(count=len(others))
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    sides = [Side(context.registry, use.named.span, use.named.pointer, use.message) for use in others]
    proposals = respelt(named, meant, context, also=[use.named for use in others])
    finding = Finding(
        text,
        named.span,
        named.pointer,
        first.step.id,
        severity=first.severity,
        sides=[*sides, *_validation_step(named, context)],
        proposals=proposals,
        misspelt=bool(meant or proposals),
    )
    return at_misnamed(finding, named, context)


def _validation_step(target: Text, context: RuleContext) -> Iterator[Side]:
    """A step of that name stands where the router doesn't look."""
    for holder in ("validationSteps", "completionSteps"):
        pointer = join("", holder, target.value)
        span = context.registry.tree.key_span(pointer)
        if span:
            yield Side(context.registry, span, pointer, _("it is here, where transitions don't go"))
