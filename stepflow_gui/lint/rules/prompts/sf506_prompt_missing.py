"""SF506 prompt-missing.

What it does: looks for the prompt file of each step, and of closure steps also for the one that the agent's
defaultClosureAction selects. An agent without any prompts folder is told so once.

Why is this bad: without a file climpt has nothing to tell the model and stops. A fallbackKey can stand in for it, and
for a closure step the continuation prompt of its flow: the model is then told less than you wrote.

Fix: write the file, or correct c2, c3, edition or adaptation.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from stepflow_gui.flow.model import Step, Text
from stepflow_gui.formats.climpt.fallback_prompt import standby_step
from stepflow_gui.formats.climpt.lookup import is_closing, path_of_fields
from stepflow_gui.formats.climpt.vocabulary import CLOSURE_ACTIONS, OLDER_VERDICT_TYPES
from stepflow_gui.lint.diagnostic import ERROR, INFO, WARNING, Severity
from stepflow_gui.lint.examples.example import REMOVED, changed
from stepflow_gui.lint.rule import FLOW, GATE, Finding, Rule, Side
from stepflow_gui.lint.rules.gathering import gathered
from stepflow_gui.lint.rules.prompts.key_form import is_well_formed
from stepflow_gui.lint.rules.prompts.new_prompt import new_prompt
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Span

RULE = Rule("SF506", "prompt-missing", ERROR, formats=(*GATE, "checks"), looks_at=FLOW, defers_to=("SF106",))

BAD = changed(base="c3l", texts={"prompts/steps/initial/issue/f_default.md": REMOVED})
GOOD = changed(base="c3l")


class _Missing(NamedTuple):
    step: Step
    tail: str  # below a prompts folder


def check(scope: RuleContext) -> Iterator[Finding]:
    """Step by step; what a closing action lacks is one finding at that action."""
    if scope.prompts.is_template:
        return
    if not scope.prompts.known:
        yield from _without_folder(scope)
        return
    adapted: list[_Missing] = []
    for step in scope.flow.steps.values():
        if step.is_section or _is_program(step, scope):
            continue
        tail = scope.prompts.tail_of(step)
        if tail and "{" not in tail:  # a template's placeholder, or one that SF507 speaks of
            if scope.prompts.found(tail) is None:
                yield from _finding(_Missing(step, tail), scope)
            elif is_closing(step):
                adapted += _adapted(step, scope)
        check_prompt = step.raw.get("check") if scope.format == "checks" else None
        if isinstance(check_prompt, dict):
            yield from _of_check(step, check_prompt, scope)
    yield from _of_action(adapted, scope)


def _without_folder(scope: RuleContext) -> Iterator[Finding]:
    where = scope.flow.steps_span
    if where and any(scope.prompts.tail_of(step) for step in scope.flow.steps.values()):
        text = _("There is no prompts folder ({path}): what the steps show can't be checked")
        yield Finding(text.format(path=_shown(scope.prompts.folders[0], scope)), where, "/steps", severity=INFO)


def _is_program(step: Step, scope: RuleContext) -> bool:
    """A step that runs a program in place of the model needs no prompt."""
    runner = step.raw.get("runner")
    return (
        scope.era.subprocesses and step.kind == "closure" and isinstance(runner, dict) and bool(runner.get("command"))
    )


def _finding(missing: _Missing, scope: RuleContext) -> Iterator[Finding]:
    step, tail = missing
    standby, severity = _standby(step, scope)
    if standby is None:
        return
    path, *others = [_shown(folder / tail, scope) for folder in scope.prompts.folders]
    message = _("“{step}” has no prompt: {path} isn't there").format(step=step.id, path=path) + standby
    if others:
        message += _(" (nor {paths})").format(paths=_(", ").join(others))
    yield Finding(
        message,
        step.key_span,
        step.pointer,
        step.id,
        severity=severity,
        proposals=[new_prompt(scope.prompts.folders[0] / tail, step)],
        cause=("prompt", step.id),
    )


def _standby(step: Step, scope: RuleContext) -> tuple[str | None, Severity]:
    """What happens without the file; None where SF501 says it."""
    key = step.fallback_key
    if key and scope.era.spare_prompts:
        if not is_well_formed(key.value):
            return None, ERROR
        if key.value in scope.fallback_keys:
            return _(", and the built-in “{key}” stands in").format(key=key.value), WARNING
    if is_closing(step):
        chosen = _action(scope)
        own = scope.prompts.adapted(step, chosen.value) if chosen else None
        if own and scope.prompts.found(own):
            return _(", and that of the closing action alone can be shown"), WARNING
        other = standby_step(scope.flow, _verdict(scope))
        if other and other is not step and scope.prompts.of(other):
            return _(", and the prompt of “{step}” stands in").format(step=other.id), WARNING
    if key and scope.era.spare_prompts:
        return _(", and no built-in prompt is known as “{key}”: {era} stops there").format(
            key=key.value, era=scope.era.name
        ), ERROR
    return _(", and {era} stops there").format(era=scope.era.name), ERROR


def _verdict(scope: RuleContext) -> str | None:
    agent = scope.folder.agent
    named = agent.verdict_type.value if agent and agent.verdict_type else None
    return OLDER_VERDICT_TYPES.get(named, named) if named else None


def _action(scope: RuleContext) -> Text | None:
    """The agent's closing action, where it selects prompts of its own."""
    agent = scope.folder.agent
    action = agent.default_closure_action if agent else None
    return action if action and action.value in CLOSURE_ACTIONS[1:] else None


def _adapted(step: Step, scope: RuleContext) -> Iterator[_Missing]:
    action = _action(scope)
    tail = scope.prompts.adapted(step, action.value) if action else None
    if tail and scope.prompts.found(tail) is None:
        yield _Missing(step, tail)


def _of_action(missing: list[_Missing], scope: RuleContext) -> Iterator[Finding]:
    action, document = _action(scope), scope.folder.agent_document
    if not missing or action is None or document is None:
        return
    told = [(each, *_standby_of_action(each.step, scope)) for each in missing]
    worst = ERROR if any(severity == ERROR for _each, _standby, severity in told) else WARNING
    first = scope.prompts.folders[0]
    text = _("The closing action “{action}” asks for a prompt of “{step}” that isn't there: {path}")
    messages = [
        text.format(action=action.value, step=each.step.id, path=_shown(first / each.tail, scope)) + standby
        for each, standby, _severity in told
    ]
    message = messages[0]
    if len(missing) > 1:
        steps = _(", ").join(_("“{word}”").format(word=each.step.id) for each in missing)
        message = _("The closing action “{action}” asks for prompts that aren't there, of {steps}").format(
            action=action.value, steps=steps
        )
    sides = [
        Side(scope.registry, each.step.key_span, each.step.pointer, said)
        for each, said in zip(missing, messages, strict=True)
    ]
    place = Side(document, action.span, action.pointer, message)
    proposals = [new_prompt(first / each.tail, each.step) for each in missing] if len(missing) == 1 else []
    yield gathered(message, [place, *sides], severity=worst, proposals=proposals)


def _standby_of_action(step: Step, scope: RuleContext) -> tuple[str, Severity]:
    """Of keys that the guide doesn't know climpt had many: with one the run needn't stop."""
    key = step.fallback_key
    if key and scope.era.spare_prompts and is_well_formed(key.value):
        return _(", and the built-in “{key}” stands in").format(key=key.value), WARNING
    other = standby_step(scope.flow, _verdict(scope))
    if other and other is not step and scope.prompts.of(other):
        return _(", and the prompt of “{step}” stands in").format(step=other.id), WARNING
    return _(", and {era} stops there").format(era=scope.era.name), ERROR


def _of_check(step: Step, fields: dict[str, Any], scope: RuleContext) -> Iterator[Finding]:
    """The prompt that asks whether a step succeeded."""
    tail = path_of_fields(scope.flow, fields)
    if not tail or "{" in tail or scope.prompts.found(tail):
        return
    span, pointer = _place(scope.registry, f"{step.pointer}/check/prompt", step)
    text = _("The check of “{step}” has no prompt: {path} isn't there, and {era} stops there")
    path = scope.prompts.folders[0] / tail
    message = text.format(step=step.id, path=_shown(path, scope), era=scope.era.name)
    yield Finding(message, span, pointer, step.id, proposals=[new_prompt(path, step, of_check=True)])


def _place(document: ParsedFile, pointer: str, step: Step) -> tuple[Span, str]:
    span = document.tree.key_span(pointer)
    return (span, pointer) if span else (step.key_span, step.pointer)


def _shown(path: Path, scope: RuleContext) -> str:
    root = scope.folder.root
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
