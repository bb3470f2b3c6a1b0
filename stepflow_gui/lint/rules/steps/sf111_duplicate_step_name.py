"""SF111 duplicate-step-name.

What it does: points out display names that more than one step has.

Why is this bad: in a picture, a list or a log such steps look the same.

Fix: give each its own name.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import ALL, FLOW, INFO, Finding, Rule, RuleContext, Step, _, changed, ngettext

RULE = Rule("SF111", "duplicate-step-name", INFO, formats=ALL, looks_at=FLOW, defers_to=("SF101", "SF302"))

BAD = changed({"/steps/continuation.issue/name": "initial issue"})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """One note a file, which shows every step whose name is another's."""
    named: dict[str, list[tuple[Step, Text]]] = {}
    for step in context.flow.steps.values():
        if not step.name or not step.name.value.strip() or has_placeholder(step.name.value):
            continue
        cause = context.copy_cause(step)
        if cause is not None:
            yield _finding({step.name.value.strip(): [(step, step.name)]}, context)._replace(cause=cause)
        else:
            named.setdefault(step.name.value.strip(), []).append((step, step.name))
    doubled = {name: steps for name, steps in named.items() if len(steps) > 1}
    if doubled:
        yield _finding(doubled, context)


def _finding(doubled: dict[str, list[tuple[Step, Text]]], context: RuleContext) -> Finding:
    message = ngettext(
        "More than one step has the name {names}: they can't be distinguished",
        "More than one step has each of the names {names}: they can't be distinguished",
        len(doubled),
    ).format(names=listed(list(doubled)))
    places = [
        Side(context.registry, name.span, name.pointer, _("here it is the name of “{step}”").format(step=step.id))
        for steps in doubled.values()
        for step, name in steps
    ]
    return merge_places(message, places, step=next(iter(doubled.values()))[0][0].id)
