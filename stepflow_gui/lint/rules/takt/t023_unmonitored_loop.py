"""T023 unmonitored-loop.

What it does: points out cycles of movements that no loop monitor watches, in a file that has loop monitors.

Why is this bad: it may be intended. Such a cycle goes on until the limit of iterations, where others are judged before.

Fix: add a loop monitor for the cycle.
"""

from collections.abc import Iterator

from stepflow_gui.flow.reach import circle
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.flow.naming import round_trip
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import FLOW, INFO, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT

RULE = Rule("T023", "unmonitored-loop", INFO, formats=TAKT, looks_at=FLOW)

BAD = piece(
    (
        "      - condition: It can't be done\n        next: ABORT",
        "      - condition: It can't be done\n        next: plan",
    )
)
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """One note a file."""
    yield from merge_infos(_found(context), RULE, context)


def _found(context: RuleContext) -> Iterator[Finding]:
    flow = context.flow
    if not flow.monitors:
        return
    if any(text.value not in flow.steps for monitor in flow.monitors for text in monitor.cycle):
        return  # T018 reports these: which cycle they mean is unknown
    graph = {
        step.id: [
            rule.target.value
            for rule in step.transitions
            if rule.target is not None
            and rule.target.value in flow.steps
            and rule.target.value != step.id
            and not rule.asks
        ]
        for step in flow.steps.values()
    }
    watched = [_turned([text.value for text in monitor.cycle]) for monitor in flow.monitors]
    for monitor in flow.monitors:
        ignored = {text.value for text in monitor.ignored}
        watched.append(_turned([text.value for text in monitor.cycle if text.value not in ignored]))
    seen: list[tuple[str, ...]] = []
    for name in graph:
        found = circle(name, graph)
        around = _turned(found)
        if len(found) < 2 or around in seen:
            continue
        seen.append(around)
        if not any(_is_watched(around, each) for each in watched):
            step = flow.steps[found[0]]
            text = _("No loop monitor watches {steps}").format(steps=round_trip(found))
            yield Finding(text, step.key_span, step.pointer, step.id)


def _turned(names: list[str]) -> tuple[str, ...]:
    """A cycle that begins with its first name by the alphabet: all spellings of it are one."""
    if not names:
        return ()
    at = names.index(min(names))
    return (*names[at:], *names[:at])


def _is_watched(around: tuple[str, ...], cycle: tuple[str, ...]) -> bool:
    return around == cycle
