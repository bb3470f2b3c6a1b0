"""Values of agent.json that are of a wrong type, and names that no agent can have."""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.climpt.agent.flat_fields import AGENT_FLAT
from stepflow_gui.formats.climpt.eras import CLIMPT_2026_03_14
from stepflow_gui.formats.fields import Field, field_at
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.agent.sf805_boundary import WORDS
from stepflow_gui.lint.rules.document.json_types import a_kind, expectation
from stepflow_gui.lint.rules.fixes import write_literal
from stepflow_gui.lint.rules.prelude import WARNING, Finding, RuleContext, _
from stepflow_gui.lint.rules.refusals import refused_agent, refusing_agent, tolerated
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Span

_JUDGED_ELSEWHERE = ("/runner/verdict/config", *WORDS)  # by SF803 and SF805
BEHAVIOR = "/behavior"
NAMES = ("name", "displayName")  # null is a wrong type there; elsewhere it counts as absent
_REFUSED = {"name_type", "version_type", "verdict_type_invalid", "type"}


def agent_faults(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """An error where the runner's own check refuses the file, a warning where its JSON Schema does."""
    root, agent = document.root, context.agent_file
    if root is not None and document.tree.valid and root.kind != "object":
        text = _("An agent.json is an object; this file holds {kind}").format(kind=a_kind(root.value))
        yield Finding(text, Span(root.start, min(root.end, root.start + 1)), "", document=document)
    if agent is None:
        return
    objected = {problem.pointer for problem in agent.raw_problems(context.era) if problem.kind in _REFUSED}
    refused = set(objected)
    names = NAMES if agent.layout != "flat" else ()
    if agent.layout != "flat":
        for missing in agent.falsy_fields(context.era):  # a holder of a wrong type counts as an empty one
            refused.update(_up(missing))
    for misfit in misfits(agent.today, AGENT, context.era.name):
        pointer = misfit.pointer
        value = agent.value(pointer)
        if pointer.startswith(_JUDGED_ELSEWHERE):
            continue
        is_field = isinstance(misfit.path[-1], str) if misfit.path else False
        if value is None and is_field and pointer not in objected and pointer[1:] not in names:
            continue
        if misfit.kind == "pattern" and pointer == "/name" and not has_placeholder(value):
            text = _(
                "The name “{name}” must be lower-case letters, digits and dashes: {era} refuses to start the agent"
            )
            yield agent.finding(text.format(name=value, era=refusing_agent(context)), pointer, refused_agent(context))
        elif misfit.kind == "enum" and misfit.path[:1] == ("parameters",) and not has_placeholder(value):
            yield _type_of_parameter(str(value), pointer, agent, context)
        elif misfit.kind == "type":
            field = field_at(AGENT, pointer, context.era.name)
            shape = field.shape if isinstance(field, Field) else field
            if shape is not None:
                text = (
                    _("“{field}” must be {expected} but is {kind}: {era} refuses to start the agent")
                    if pointer in refused
                    else _("“{field}” must be {expected} but is {kind}: {outcome}")
                )
                name = agent.name_in_file(pointer)
                outcome = "" if pointer in refused else tolerated(agent, pointer, context)
                message = text.format(
                    field=name,
                    expected=expectation(shape),
                    kind=a_kind(value),
                    era=refusing_agent(context, pointer),
                    outcome=outcome,
                )
                yield agent.finding(
                    message,
                    pointer,
                    refused_agent(context) if pointer in refused else WARNING,
                    proposals=write_literal(agent.document, agent.place(pointer).span, shape.kind, value),
                )

    yield from _unread(agent, context)
    yield from _behavior(agent)


def _unread(agent: AgentFile, context: RuleContext) -> Iterator[Finding]:
    """Wrong types of fields that this version doesn't read, and others do."""
    for misfit in misfits(agent.today, AGENT, CLIMPT_2026_03_14.name):
        pointer = misfit.pointer
        field = field_at(AGENT, pointer, CLIMPT_2026_03_14.name)
        value = agent.value(pointer)
        known = pointer.startswith(_JUDGED_ELSEWHERE) or field_at(AGENT, pointer, context.era.name) is not None
        if misfit.kind == "type" and isinstance(field, Field) and value is not None and not known:
            text = _("“{field}” must be {expected} but is {kind}; {era} doesn't read it")
            name = agent.name_in_file(pointer)
            message = text.format(
                field=name, expected=expectation(field.shape), kind=a_kind(value), era=context.era.name
            )
            yield agent.finding(message, pointer, WARNING)


def _behavior(agent: AgentFile) -> Iterator[Finding]:
    """The group of the flat layout whose parts have places of their own today."""
    value = agent.left.get(BEHAVIOR)
    if BEHAVIOR in agent.left and value is not None:
        text = _("“{field}” must be {expected} but is {kind}")
        message = text.format(field=BEHAVIOR[1:], expected=expectation(AGENT_FLAT), kind=a_kind(value))
        yield agent.finding(message, BEHAVIOR, WARNING)


def _type_of_parameter(value: str, pointer: str, agent: AgentFile, context: RuleContext) -> Finding:
    """A type that no parameter can have; only the fuller check that runs on request refuses it."""
    field = field_at(AGENT, pointer, context.era.name)
    choices = field.shape.choices if isinstance(field, Field) else ()
    name, key = split(pointer)[-2:]
    text = _("“{field}” of “{name}” is “{value}”, not one of {choices}: {outcome}")
    outcome = tolerated(agent, pointer, context)
    text = text.format(field=key, name=name, value=value, outcome=outcome, choices=_(", ").join(choices))
    meant = context.nearest("SF004", value, choices)
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    return agent.finding(text, pointer, WARNING)


def _up(pointer: str) -> Iterator[str]:
    """The pointer and those of its holders, but for the file itself."""
    keys = split(pointer)
    return (join("", *keys[:count]) for count in range(1, len(keys) + 1))
