"""T026 movement-name.

What it does: reports names whose tags TAKT 0.6 to 0.12 can't find in the judge's reply: with digits, blanks, or other
than Latin letters, “_” and “-”. It matters where the judge chooses among two or more rules, one of them a plain text,
and where a loop monitor's judge has two or more.

Why is this bad: the run is aborted as soon as the movement is to be judged. Parallel movements aren't judged like that,
and since TAKT 0.13 any name will do.

Fix: give it a name of letters, “_” and “-”, everywhere.
"""

import re
from collections.abc import Iterator

from stepflow_gui.formats.takt.conditions_model import Label
from stepflow_gui.formats.takt.eras import INITIALS
from stepflow_gui.formats.takt.releases.sets import between
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps, parsed
from stepflow_gui.lint.rules.takt.release_words import in_part, runner, severity, wanted_releases
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Span
from stepflow_gui.text.yaml.write import rewritten

RULE = Rule("T026", "movement-name", ERROR, formats=TAKT, looks_at=FLOW)

BAD = piece(
    ("initial_movement: plan", "initial_movement: plan2"),
    ("  - name: plan\n", "  - name: plan2\n"),
)
GOOD = piece()

_TAGS_BY_NAME = between("0.6.0-rc1", "0.12.1")  # then a tag may repeat any name
_FITS = re.compile(r"[A-Za-z_-]+")
_WORDS = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight"}


def check(context: RuleContext) -> Iterator[Finding]:
    """Movements and sub-steps that are judged, then the judges, whose name is made of those in the cycle."""
    if not wanted_releases(context) & _TAGS_BY_NAME:
        return
    reported: set[str] = set()
    taken = {step.id for step, _parent in all_steps(context)}
    for step, parent in all_steps(context):
        if step.kind == "parallel" or _FITS.fullmatch(step.id) or len(step.transitions) < 2:
            continue
        if any(isinstance(parsed(rule, context), Label) for rule in step.transitions):
            reported.add(step.id)
            text = _("{runner} finds no tags of a movement called “{step}”: the run is aborted when it is judged")
            fixes = list(_renamed(step, taken, context)) if parent is None else list(_sub_renamed(step, taken, context))
            text = text.format(step=step.id, runner=runner(context, _TAGS_BY_NAME))
            yield Finding(
                text,
                step.key_span,
                step.pointer,
                (parent or step).id,
                severity=severity(context, _TAGS_BY_NAME),
                proposals=fixes,
            )
    for monitor in context.flow.monitors:
        if monitor.judge is None or len(monitor.judge.transitions) < 2:
            continue
        for name in monitor.cycle:
            step_named = context.flow.steps.get(name.value)
            if step_named is not None and not _FITS.fullmatch(name.value) and name.value not in reported:
                reported.add(name.value)
                text = _("A loop monitor watches “{step}”, whose name its judge can't answer with: the run is aborted")
                yield Finding(
                    in_part(text, context, _TAGS_BY_NAME).format(step=name.value),
                    name.span,
                    name.pointer,
                    severity=severity(context, _TAGS_BY_NAME),
                    proposals=list(_renamed(step_named, taken, context)),
                )


def _fitting(name: str, taken: set[str]) -> str | None:
    """A name that fits and that nothing else has, nor is proposed for anything else."""
    spelt = re.sub(r"[1-8]", lambda found: f"_{_WORDS[found[0]]}", name)
    new = re.sub(r"_+", "_", re.sub(r"[^A-Za-z_-]+", "_", spelt)).strip("_")
    if not new or new in taken:
        return None
    taken.add(new)
    return new


def _renamed(step: Step, taken: set[str], context: RuleContext) -> Iterator[Proposal]:
    flow = context.flow
    new = _fitting(step.id, taken)
    if new is None or not context.registry.tree.sound:
        return
    spans = {step.key_span}
    spans |= {
        entry.target.span
        for entry in flow.entries
        if entry.target and entry.target.value == step.id and entry.target.pointer.removeprefix("/") in INITIALS
    }
    judges = [monitor.judge for monitor in flow.monitors if monitor.judge is not None]
    for each in (*flow.steps.values(), *judges):
        spans |= {rule.target.span for rule in each.transitions if rule.target and rule.target.value == step.id}
    for monitor in flow.monitors:
        spans |= {text.span for text in monitor.cycle if text.value == step.id}
    yield _written(spans, new, context)


def _sub_renamed(step: Step, taken: set[str], context: RuleContext) -> Iterator[Proposal]:
    new = _fitting(step.id, taken)
    if new is not None and context.registry.tree.sound:
        yield _written({step.key_span}, new, context)


def _written(spans: set[Span], new: str, context: RuleContext) -> Proposal:
    text = context.registry.source.text
    edits = [(context.registry, TextEdit(span.start, span.end, rewritten(text, span, new))) for span in sorted(spans)]
    return Proposal(_("Rename it to “{name}” everywhere").format(name=new), edits)
