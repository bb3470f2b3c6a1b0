"""The verdict type that an agent runs under, and what entries are keyed by."""

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES, VERDICT_TYPES
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import ERROR, WARNING, Severity
from stepflow_gui.lint.rule import ADDRESSED
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.lint.rules.agent.verdicts import OWN
from stepflow_gui.lint.rules.refusals import entry_refused
from stepflow_gui.messages import _

DEFAULT_TYPE = "count:iteration"  # of an agent.json that names none

_OF_OLDER_NAMES = ("complete", "c3l-flat")
BEFORE_ENTRIES = ("c3l-flat", "c3l-completion", "flow-array", "prompt-path")
"""Shapes of the time when registries named no step to begin at."""


def asks_for_entry(context: RuleContext) -> bool:
    """Whether a registry has to name where to begin; of the older shapes under a chosen runtime that loads entries."""
    if context.format not in BEFORE_ENTRIES:
        return True
    era, chosen = context.era, context.settings.runtime is not None and not context.settings.guide
    return chosen and era.kinds and era.gates and not era.whole_check


def verdict_of(context: RuleContext) -> Text | None:
    """The type that agent.json names, else the one that is filled in; None where a template leaves it open."""
    agent = context.folder.agent
    found = agent.verdict_type if agent else None
    if found is None:
        return default_verdict(context)
    return None if has_placeholder(found.value) else found


def default_verdict(context: RuleContext) -> Text | None:
    """The type that runners fill in, at the innermost holder that is there; None where agent.json has a type.

    So they do for a `verdict` that isn't an object. A type that isn't a text is refused by those that check agent.json.
    """
    agent = context.agent_file
    pointer = f"{OWN}/type"
    if agent is None:
        return None
    named = agent.value(pointer)
    if isinstance(named, str) or (named is not None and context.era.checks_agent):
        return None
    place = agent.place(pointer)
    return Text(DEFAULT_TYPE, place.span, place.pointer)


def is_known(key: str, context: RuleContext) -> bool:
    """Whether a registry of the format may map the type: the older names are right in formats of their time as well."""
    if key in VERDICT_TYPES or has_placeholder(key):
        return True
    if key not in OLDER_VERDICT_TYPES:
        return False
    # Beside an agent.json of that time, which calls its own type so, the others are right as well.
    verdict = verdict_of(context)
    return context.format in _OF_OLDER_NAMES or (verdict is not None and verdict.value in OLDER_VERDICT_TYPES)


def todays(key: str) -> str:
    """What a type is called today."""
    return OLDER_VERDICT_TYPES.get(key, key)


def outcome_of_entry(key: str | None, context: RuleContext) -> tuple[Severity, str]:
    """How bad it is that an entry names no step, and what happens; `key` is the type that it is for.

    Loaders look at all entries; older runners at the one with which a run begins.
    """
    verdict = verdict_of(context)
    if key is not None and not context.climpt.gates:
        return WARNING, _("{era} doesn't read it").format(era=context.climpt.name)
    if context.climpt.kinds or not context.climpt.gates:
        return ERROR, entry_refused(context)
    if verdict is None:  # without agent.json no type is known, and a run begins at entryStep
        single = context.registry.tree.at("/entryStep")
        if key is None or single is None or single.value not in context.flow.steps:
            return ERROR, entry_refused(context)
        return WARNING, _("a run under this verdict type can't begin")
    mapping = context.registry.tree.at("/entryStepMapping")
    mapped = [name for name in (verdict.value, todays(verdict.value)) if mapping and mapping.member(name)]
    if key in mapped[:1] or (key is None and not mapped):
        return ERROR, entry_refused(context)
    return WARNING, _("no run begins there, as the agent's verdict type is “{type}”").format(type=verdict.value)


def unmapped(context: RuleContext) -> bool:
    """Whether there is a mapping, but nothing in it, nor an `entryStep`, for the agent's type or for any."""
    root = context.registry.root
    mapping = root.get("entryStepMapping") if root else None
    single = root.get("entryStep") if root else None
    verdict = verdict_of(context)
    if context.format in ADDRESSED:
        if mapping is None or mapping.kind != "object":
            return single is not None and bool(single.value)
        single = None  # is dead where the mapping has nothing
    if mapping is None or mapping.kind != "object" or (single and single.value):
        return False
    return not mapping.members() or (verdict is not None and mapping.member(verdict.value) is None)
