"""SF910 retries-end-in-success.

What it does: reports an `onFail` that retries a limited number of times and doesn't define what follows.

Why is this bad: when the retries are used up climpt ends the run as a success, though the check has failed each time.
Under the runtime `guide` such a run ends as a failure; there this is information.

Fix: lift the limit, or fall back to another step in place of retrying.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal
from stepflow_gui.lint.rules.checks.outcomes import OutcomeObject, outcomes
from stepflow_gui.lint.rules.fixes import guesses, take_away
from stepflow_gui.lint.rules.prelude import FLOW, INFO, WARNING, Finding, Rule, RuleContext, Step, _, changed, ngettext
from stepflow_gui.text.pointer import join

RULE = Rule("SF910", "retries-end-in-success", WARNING, formats=("checks",), looks_at=FLOW)

BAD = changed({"/steps/s_a8f3/check/onFail": {"retry": True, "maxRetries": 2}}, base="checks")
GOOD = changed(base="checks")


def check(context: RuleContext) -> Iterator[Finding]:
    """At the number; a version that doesn't know checks can't run the file at all (SF011)."""
    if context.climpt.gates:
        return
    for step in context.flow.steps.values():
        for outcome in outcomes(step):
            most = outcome.value.get("maxRetries")
            retries = outcome.value.get("retry") is True  # of anything else it is unknown
            only_retries = retries and outcome.name == "onFail" and outcome.given_keys == ("retry",)
            if only_retries and isinstance(most, int) and not isinstance(most, bool) and most > 0:
                yield _finding(step, outcome, most, context)


def _finding(step: Step, outcome: OutcomeObject, most: int, context: RuleContext) -> Finding:
    text = (
        ngettext(
            "After {count} retry of “{step}” the run ends as a failure; {era} ends it as a success",
            "After {count} retries of “{step}” the run ends as a failure; {era} ends it as a success",
            most,
        )
        if context.settings.guide
        else ngettext(
            "After {count} retry of “{step}” {era} ends the run as a success, though the check has failed",
            "After {count} retries of “{step}” {era} ends the run as a success, though the check has failed",
            most,
        )
    )
    return Finding(
        text.format(count=most, step=step.id, era=context.climpt.name),
        outcome.member.value.member_span("maxRetries"),
        join(outcome.pointer, "maxRetries"),
        step.id,
        severity=INFO if context.settings.guide else WARNING,
        proposals=guesses(_proposals(step, outcome, context)),
    )


def _proposals(step: Step, outcome: OutcomeObject, context: RuleContext) -> Iterator[Proposal]:
    where = join(outcome.pointer, "maxRetries")
    yield from take_away(context.registry, [where], _("Retry without limit"))
    before = next(
        (move.step for move in context.flow.moves() if move.intent == "pass" and move.target == step.id), None
    )
    if before is not None and before != step.id and context.registry.tree.valid:
        title = _("Fall back to “{step}” in place of retrying").format(step=before)
        yield Proposal(title, Later(lambda: _fallen_back(outcome, before, context), [before]))


def _fallen_back(outcome: OutcomeObject, target: str, context: RuleContext) -> DocumentEdits:
    from stepflow_gui.text.json.edit import set_value

    edits = set_value(context.registry.tree, outcome.pointer, {"fallback": target})
    return [(context.registry, edit) for edit in edits]
