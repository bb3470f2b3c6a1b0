"""SF908 prompt-reference.

What it does: reports the prompt of a step or of a check that is named twice, by `path` and by `c1`, `c2` and `c3`, and
one that is named by neither in full.

Why is this bad: with two names it is unclear which one is meant; with half a name climpt finds no file and stops.

Fix: name the prompt by its path, or by c1, c2 and c3.
"""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.formats.checks import drafting
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.checks.outcomes import check_of, reader
from stepflow_gui.lint.rules.fixes import put, take_away
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.json.tree import Member
from stepflow_gui.text.pointer import join

RULE = Rule("SF908", "prompt-reference", ERROR, formats=("checks",), looks_at=FLOW)

BAD = changed({"/steps/s_a8f3/prompt/path": "steps/phase/analyze/f_default.md"}, base="checks")
GOOD = changed(base="checks")

ADDRESS = ("c1", "c2", "c3")


class _Named(NamedTuple):
    """Where a prompt is named: of which step, and whether it is that of its check."""

    step: Step
    member: Member
    pointer: str
    of_check: bool


def check(context: RuleContext) -> Iterator[Finding]:
    """The prompt that a check lacks is SF902's."""
    for step in context.flow.steps.values():
        if step.raw.get("prompt") is None and "structuredGate" not in step.raw:
            text = _("“{step}” has no prompt: {era} has no prompt to send and stops")
            yield Finding(
                text.format(step=step.id, era=reader(context)),
                step.key_span,
                step.pointer,
                step.id,
                proposals=_with_prompt(step, context),
                lacks=("prompt",),
            )
        inner = check_of(step)
        for node, where, of_check in (
            (step.node, step.pointer, False),
            (inner.value if inner else None, join(step.pointer, "check"), True),
        ):
            member = node.member("prompt") if node else None
            if member is not None and member.value.value is not None:
                yield from _of_prompt(_Named(step, member, join(where, "prompt"), of_check), context)


def _of_prompt(named: _Named, context: RuleContext) -> Iterator[Finding]:
    value = named.member.value.value
    names = {"step": named.step.id}
    if not isinstance(value, dict):
        text = _("The prompt of “{step}” is not an object with a path, or with c1, c2 and c3: {era} finds no file")
        if named.of_check:
            text = _(
                "The prompt of the check of “{step}” is not an object with a path, or with c1, c2 and c3: {era} finds"
                " no file"
            )
        yield Finding(text.format(**names, era=reader(context)), named.member.value.span, named.pointer, named.step.id)
        return
    given = [key for key in ADDRESS if value.get(key) not in (None, "")]
    by_path = value.get("path") not in (None, "")
    if by_path and given:
        text = (
            _("The prompt of the check of “{step}” is named by its path and by {keys}: one of the two is meant")
            if named.of_check
            else _("The prompt of “{step}” is named by its path and by {keys}: one of the two is meant")
        )
        yield _finding(
            text.format(keys=listed(given), **names, era=reader(context)), named, _one_of_two(named, context)
        )
    elif not by_path and len(given) < len(ADDRESS):
        lacking = [key for key in ADDRESS if key not in given]
        text = (
            _("The prompt of the check of “{step}” has no path, and no {keys} either: {era} finds no file")
            if named.of_check
            else _("The prompt of “{step}” has no path, and no {keys} either: {era} finds no file")
        )
        yield _finding(
            text.format(keys=listed(lacking), **names, era=reader(context)),
            named,
            _in_full(named, lacking, context),
        )


def _finding(message: str, named: _Named, proposals: Iterator[Proposal]) -> Finding:
    return Finding(message, named.member.key_span, named.pointer, named.step.id, proposals=proposals)


def _one_of_two(named: _Named, context: RuleContext) -> Iterator[Proposal]:
    value = named.member.value.value
    yield from take_away(context.registry, [join(named.pointer, "path")], _("Leave out the path"))
    address = [key for key in (*ADDRESS, "edition", "adaptation") if key in value]
    pointers = [join(named.pointer, key) for key in address]
    yield from take_away(context.registry, pointers, _("Leave {keys} out").format(keys=listed(address)))


def _in_full(named: _Named, lacking: list[str], context: RuleContext) -> Iterator[Proposal]:
    """One key more, where only one is missing."""
    (key, *more) = lacking
    if more or key in named.member.value.value:
        return
    topic = drafting.topic_of(named.step.title)
    usual = (
        drafting.check_address(context.flow, topic) if named.of_check else drafting.step_address(context.flow, topic)
    )
    yield from put(context.registry, named.pointer, key, usual[key], _("Add “{field}”").format(field=key))


def _with_prompt(step: Step, context: RuleContext) -> Iterator[Proposal]:
    if "prompt" not in step.raw:
        value = drafting.step_address(context.flow, drafting.topic_of(step.title))
        yield from put(context.registry, step.pointer, "prompt", value, _("Add “{field}”").format(field="prompt"))
