"""What becomes of a registry or an agent.json that climpt refuses, by the version that messages are about."""

from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.prelude import ERROR, WARNING, RuleContext, _


def refused_agent(context: RuleContext) -> Severity:
    """How severe it is that climpt refuses to start an agent: the guide's runner starts it all the same."""
    return WARNING if context.settings.guide else ERROR


def registry_refused(context: RuleContext) -> str:
    """The outcome as a clause behind a colon, with the version for which it is true."""
    era = context.climpt
    if era.load_errors == "stop":
        return _("{era} refuses to load the registry").format(era=era.name)
    if era.kinds and era.gates:
        text = _("{era} drops the registry and finds no entry step, climpt 2026-04-01 and later refuse to load it")
        return text.format(era=era.name)
    return _("climpt 2026-04-01 and later refuse to load the registry")


def entry_refused(context: RuleContext) -> str:
    """The same where a registry names no step to start at: older versions load it, and then can't start."""
    if context.climpt.kinds and context.climpt.gates:
        return registry_refused(context)
    return _("{era} finds no entry step").format(era=context.climpt.name)
