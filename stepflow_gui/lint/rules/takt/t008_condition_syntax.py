"""T008 condition-syntax.

What it does: reports conditions with ai(), all(), any() or when() that can't be read, and those that look like one and
are read as plain text: single quotes, blanks inside, capitals, nothing between the parentheses, a misspelt word
before them. Where TAKT 0.36 to 0.52 only look at a state in a run, it reports one that they can't read. In workflows
it reports `when(…)` on a step that calls another one as well, the output of a step that gives out none, and since 0.50
a state outside of `when(…)`.

Why is this bad: TAKT 0.53 to 0.60 refuse to load most such files, older releases those with an all() or any() without a
text in quotes; else the rule is compared as a text that no answer contains.

Fix: write it as `all("approved")`: small letters, no blanks, texts in double quotes.
"""

import re
from collections.abc import Iterator

from stepflow_gui.flow.model import Transition
from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import Condition, ConditionFault, Label, LabelWhen, When
from stepflow_gui.formats.takt.expression_parts import places_of
from stepflow_gui.formats.takt.release_conditions import condition_as_read
from stepflow_gui.formats.takt.releases.sets import Releases, between, named, since
from stepflow_gui.formats.takt.runners import forms_of
from stepflow_gui.formats.takt.state_expression import ExpressionFault, Unreadable, parse_expression
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, WARNING, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps, notation_of, parsed
from stepflow_gui.lint.rules.takt.release_words import path_of, refusing, runner, severity, wanted_releases

RULE = Rule("T008", "condition-syntax", ERROR, formats=TAKT, looks_at=FLOW)

BAD = piece(('condition: all("approved")', "condition: all(approved)"))
GOOD = piece()

_LIKE = re.compile(r"\s*(ai|all|any)\s*\((.*)\)\s*", re.IGNORECASE | re.DOTALL)
_BEGUN = re.compile(r"\s*(ai|all|any)\s*\(\s*[\"'“”‘’].*", re.IGNORECASE | re.DOTALL)
_QUOTED = re.compile(r"[\"'“”‘’]([^\"'“”‘’]+)[\"'“”‘’]")
_WORDS = re.compile(r"[^,]+")
_CALL = re.compile(r"([A-Za-z]{1,5})(\(.*\))", re.DOTALL)
_AROUND = " \"'“”‘’"
_STATE = re.compile(r"(context|structured|effect)\.|exists\(", re.ASCII)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every condition of movements and sub-steps; those of judges are plain in pieces."""
    for step, _parent in all_steps(context):
        yield from _of_step(step, context)
    for step in context.flow.repeated_steps:
        for each in (step, *step.subs):
            yield from (found for found in _of_step(each, context) if found.severity != WARNING)


def _of_step(step: Step, context: RuleContext) -> Iterator[Finding]:
    for rule in step.transitions:
        condition = parsed(rule, context)
        if condition is None:
            continue
        yield from _unreadable(rule, step, context)
        yield from _of_no_output(rule, condition, step, context)
        refused = refusing(context, path_of(f"{rule.pointer}/condition"))
        if refused and not isinstance(condition, ConditionFault):
            newer = parse_condition(rule.as_written, "workflow")  # as releases read it that refuse it
            condition = newer if isinstance(newer, ConditionFault) else condition
        if isinstance(condition, ConditionFault) and refused:
            yield _refused(rule, step, condition, refused, context)
        elif refused and rule.node.get("when") is not None:
            text = _("A rule of “{step}” has both “condition” and “when”: {runner} refuses to load the file")
            text = text.format(step=step.id, runner=runner(context, refused))
            yield Finding(text, rule.key_span, f"{rule.pointer}/condition", step.id)
        elif isinstance(condition, When | LabelWhen) and step.kind == "call":
            yield _of_call(rule, step, context)
        elif not rule.as_written.strip() and rule.as_written:
            text = _("A condition of “{step}” is blank: it isn't clear which result it stands for")
            yield Finding(
                text.format(step=step.id), rule.key_span, f"{rule.pointer}/condition", step.id, severity=WARNING
            )
        elif isinstance(condition, Label) and (state := _state_outside(rule.as_written, context)):
            yield _outside(rule, step, state, context)
        elif isinstance(condition, Label | ConditionFault) and (form := _like(rule.as_written)):
            yield from _plain(rule, step, form, context)
        elif isinstance(condition, Label) and (meant := _slipped(rule.as_written, step, context)):
            yield _misspelt(rule, step, meant, context)


def _refused(rule: Transition, step: Step, fault: ConditionFault, refused: Releases, context: RuleContext) -> Finding:
    text = _("The condition of “{step}” can't be read, {why}: {runner} refuses to load the file")
    meant = _meant(rule.as_written, context)
    why = fault.message
    if fault.kind == "ai_removed" and not refused & since("0.53.0"):  # which know it, so written otherwise
        why = _("ai(…) holds a text in double quotes")
    return Finding(
        text.format(step=step.id, why=why, runner=runner(context, refused)),
        rule.key_span,
        f"{rule.pointer}/condition",
        step.id,
        severity=severity(context, refused),
        proposals=[write(context.registry, rule.key_span, meant)] if meant else [],
    )


def _unreadable(rule: Transition, step: Step, context: RuleContext) -> Iterator[Finding]:
    """A state that can't be read, where the newest wanted release looks at it in a run only."""
    wanted = wanted_releases(context)
    newest = wanted & 1 << (wanted.bit_length() - 1)
    if not newest & between("0.36.0", "0.52.0"):
        return
    forms, text = forms_of(newest), rule.as_written
    expression = rule.node.get("when")
    if expression is not None and forms.state == "bare":
        text = str(expression.value)  # as it is there: rules are read in the words of newer releases
    condition = condition_as_read(text, "piece", forms)
    clauses = condition.expression.alternatives if isinstance(condition, When) else ()
    odd = next((each for clause in clauses for each in clause if isinstance(each, Unreadable)), None)
    if odd is not None:
        text = _("“{condition}” of “{step}” asks for a state that can't be read, {why}: {runner} aborts the run there")
        values = {"condition": rule.as_written, "why": odd.message, "runner": named(newest)}
        yield Finding(text.format(step=step.id, **values), rule.key_span, rule.pointer, step.id, severity=WARNING)


def _of_no_output(
    rule: Transition, condition: Condition | ConditionFault, step: Step, context: RuleContext
) -> Iterator[Finding]:
    """A state that a step would leave which has no structured output: looking it up fails."""
    refused = wanted_releases(context) & since("0.53.0")
    if not refused or isinstance(condition, ConditionFault):
        return
    for place in places_of(condition):
        scope, _dot, rest = place.partition(".")
        giver = _giver(rest.partition(".")[0], context) if scope == "structured" else None
        if giver is not None and not giver.unread and "uses" not in giver.raw and "structured_output" not in giver.raw:
            text = _(
                "“{condition}” of “{step}” asks for the output of “{other}”, which has no “structured_output”:"
                " {runner} aborts the run there"
            )
            values = {"condition": rule.as_written, "other": giver.id, "runner": named(refused)}
            yield Finding(text.format(step=step.id, **values), rule.key_span, rule.pointer, step.id, severity=WARNING)
            return


def _giver(name: str, context: RuleContext) -> Step | None:
    return next((each for each, _parent in all_steps(context) if each.id == name), None)


def _state_outside(condition: str, context: RuleContext) -> str | None:
    """The expression that a condition is without when(…), which all wanted releases take for plain text."""
    text = condition.strip()
    if (
        wanted_releases(context) & ~since("0.50.0")
        or not _STATE.match(text)
        or isinstance(parse_expression(text), ExpressionFault)
    ):
        return None
    return text


def _outside(rule: Transition, step: Step, state: str, context: RuleContext) -> Finding:
    text = _("“{condition}” of “{step}” is plain text for {runner}: a state is asked for as when(…)")
    return Finding(
        text.format(condition=rule.as_written, step=step.id, runner=runner(context)),
        rule.key_span,
        f"{rule.pointer}/condition",
        step.id,
        severity=WARNING,
        proposals=[write(context.registry, rule.key_span, f"when({state})")],
    )


def _of_call(rule: Transition, step: Step, context: RuleContext) -> Finding:
    text = _(
        "“{condition}” of “{step}” can't be asked where a workflow is called, whose result is COMPLETE, ABORT or a"
        " word: {runner} refuses to load the file"
    )
    text = text.format(condition=rule.intent, step=step.id, runner=runner(context, since("0.53.0")))
    return Finding(text, rule.key_span, f"{rule.pointer}/condition", step.id)


def _like(condition: str) -> re.Match[str] | None:
    """What is written like one of the forms: nothing or quotes inside, or a quote first; no prose in parentheses."""
    form = _LIKE.fullmatch(condition)
    if form is not None and (not form[2].strip() or _QUOTED.search(form[2])):
        return form
    return _BEGUN.fullmatch(condition)


def _plain(rule: Transition, step: Step, form: re.Match[str], context: RuleContext) -> Iterator[Finding]:
    text = _('“{condition}” of “{step}” is read as plain text: write {name}("…"), without blanks')
    meant = _meant(rule.as_written, context)
    yield Finding(
        text.format(condition=rule.as_written, step=step.id, name=form[1].lower()),
        rule.key_span,
        f"{rule.pointer}/condition",
        step.id,
        severity=WARNING,
        proposals=[write(context.registry, rule.key_span, meant)] if meant else [],
    )


def _slipped(condition: str, step: Step, context: RuleContext) -> list[str]:
    """The forms that only a slip parts from a condition, those first that such a step can have."""
    call = _CALL.fullmatch(condition.strip())
    if call is None:
        return []
    own = ("all", "any") if step.subs else ("ai", "when")
    near = [name for name in dict.fromkeys((*own, "all", "any", "ai", "when")) if is_slip(call[1].lower(), name)]
    return [meant for name in near if (meant := _read_as(name + call[2], context))]


def _read_as(condition: str, context: RuleContext) -> str | None:
    """A condition that is read as more than a text: as it is, or as texts in quotes are meant."""
    if not isinstance(parse_condition(condition, context.takt.notation), ConditionFault | Label):
        return condition
    return _meant(condition, context) if _QUOTED.search(condition) else None


def _misspelt(rule: Transition, step: Step, meant: list[str], context: RuleContext) -> Finding:
    text = _("“{condition}” of “{step}” is read as plain text. Did you mean “{meant}”?")
    return Finding(
        text.format(condition=rule.as_written, step=step.id, meant=meant[0]),
        rule.key_span,
        f"{rule.pointer}/condition",
        step.id,
        severity=WARNING,
        proposals=[write(context.registry, rule.key_span, each) for each in meant],
        misspelt=True,
    )


def _meant(condition: str, context: RuleContext) -> str | None:
    """The condition as it would be read."""
    form = _LIKE.fullmatch(condition) or _LIKE.fullmatch(condition + ")")
    if form is None:
        return None
    words = (each.strip(_AROUND) for each in _WORDS.findall(form[2]))
    texts = _QUOTED.findall(form[2]) or [each for each in words if each]
    if not texts:
        return None
    name = form[1].lower()
    if name == "ai" and notation_of(context) == "workflow":
        return str(texts[0])
    meant = f"{name}({', '.join(f'{chr(34)}{each}{chr(34)}' for each in texts)})"
    found = parse_condition(meant, notation_of(context))
    return None if isinstance(found, ConditionFault | Label) or meant == condition else meant
