"""SF232 chain-unused.

What it does: reports an `adaptationChain` of a step that doesn't allow `repeat`, an empty one of a step that does, and
one that is longer than the agent's maxIterations.

Why is this bad: only a repeat takes an element of it, so the first does nothing. With an empty one the first
repeat ends the run with an error.

Fix: remove the chain, or allow `repeat`; give an empty one an element for each repeat.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.agent.limits import limit_of
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.intents.chains import FIELD, allows_repeat, place
from stepflow_gui.lint.rules.prelude import ADDRESSED, FLOW, INFO, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF232", "chain-unused", WARNING, formats=ADDRESSED, looks_at=FLOW, defers_to=("SF201", "SF202"))

BAD = changed({"/steps/initial.issue/adaptationChain": []}, base="adt-kind-address")
GOOD = changed({"/steps/initial.issue/adaptationChain": ["default"]}, base="adt-kind-address")


def check(context: RuleContext) -> Iterator[Finding]:
    """A text has as many elements as letters; a chain of another type is SF231's, a gate without intents SF219's."""
    for step in context.flow.steps.values():
        chain = step.raw.get(FIELD)
        if isinstance(chain, list | str) and context.contract(step).allowed != []:
            yield from _of(step, len(chain), context)


def _of(step: Step, length: int, context: RuleContext) -> Iterator[Finding]:
    span, pointer = place(step, context)
    if not allows_repeat(step, context):
        message = _("“{step}” has an adaptationChain but doesn't allow “repeat”: the chain is never used")
        title = _("Remove “{word}”").format(word=FIELD)
        severity = WARNING if length else INFO
        proposals = take_away(context.registry, [pointer], title)
        text, cause = (
            message.format(step=step.id),
            context.contract(step).cause_of("repeat"),
        )  # SF202 speaks where the schema offers it
        yield Finding(text, span, pointer, step.id, severity=severity, proposals=proposals, cause=cause)
    elif not length:
        message = _("The adaptationChain of “{step}” is empty: the first repeat ends the run with an error")
        yield Finding(message.format(step=step.id), span, pointer, step.id)
    elif (limit := _limit(context)) is not None and length >= limit:
        message = _("The adaptationChain of “{step}” has {count} elements, and a run has {limit} iterations at most")
        text = message.format(step=step.id, count=length, limit=limit)
        yield Finding(text, span, pointer, step.id, severity=INFO)


def _limit(context: RuleContext) -> int | None:
    agent = context.agent_file
    limit = limit_of(context, agent) if agent else None
    return limit.iterations if limit else None
