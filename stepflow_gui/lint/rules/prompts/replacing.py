"""What a run shows in place of a step's own prompt that is missing or can't be filled in."""

from collections.abc import Sequence

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.fallback_prompt import standby_step
from stepflow_gui.formats.climpt.lookup import is_closing
from stepflow_gui.formats.climpt.vocabulary import CLOSURE_ACTIONS, OLDER_VERDICT_TYPES
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.agent.verdicts import OWN, verdicts
from stepflow_gui.lint.rules.entry.verdicts import DEFAULT_TYPE
from stepflow_gui.lint.rules.prelude import ERROR, WARNING, RuleContext, Step, _
from stepflow_gui.lint.rules.prompts.key_form import is_well_formed


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
        if not is_well_formed(key.value):
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
    others = [standby_step(context.flow, names, pairs=context.era.entry_pairs)]
    if early and step.id in {entry.target.value for entry in context.flow.entries if entry.target}:
        others.append(standby_step(context.flow, names, pairs=False, first=True))
    texts = [_of_other(other, step, context, names[-1]) for other in others]
    return None if None in texts else texts[0]


def _of_other(other: Step | None, step: Step, context: RuleContext, verdict: str) -> str | None:
    """What the handler shows of its step: an empty `repository` under poll:state keeps older versions from its file."""
    if other is None:
        return None
    key = other.fallback_key.value if other.fallback_key and context.era.spare_prompts else None
    file = context.prompts.of(other)
    if key in context.fallback_keys and (file is None or verdict == "poll:state"):
        return _(", and the built-in “{key}” is used instead").format(key=key)
    if other is step or file is None or (context.era.spare_prompts and verdict == "poll:state"):
        return None
    return _(", and the prompt of “{step}” is used instead").format(step=other.id)


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
