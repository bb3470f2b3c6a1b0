"""SF101 step-id-mismatch.

What it does: compares the key of each step with the `stepId` inside it (`id` in registries with checks).

Why is this bad: transitions and entries name the key; the other name is never used. The guide expects both to be the
same, and `climpt --validate` refuses the registry. climpt 1.14 (a pre-release) refuses it at each start.

Fix: write the key as the `stepId`. Where transitions name the `stepId` instead, rename the key.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Flow, Text
from stepflow_gui.lint.closest_name import is_slip, plain
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, GATE, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.steps.phases import has_form
from stepflow_gui.lint.step_identity import names_of_step

RULE = Rule("SF101", "step-id-mismatch", WARNING, formats=(*GATE, "checks"), looks_at=FLOW)

BAD = changed({"/steps/closure.issue/stepId": "closing.issue"})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Look at every step that says an id; one that says none is SF004's matter."""
    steps = context.flow.steps.values()
    wrong = [(step, step.step_id) for step in steps if step.step_id and _differs(step.step_id.value, step.id)]
    named = _named(context.flow) if wrong else set()
    for step, declared in wrong:
        yield _finding(step, declared, named, context)


def _differs(declared: str, key: str) -> bool:
    return declared not in {"", key} and not has_placeholder(declared) and not has_placeholder(key)


def _named(flow: Flow) -> set[str]:
    """Every step that the flow's entries and transitions name."""
    named = {move.target for move in flow.moves() if move.target}
    return named | {entry.target.value for entry in flow.entries if entry.target}


def _finding(step: Step, declared: Text, named: set[str], context: RuleContext) -> Finding:
    original = context.copies.get(step.id)
    field = declared.pointer.rpartition("/")[2]
    message = (
        _("The step under the key “{step}” has the {field} “{declared}”: {era} refuses to load the registry")
        if context.era.whole_check
        else _(
            "The step under the key “{step}” has the {field} “{declared}”: the two must be the same, and {era} finds"
            " steps by their key"
        )
    ).format(step=step.id, field=field, declared=declared.value, era=context.climpt.name)
    if original is not None:
        message += _(". The step is a copy of “{original}” to which nothing leads yet").format(original=original)
    key = Side(context.registry, step.key_span, step.pointer, _("the key is here"))
    return Finding(
        message,
        declared.span,
        declared.pointer,
        step.id,
        severity=ERROR if context.era.whole_check else WARNING,  # only climpt 1.14 compares them when it starts
        sides=[key],
        cause=context.copy_cause(step),
        proposals=_proposals(step, declared, named, context),
        misspelt=True,
    )


def _proposals(step: Step, declared: Text, named: set[str], context: RuleContext) -> Iterator[Proposal]:
    free = declared.value not in context.flow.steps
    fits = names_of_step(step)
    text = context.registry.source.text
    tellers = (
        (declared.value in named, step.id in named),
        (plain(declared.value) in fits, plain(step.id) in fits),
        (text.count(f'"{declared.value}"') > 1, text.count(f'"{step.id}"') > 1),
        (has_form(declared.value, context.flow), has_form(step.id, context.flow)),
    )
    right = next((wanted for wanted, given in tellers if wanted != given), None)
    if right is None and is_slip(declared.value, step.id):
        right = context.evidence.is_right(declared.value, step.id, fits)
    key_is_wrong = free and bool(right) and step.id not in named
    if not key_is_wrong:
        safe = right is False and not (free and declared.value in named)
        guess = right is None and free
        yield write(context.registry, declared.span, step.id, safe=safe or not free)._replace(guess=guess)
    if free and step.id not in named:
        title = _("Rename the key to “{step}”").format(step=declared.value)
        yield write(context.registry, step.key_span, declared.value)._replace(title=title, guess=right is None)
