"""SF517 closure-only-prompt.

What it does: reports a registry of closure steps only in which another prompt is meant than the one that is shown: the
entry pair names two steps, or a step has an adaptation, or the agent a defaultClosureAction.

Why is this bad: climpt 1.14 (a pre-release) then shows the prompt of the pair's continuation at every turn, and no
adaptation changes it; under detect:graph that of the initial step.

Fix: let the pair name one step twice, and remove the adaptations; or add a step of another kind.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.adaptation_chain import chain_elements
from stepflow_gui.formats.climpt.vocabulary import CLOSURE_ACTIONS, DEFAULT_CHAIN
from stepflow_gui.lint.rules.entry.verdicts import todays, verdict_of
from stepflow_gui.lint.rules.intents.chains import FIELD
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    FLOW,
    REMOVED,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)

RULE = Rule("SF517", "closure-only-prompt", WARNING, formats=ADDRESSED, looks_at=FLOW)

_ALONE = {
    "/steps/initial.issue": REMOVED,
    "/steps/continuation.issue": REMOVED,
    "/entryStepMapping/poll:state": {"initial": "closure.issue", "continuation": "closure.issue"},
}
_PROMPTS = {f"prompts/steps/{phase}/issue/f_default.md": REMOVED for phase in ("initial", "continuation")}
BAD = changed(
    {**_ALONE, "/steps/closure.issue/adaptationChain": ["again"]},
    base="adt-kind-address",
    texts={**_PROMPTS, "prompts/steps/closure/issue/f_default_again.md": "Issue {uv-issue} once more\n"},
)
GOOD = changed(_ALONE, base="adt-kind-address", texts=_PROMPTS)


def check(context: RuleContext) -> Iterator[Finding]:
    """At the pair of the agent's verdict."""
    steps = [step for step in context.flow.steps.values() if not step.is_section]
    verdict = verdict_of(context)
    if not steps or verdict is None or any(step.kind != "closure" for step in steps):
        return
    key = todays(verdict.value)
    pair = {entry.continuation: entry for entry in context.flow.entries if entry.key == key}
    first, later = pair.get(False), pair.get(True)
    if first is None or later is None or first.target is None or later.target is None:
        return
    shown = first.target if key == "detect:graph" else later.target
    differs = first.target.value != later.target.value and key != "detect:graph"
    if not differs and not any(_is_adapted(step, context) for step in steps):
        return
    message = _("All steps are closures: climpt-1.14 shows the prompt of “{step}” at every turn, without adaptations")
    yield Finding(message.format(step=shown.value), shown.span, shown.pointer)


def _is_adapted(step: Step, context: RuleContext) -> bool:
    chain = step.raw.get(FIELD)
    agent = context.folder.agent
    action = agent.default_closure_action if agent else None
    return any(each not in DEFAULT_CHAIN for each in chain_elements(chain)) or (
        action is not None and action.value in CLOSURE_ACTIONS[1:]
    )
