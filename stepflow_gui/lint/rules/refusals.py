"""What becomes of a registry or an agent.json that climpt refuses, by the version that messages are about."""

import json

from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.climpt.eras import CLIMPT_2026_03_14, Era
from stepflow_gui.formats.fields import field_at
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.prelude import ERROR, WARNING, RuleContext, Step, _
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import split


def refused_agent(context: RuleContext) -> Severity:
    """How severe a fault of agent.json is: the guide's runner, and those of older versions, start the agent anyway."""
    return ERROR if context.era.checks_agent else WARNING


def objections(agent: AgentFile, context: RuleContext) -> frozenset[str]:
    """Where the runner's own check of agent.json objects to what it holds, its defaults filled in: JSON Pointers."""
    problems = [*agent.raw_problems(context.era), *agent.complete_problems(context.era)]
    return frozenset(problem.pointer for problem in problems if not problem.is_warning)


def refusing_agent(context: RuleContext, pointer: str = "") -> str:
    """The version that refuses to start such an agent: the one that messages name, or the first that checks it.

    A field at the pointer that it doesn't know was known then.
    """
    if not context.climpt.checks_agent:
        return _("{era}, the first version that checks agent.json,").format(era=CLIMPT_2026_03_14.name)
    return _checking(context, pointer).name


def _checking(context: RuleContext, pointer: str) -> Era:
    era = context.climpt
    return era if era.checks_agent and field_at(AGENT, pointer, era.name) is not None else CLIMPT_2026_03_14


def with_outcome(message: str, outcome: str) -> str:
    """What is wrong, with a clause behind it that says what follows."""
    return _("{message}: {outcome}").format(message=message, outcome=outcome)


def tolerated(agent: AgentFile, pointer: str, context: RuleContext) -> str:
    """What becomes of a value that a run does not refuse, as a clause behind a colon: climpt fills in what it reads."""
    from stepflow_gui.formats.climpt.agent.defaults import with_defaults  # most files are sound

    era = _checking(context, pointer)
    used: JsonValue = with_defaults(agent.today, era)
    for key in split(pointer):
        inner = used[int(key)] if isinstance(used, list) and key.isdecimal() and int(key) < len(used) else None
        used = used.get(key) if isinstance(used, dict) else inner
    if used is None:
        return _("{era} ignores it, and “climpt --validate” refuses the file").format(era=era.name)
    if used != agent.value(pointer):
        text = _("{era} uses {value} instead, and “climpt --validate” refuses the file")
        return text.format(era=era.name, value=json.dumps(used, ensure_ascii=False))
    return _("the agent starts with it, and only “climpt --validate” ({era}) refuses the file").format(era=era.name)


def registry_refused(context: RuleContext) -> str:
    """The outcome as a clause behind a colon, with the version for which it is true."""
    era = context.climpt
    if era.load_errors == "stop":
        return _("{era} refuses to load the registry").format(era=era.name)
    if era.kinds and era.gates:
        text = _("{era} drops the registry and finds no entry step, climpt 2026-04-01 and later refuse to load it")
        return text.format(era=era.name)
    return _("climpt 2026-04-01 and later refuse to load the registry")


def refused_registry(context: RuleContext) -> Severity:
    """An error where the runtime itself can't run a registry that later versions refuse to load."""
    era = context.climpt
    return ERROR if era.load_errors == "stop" or (era.kinds and era.gates) else WARNING


def without_schema(step: Step, context: RuleContext) -> str:
    """The same where a step's output schema is not found."""
    if step.gate and context.format != "complete":
        return registry_refused(context)
    return _("the model is asked without a schema")


def gate_refused(step: Step, context: RuleContext) -> str:
    """The same as a further sentence, for a word of the gate that no kind may emit; "" where no loader looks."""
    if step.kind is None or context.format == "complete" or not (context.climpt.kinds and context.climpt.gates):
        return ""
    return _(". {outcome}").format(outcome=registry_refused(context))


def entry_refused(context: RuleContext) -> str:
    """The same where a registry names no step to start at: older versions load it, and then can't start."""
    if context.climpt.kinds and context.climpt.gates:
        return registry_refused(context)
    return _("{era} finds no entry step").format(era=context.climpt.name)
