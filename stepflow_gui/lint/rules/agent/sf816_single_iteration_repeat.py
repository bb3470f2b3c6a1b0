"""SF816 single-iteration-repeat.

What it does: reports a step that may answer `repeat` although maxIterations is 1.

Why is this bad: after the only iteration the run ends, so a repeat never happens. Under count:iteration the run
even counts as done when the step asked to be repeated.

Fix: allow two iterations or more, or remove `repeat`.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.agent.limits import LIMIT, limit_of
from stepflow_gui.lint.rules.prelude import FLOW, GATE, INFO, REMOVED, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.edit import TextEdit

RULE = Rule("SF816", "single-iteration-repeat", WARNING, formats=GATE, looks_at=FLOW)

_ONLY_PROMPT = {
    "prompts/steps/initial/issue/f_default.md": REMOVED,
    "prompts/steps/continuation/issue/f_default.md": REMOVED,
}
_ONLY_CLOSURE = {
    "/entryStep": "closure.issue",
    "/entryStepMapping": {"count:iteration": "closure.issue"},
    "/steps/initial.issue": REMOVED,
    "/steps/continuation.issue": REMOVED,
}
BAD = changed(
    _ONLY_CLOSURE | {"agent.json#/runner/verdict": {"type": "count:iteration", "config": {"maxIterations": 1}}},
    texts=_ONLY_PROMPT,
)
GOOD = changed(
    _ONLY_CLOSURE | {"agent.json#/runner/verdict": {"type": "count:iteration", "config": {"maxIterations": 2}}},
    texts=_ONLY_PROMPT,
)


def check(context: RuleContext) -> Iterator[Finding]:
    """Only the entry step runs."""
    agent = context.agent_file
    limit = limit_of(context, agent) if agent else None
    if agent is None or limit is None or limit.iterations != 1:
        return
    step = context.flow.steps[limit.entry]
    allowed = next((text for text in step.gate.intents if text.value == "repeat"), None) if step.gate else None
    if allowed is None:
        return
    rule = step.transition("repeat")
    span, pointer = (rule.key_span, rule.pointer) if rule else (allowed.span, allowed.pointer)
    place = agent.place(LIMIT)
    edit = TextEdit(place.span.start, place.span.end, "2")
    text = _("“{step}” may answer “repeat”, and maxIterations is 1: the run ends before it could be repeated")
    yield Finding(
        text.format(step=step.id),
        span,
        pointer,
        step.id,
        severity=INFO if context.settings.guide else WARNING,
        sides=[agent.side(LIMIT, _("one iteration is all there is"))],
        proposals=[Proposal(_("Allow two iterations"), ((agent.document, edit),))],
    )
