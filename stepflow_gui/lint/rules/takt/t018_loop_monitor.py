"""T018 loop-monitor.

What it does: reports loop monitors that the loader refuses (a cycle of fewer than two, with a name that is not a
movement or is ignored, a threshold below 1, a judge without rules or with an unknown `next`), and those that never take
effect: a cycle that no run can go round, or that names COMPLETE or ABORT.

Why is this bad: releases of TAKT 0.7 to 0.60 refuse to load the file, or the loop that should be watched goes on until
the limit.

Fix: name the movements in the order in which a run goes through them.
"""

from collections.abc import Iterator, Sequence

from stepflow_gui.flow.model import LoopMonitor, Text
from stepflow_gui.flow.reach import reached
from stepflow_gui.formats.takt.eras import ENDS
from stepflow_gui.formats.takt.releases.sets import since
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.flow.step_names import respelt
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.field_faults import faults_for, finding_of
from stepflow_gui.lint.rules.takt.reading import TAKT
from stepflow_gui.lint.rules.takt.release_words import path_of, refusing, runner, severity, wanted_releases
from stepflow_gui.lint.rules.takt.targets import meant_for

RULE = Rule("T018", "loop-monitor", ERROR, formats=TAKT, looks_at=FLOW, defers_to=("T004",))

BAD = piece(("cycle: [implement, review]", "cycle: [implement, reviews]"))
GOOD = piece()

_IGNORING = since("0.55.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """The faults of types and values, then the names, then what a run can do."""
    for fault in faults_for(RULE.code, context):
        yield finding_of(fault, context)
    steps = list(context.flow.steps)
    for monitor in context.flow.monitors if steps else ():
        known = [*steps, *ENDS]
        unknown = [text for text in monitor.cycle if text.value not in known]
        ignored = [text for text in monitor.ignored if text.value not in steps]
        for text in [*unknown, *ignored]:
            yield from _unknown(text, _("The loop monitor names “{name}”, which is not a movement"), steps, context)
        watched = {text.value: text for text in monitor.cycle}
        for text in monitor.ignored:
            if text.value in watched and wanted_releases(context) & _IGNORING:
                yield _both(text, watched[text.value], context)
        for rule in monitor.judge.transitions if monitor.judge else ():
            if rule.target is not None and rule.target.value not in steps:
                yield from _unknown(
                    rule.target,
                    _("The judge of a loop monitor goes to “{name}”, which is not a movement"),
                    known,
                    context,
                )
        if not unknown and len(monitor.cycle) > 1:
            yield from _in_vain(monitor, context)


def _unknown(text: Text, message: str, candidates: Sequence[str], context: RuleContext) -> Iterator[Finding]:
    refused = refusing(context, path_of(text.pointer))
    if not refused:
        return
    message = (message + _(": {runner} refuses to load the file")).format(
        name=text.value, runner=runner(context, refused)
    )
    meant = meant_for(text.value, candidates, context, RULE.code)
    if meant:
        message += _(". Did you mean “{meant}”?").format(meant=meant)
    proposals = respelt(text, meant, context)
    cause = None if proposals else ("no-step", text.value)  # as for rules that go to it: T004
    yield Finding(
        message,
        text.span,
        text.pointer,
        severity=severity(context, refused),
        proposals=proposals,
        cause=cause,
        misspelt=bool(meant or proposals),
    )


def _both(ignored: Text, watched: Text, context: RuleContext) -> Finding:
    text = _("The loop monitor watches “{name}” and ignores it: {runner} refuses to load the file")
    sides = [Side(context.registry, watched.span, watched.pointer, _("it is watched here"))]
    title = _("Remove “{field}”").format(field=ignored.value)
    fixes = take_away(context.registry, [ignored.pointer], title)
    return Finding(
        text.format(name=ignored.value, runner=runner(context, _IGNORING)),
        ignored.span,
        ignored.pointer,
        severity=severity(context, _IGNORING),
        sides=sides,
        proposals=fixes,
    )


def _in_vain(monitor: LoopMonitor, context: RuleContext) -> Iterator[Finding]:
    ends = [text for text in monitor.cycle if text.value in ENDS]
    if ends:
        refused = refusing(context, path_of(ends[0].pointer))
        message = (
            _("The loop monitor names “{name}”, an end: {runner} refuses to load the file")
            if refused
            else _("The loop monitor names “{name}”, an end: it never comes into effect")
        )
        message = message.format(name=ends[0].value, runner=runner(context, refused))
        yield Finding(message, ends[0].span, ends[0].pointer, severity=severity(context, refused))
        return
    names = [text.value for text in monitor.cycle]
    successors = _successors(context)
    ignored = {text.value for text in monitor.ignored}
    if any(name in context.run_paths.vague for name in names):
        return
    for text, following in zip(monitor.cycle, [*names[1:], names[0]], strict=True):
        between = {
            name: [other for other in others if other == following or other in ignored]
            for name, others in successors.items()
        }
        if following not in reached(between.get(text.value, []), {**between, following: []}):
            message = _("No rule goes from “{one}” to “{other}”: the loop monitor never comes into effect")
            yield Finding(message.format(one=text.value, other=following), text.span, text.pointer, severity=WARNING)
            return


def _successors(context: RuleContext) -> dict[str, list[str]]:
    """Where the rules of movements lead, those of judges left out."""
    return {
        step.id: [rule.target.value for rule in step.transitions if rule.target is not None and not rule.asks]
        for step in context.flow.steps.values()
    }
