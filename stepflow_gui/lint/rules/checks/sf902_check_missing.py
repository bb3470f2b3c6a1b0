"""SF902 check-missing.

What it does: reports steps without a `check`, and checks without a prompt, `onPass` or `onFail`.

Why is this bad: nothing says how the step is judged and where the flow goes on. climpt ends the run as a failure after
a step without a check, and where the check has no prompt; without `onPass` or `onFail` it ends it as a success.

Fix: add what is missing.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.checks import drafting
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.checks.outcomes import check_of, reader
from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, REMOVED, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

RULE = Rule("SF902", "check-missing", ERROR, formats=("checks",), looks_at=FLOW, defers_to=("SF010",))

BAD = changed({"/steps/s_b2c1/check/onFail": REMOVED}, base="checks")
GOOD = changed(base="checks")

PARTS = ("prompt", "onPass", "onFail")


def check(context: RuleContext) -> Iterator[Finding]:
    """At the step, or at its check; one of a wrong type is SF004's."""
    for step in context.flow.steps.values():
        inner = check_of(step)
        if step.raw.get("check") is None:
            text = _("“{step}” has no check: {era} ends the run there, as a failure")
            yield Finding(
                text.format(step=step.id, era=reader(context)),
                step.key_span,
                step.pointer,
                step.id,
                proposals=_with_check(step, context),
                cause=("format", step.id),
                lacks=("check",),
            )
        elif inner is not None:
            missing = [part for part in PARTS if inner.value.value.get(part) is None]
            if missing:
                text = (
                    _("The check of “{step}” has no {parts}: {era} ends the run there, as a failure")
                    if "prompt" in missing
                    else _("The check of “{step}” has no {parts}: {era} ends the run there, as a success")
                )
                message = text.format(step=step.id, parts=listed(missing), era=reader(context))
                where = join(step.pointer, "check")
                proposals = _with_parts(step, where, missing, context)
                yield Finding(message, inner.key_span, where, step.id, proposals=proposals, lacks=missing)


def _with_check(step: Step, context: RuleContext) -> Iterator[Proposal]:
    topic = _topic(step)
    value = drafting.new_check(context.flow, topic, _following(step, context.flow))
    if "check" not in step.raw:
        yield from put(context.registry, step.pointer, "check", value, _("Add a check"))


def _with_parts(step: Step, where: str, missing: list[str], context: RuleContext) -> Iterator[Proposal]:
    inner = check_of(step)
    values: dict[str, JsonValue] = drafting.new_check(context.flow, _topic(step), _following(step, context.flow))
    for part in missing:
        if inner is not None and part not in inner.value.value:
            title = _("Add “{field}”").format(field=part)
            yield from put(context.registry, where, part, values[part], title)


def _topic(step: Step) -> str:
    return step.c3.value if step.c3 and step.c3.value else drafting.topic_of(step.title)


def _following(step: Step, flow: Flow) -> str | None:
    """The step behind it in the file."""
    steps = list(flow.steps)
    at = steps.index(step.id) + 1
    return steps[at] if at < len(steps) else None
