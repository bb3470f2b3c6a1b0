"""What a run shows in place of a step's own prompt that is missing or can't be filled in."""

from collections.abc import Sequence

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.c3_form import has_form
from stepflow_gui.formats.climpt.fallback_prompt import handler_step, standby_step
from stepflow_gui.formats.climpt.lookup import is_closing
from stepflow_gui.formats.climpt.vocabulary import (
    CLOSURE_ACTIONS,
    HANDLER_VARIABLES,
    HANDLER_VARIABLES_LATER,
    OLDER_VERDICT_TYPES,
)
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.agent.verdicts import OWN, verdicts
from stepflow_gui.lint.rules.entry.verdicts import DEFAULT_TYPE
from stepflow_gui.lint.rules.prelude import ERROR, KINDS, WARNING, RuleContext, Step, _
from stepflow_gui.lint.rules.prompts.key_form import is_well_formed
from stepflow_gui.lint.rules.prompts.variables import listed


def replacement(step: Step, context: RuleContext, *, unfilled: bool = False) -> tuple[str | None, Severity]:
    """What happens without the step's prompt, as a clause with its comma, and how bad that is; None: SF501 says it.

    `unfilled`: the file is there, but a variable has no value. Climpt takes the key for files that are missing alone.
    """
    if context.era.handler_only:
        return _("; {era} shows a text of its own at every step").format(era=context.era.name), WARNING
    key = step.fallback_key
    if unfilled and context.era.closing == "word":
        key = None
    if key and context.era.spare_prompts:
        if not is_well_formed(key.value) and context.format in ("closing", "complete"):
            return None, ERROR
        if key.value in context.fallback_keys:
            return _(", and the built-in “{key}” is used instead").format(key=key.value), WARNING
    if is_closing(step):
        chosen = chosen_action(context)
        own = context.prompts.adapted(step, chosen.value) if chosen else None
        if own and context.prompts.found(own):
            return _(", and that of the closing action alone can be shown"), WARNING
    by_handler = context.era.closing == "word" or (is_closing(step) and context.era.closing == "procedure")
    if by_handler:
        text = of_handler(step, context)
        if text is not None:
            return text, WARNING
    if key and context.era.spare_prompts:
        return _(", and no built-in prompt is known as “{key}”: {era} stops there").format(
            key=key.value, era=context.era.name
        ), ERROR
    return _(", and {era} stops there").format(era=context.era.name), ERROR


def of_handler(step: Step, context: RuleContext) -> str | None:
    """What the verdict's handler shows instead, as such a clause; None where it has nothing to show."""
    names = handler_names(context)
    early = context.era.closing == "word"
    if names[-1] == "meta:custom" or (early and names[-1] == "detect:graph"):
        return _(", and a built-in text is used instead")
    if early:
        begins = step.id in {entry.target.value for entry in context.flow.entries if entry.target}
        if any(_handler_lack(context, first=first) is not None for first in ((False, True) if begins else (False,))):
            return None
    other = standby_step(context.flow, names, pairs=context.era.entry_pairs)
    return _of_other(other, step, context, names[-1]) if other is not None else None


def _of_other(other: Step, step: Step, context: RuleContext, verdict: str) -> str | None:
    """What the handler shows of its step: an empty `repository` under poll:state keeps older versions from its file."""
    key = other.fallback_key.value if other.fallback_key and context.era.spare_prompts else None
    file = context.prompts.of(other)
    if key in context.fallback_keys and (file is None or verdict == "poll:state"):
        return _(", and the built-in “{key}” is used instead").format(key=key)
    lacks_list = context.era.needs_variables and other.raw.get("uvVariables") is None
    if other is step or file is None or lacks_list or (context.era.spare_prompts and verdict == "poll:state"):
        return None
    return _(", and the prompt of “{step}” is used instead").format(step=other.id)


def handler_shows(step: Step, context: RuleContext) -> bool:
    """Whether the verdict's handler shows a prompt of its own where the step's can't be made."""
    return of_handler(step, context) is not None


def handler_fault(step: Step, context: RuleContext) -> tuple[str, str] | None:
    """Whose prompt the handler shows at a step that never shows its own, and why it can't; None where it can.

    So it is in the single loop of 2026-03-14 at steps that are neither work nor closure. What the handler gives to a
    prompt are its own variables, not the agent's parameters.
    """
    if context.era.closing != "word" or context.era.handler_only or context.judged_as not in KINDS:
        return None
    if step.kind in {"work", "closure"}:
        return None
    names = handler_names(context)
    if names[-1] in {"meta:custom", "detect:graph"}:
        return None
    begins = step.id in {entry.target.value for entry in context.flow.entries if entry.target}
    lacks = (_handler_lack(context, first=first) for first in ((False, True) if begins else (False,)))
    return next((each for each in lacks if each is not None), None)


def _handler_lack(context: RuleContext, *, first: bool) -> tuple[str, str] | None:
    """The step whose prompt the handler can't make, and why; None where it can."""
    names = handler_names(context)
    named = handler_step(context.flow, names, pairs=False, first=first)
    other = context.flow.steps.get(named)
    why = _("there is no such step") if other is None else _lacks(other, names[-1], context, first=first)
    return (named, why) if why is not None else None


def _lacks(other: Step, verdict: str, context: RuleContext, *, first: bool) -> str | None:
    """Why the handler can't make the prompt of a step: neither file nor key, or a variable that it doesn't give."""
    agent = context.folder.agent
    if verdict == "poll:state" and agent is not None and any(each.name == "repository" for each in agent.parameters):
        return None  # what it holds only a run knows
    given = {*HANDLER_VARIABLES.get(verdict, ()), "completion_keyword", *(() if first else HANDLER_VARIABLES_LATER)}
    lacking = next((text.value for text in listed(other) if text.value not in given), None)
    if other.raw.get("uvVariables") is None:
        return _("it has no uvVariables")
    if lacking is not None:
        return _("the handler gives no “{name}”").format(name=lacking)
    if other.fallback_key and other.fallback_key.value in context.fallback_keys:
        return None
    shown = context.prompts.shown_by(other)[:1] if other.c3 is not None and has_form(other.c3.value) else []
    has_file = any(file.source.text for file, _prompt in shown)
    if verdict == "poll:state" or not has_file:  # where `repository` is empty, the prompt engine refuses each file
        return _("it has no built-in prompt") if has_file else _("it has no prompt")
    used = [name for _file, prompt in shown for name in prompt.names]
    lacking = next((name for name in used if name not in given), None)
    return _("the handler gives no “{name}”").format(name=lacking) if lacking is not None else None


def handler_names(context: RuleContext) -> Sequence[str]:
    """What the verdict may be called that has the handler, today's name last; of a composite it is the first member."""
    agent = context.agent_file
    for verdict in verdicts(agent) if agent is not None else ():
        conditions = (verdict.config or {}).get("conditions")
        listed = conditions if isinstance(conditions, list) and verdict.type == "meta:composite" else []
        has_members = any(isinstance(each, dict) and isinstance(each.get("type"), str) for each in listed)
        if not has_members and (verdict.written or verdict.pointer == OWN):
            name = verdict.written or verdict.type or DEFAULT_TYPE
            return name, OLDER_VERDICT_TYPES.get(name, name)
    return (DEFAULT_TYPE,)


def chosen_action(context: RuleContext) -> Text | None:
    """The agent's closing action, where it selects prompts of its own."""
    agent = context.folder.agent
    action = agent.default_closure_action if agent else None
    return action if action and action.value in CLOSURE_ACTIONS[1:] else None
