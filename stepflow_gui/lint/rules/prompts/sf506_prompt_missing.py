"""SF506 prompt-missing.

What it does: looks for the prompt file of each step, and of closure steps also for the one that the agent's
defaultClosureAction selects. Where only the prompt of an adaptation is missing, f_{edition}.md is shown in its place,
and SF515 says so. An empty file is reported where it stops the run. An agent without any prompts folder gets one
finding.

Why is this bad: without a file climpt has no prompt to send and stops. Up to 2026-03-14 a fallbackKey can replace it,
and for a closure step the continuation prompt of its flow: the model then gets less than you wrote. At a verification
step climpt 2026-03-14 never shows the step's own prompt but the continuation prompt of the verdict's entry, filled in
without the agent's parameters.

Fix: write the file, or correct c2, c3, edition or adaptation.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.c3_form import has_form
from stepflow_gui.formats.climpt.lookup import is_closing, path_of_fields
from stepflow_gui.formats.climpt.new_texts import check_prompt_text, prompt_text
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import (
    ERROR,
    FLOW,
    GATE,
    INFO,
    REMOVED,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)
from stepflow_gui.lint.rules.prompts.misspelt_places import misspelt_place
from stepflow_gui.lint.rules.prompts.odd_parts import odd_parts
from stepflow_gui.lint.rules.prompts.replacing import chosen_action, handler_fault, replacement
from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source, Span

RULE = Rule("SF506", "prompt-missing", ERROR, formats=(*GATE, "checks"), looks_at=FLOW, defers_to=("SF106",))

BAD = changed(base="c3l", texts={"prompts/steps/initial/issue/f_default.md": REMOVED})
GOOD = changed(base="c3l")

_PARTS = ("edition", "c3", "c2", "adaptation")  # of a prompt's address, in the order in which slips are looked for


class _Missing(NamedTuple):
    step: Step
    tail: str  # below a prompts folder


def check(context: RuleContext) -> Iterator[Finding]:
    """Step by step."""
    if context.prompts.is_template:
        yield from odd_parts(RULE.code, context)
        return
    if not context.prompts.known:
        yield from _without_folder(context)
        return
    hidden = misspelt_place(context)
    if hidden is not None:
        yield _all_hidden(*hidden, context)
        return
    for step in context.flow.steps.values():
        if not context.era.starts_program(step):
            yield from _of_step(step, context)


def _of_step(step: Step, context: RuleContext) -> Iterator[Finding]:
    tail = context.prompts.tail_of(step)
    if step.is_section:
        if tail and context.prompts.found(tail) is None:
            yield from _of_section(step, context)
    elif fault := handler_fault(step, context):
        yield _of_handler(step, *fault, context)
    elif tail and "{" not in tail:  # a template's placeholder, or one that SF507 speaks of
        if context.prompts.found(tail) is None and not _shows_plain(step, context):
            yield from _finding(_Missing(step, tail), context)
        elif other := _of_action(step, context):
            yield from _finding(_Missing(step, other), context)
        else:
            yield from _of_empty(step, context)
    check_prompt = step.raw.get("check") if context.format == "checks" else None
    if isinstance(check_prompt, dict):
        yield from _of_check(step, check_prompt, context)


def _of_handler(step: Step, other: str, why: str, context: RuleContext) -> Finding:
    """Of a step whose own prompt the version never looks for."""
    text = _(
        "{era} shows “{step}” the prompt of “{other}”, as its verdict handler does, and can't make it: {why}. The run"
        " stops there"
    )
    message = text.format(era=context.era.name, step=step.id, other=other, why=why)
    return Finding(message, step.key_span, step.pointer, step.id)


def _all_hidden(text: Text, meant: str, context: RuleContext) -> Finding:
    """A word that hides all prompts: no file is created at its path."""
    message = _("No prompt exists under “{value}”, which “{field}” gives. Did you mean “{meant}”?").format(
        field=text.pointer.removeprefix("/"), value=text.value, meant=meant
    )
    proposals = [write(context.registry, text.span, meant)]
    lost = [step for step in context.flow.steps.values() if not step.is_section and _is_lost(step, context)]
    stopped = any(replacement(step, context)[1] == ERROR for step in lost)
    severity = ERROR if stopped else WARNING
    return Finding(message, text.span, text.pointer, severity=severity, proposals=proposals, misspelt=True)


def _is_lost(step: Step, context: RuleContext) -> bool:
    return context.prompts.found(context.prompts.tail_of(step)) is None


def _shows_plain(step: Step, context: RuleContext) -> bool:
    """Whether the prompt without the step's own adaptation is shown where that with it doesn't exist."""
    return context.era.plain_prompts and step.adaptation is not None and context.prompts.plain(step) is not None


def _without_folder(context: RuleContext) -> Iterator[Finding]:
    where = context.flow.steps_span
    if where and any(context.prompts.tail_of(step) for step in context.flow.steps.values()):
        text = _("There is no prompts folder ({path}): what the steps show can't be checked")
        yield Finding(text.format(path=_shown(context.prompts.folders[0], context)), where, "/steps", severity=INFO)
        yield from odd_parts(RULE.code, context)


def _of_section(step: Step, context: RuleContext) -> Iterator[Finding]:
    """A part of other prompts is optional; only a misspelt one is reported."""
    misspelt = misspelt_part(step, _PARTS, context)
    if misspelt is not None:
        text, meant = misspelt
        message = _("“{step}” has no prompt, and there is one under “{meant}”. Did you mean that?")
        proposals = [write(context.registry, text.span, meant)]
        yield Finding(
            message.format(step=step.id, meant=meant),
            text.span,
            text.pointer,
            step.id,
            severity=WARNING,
            proposals=proposals,
            misspelt=True,
        )


def _finding(missing: _Missing, context: RuleContext) -> Iterator[Finding]:
    step, tail = missing
    standby, severity = replacement(step, context)
    if standby is None:
        return
    misspelt = misspelt_part(step, _PARTS, context) if tail == context.prompts.tail_of(step) else None
    path, *others = [_shown(folder / tail, context) for folder in context.prompts.folders]
    why = context.folder.obstacle(context.prompts.folders[0] / tail)
    template = (
        _("“{step}” has no prompt: {path} can't be read ({why})")
        if why
        else _("“{step}” has no prompt: {path} doesn't exist")
    )
    message = template.format(step=step.id, path=path, why=why) + standby
    if others:
        message += _(" (nor {paths})").format(paths=_(", ").join(others))
    new = [] if why else [_new_prompt(context.prompts.folders[0] / tail, step)]
    finding = Finding(message, step.key_span, step.pointer, step.id, severity=severity, cause=("prompt", step.id))
    if misspelt is None:
        yield finding._replace(proposals=new)
        return
    word, meant = misspelt
    proposals = [write(context.registry, word.span, meant), *new]
    message += _(". Did you mean “{meant}”?").format(meant=meant)
    place = finding._replace(message=message, span=word.span, pointer=word.pointer)
    yield place._replace(proposals=proposals, misspelt=True)


def misspelt_part(step: Step, parts: Iterable[str], context: RuleContext) -> tuple[Text, str] | None:
    """The part of the prompt's address that is a slip away from that of a prompt which no step shows."""
    texts = {"edition": step.edition, "c3": step.c3, "c2": step.c2, "adaptation": step.adaptation}
    for field in parts:
        text = texts[field]
        if text is None or has_placeholder(text.value) or (field == "c3" and not has_form(text.value)):
            continue  # SF106 speaks of the form
        meant = context.nearest(RULE.code, text.value, context.prompts.tails_like(step.raw, field))
        if meant and is_slip(text.value, meant) and context.distinct.address_is_free(step, field, meant):
            return text, meant
    return None


def _of_empty(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Of a file without a byte, which the prompt engine takes for none; what can stand in for one is shown then."""
    if context.settings.guide or context.era.spare_prompts or is_closing(step) or context.format not in GATE:
        return
    path = context.prompts.of(step) or context.prompts.plain(step)
    for file, _prompt in context.prompts.shown_by(step)[:1]:
        if file.path == path and not file.source.text:
            text = _("The prompt of “{step}” is empty: {path} has no text, and {era} stops there")
            message = text.format(step=step.id, path=_shown(path, context), era=context.era.name)
            new = [(file, TextEdit(0, 0, prompt_text(step)))]
            proposals = [Proposal(_("Begin the file {path}").format(path=path.name), new)]
            yield Finding(message, step.key_span, step.pointer, step.id, proposals=proposals)


def _of_action(step: Step, context: RuleContext) -> str | None:
    """The prompt that the closing action selects, where neither it nor the plain one is there."""
    action = chosen_action(context) if is_closing(step) else None
    tail = context.prompts.adapted(step, action.value) if action else None
    return tail if tail and context.prompts.found(tail) is None and context.prompts.plain(step) is None else None


def _of_check(step: Step, fields: dict[str, Any], context: RuleContext) -> Iterator[Finding]:
    """The prompt that asks whether a step succeeded."""
    tail = path_of_fields(context.flow, fields)
    if not tail or "{" in tail or context.prompts.found(tail):
        return
    span, pointer = _place(context.registry, f"{step.pointer}/check/prompt", step)
    path = context.prompts.folders[0] / tail
    why = context.folder.obstacle(path)
    text = (
        _("The check of “{step}” has no prompt: {path} can't be read ({why}), and {era} stops there")
        if why
        else _("The check of “{step}” has no prompt: {path} doesn't exist, and {era} stops there")
    )
    message = text.format(step=step.id, path=_shown(path, context), era=context.era.name, why=why)
    proposals = [] if why else [_new_prompt(path, step, of_check=True)]
    yield Finding(message, span, pointer, step.id, proposals=proposals)


def _place(document: ParsedFile, pointer: str, step: Step) -> tuple[Span, str]:
    span = document.tree.key_span(pointer)
    return (span, pointer) if span else (step.key_span, step.pointer)


def _shown(path: Path, context: RuleContext) -> str:
    root = context.folder.root
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def _new_prompt(path: Path, step: Step, *, of_check: bool = False) -> Proposal:
    """Begin the file with the step's name and all the variables that it lists, or with what its check asks."""
    text = check_prompt_text(step) if of_check else prompt_text(step)
    file = TextFile(path, Source(""))
    return Proposal(_("Begin the file {path}").format(path=path.name), [(file, TextEdit(0, 0, text))])
