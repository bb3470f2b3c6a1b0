"""SF803 verdict-config.

What it does: reports a verdict whose config lacks what its type can't do without, or has it of a wrong type or below
its minimum; also for each of the verdicts that meta:composite combines.

Why is this bad: climpt refuses to start the agent. Inside a composite it looks at nothing when it starts, and the
condition then never holds.

Fix: write the field. Each type needs another: maxIterations, maxChecks, verdictKeyword, signalType, operator and
conditions, handlerPath.
"""

import json
from collections.abc import Iterator

from stepflow_gui.formats.climpt.agent.fields import CONFIG, VERDICTS
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.fields import Field
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.agent.verdicts import OWN, WrittenVerdict, verdicts
from stepflow_gui.lint.rules.document.json_types import a_kind
from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.lint.rules.refusals import objections, refused_agent, refusing_agent, tolerated, with_outcome
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.shown import shown
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, parent

RULE = Rule("SF803", "verdict-config", ERROR, looks_at=DOCUMENT)

_ENTRY = {"/entryStepMapping": {"detect:keyword": "initial.issue"}}
BAD = changed(_ENTRY | {"agent.json#/runner/verdict": {"type": "detect:keyword", "config": {"maxIterations": 5}}})
GOOD = changed(
    _ENTRY
    | {
        "agent.json#/runner/verdict": {
            "type": "detect:keyword",
            "config": {"verdictKeyword": "DONE", "maxIterations": 5},
        }
    }
)

_FIELDS = {field.name: field for field in CONFIG.fields}
_USUAL: dict[str, JsonValue] = {
    "maxIterations": 10,
    "maxChecks": 10,
    "verdictKeyword": "TASK_COMPLETE",
    "operator": "and",
}


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Each verdict by its own type."""
    agent = context.agent_file
    if document is not context.folder.agent_document or agent is None:
        return
    refused = objections(agent, context)
    for verdict in verdicts(agent):
        known = VERDICTS.get(verdict.type or "")
        if known is None:
            continue
        given = verdict.given.get("config")
        if given is not None and verdict.config is None:
            yield _no_object(given, verdict, agent, context, refused)
            continue
        for name in known.needed:
            if name not in (verdict.config or {}) and _is_filled(verdict, name):
                continue
            problem = _problem(name, (verdict.config or {}).get(name), verdict, context.era)
            if problem:
                proposals = _added(document, _place(agent, verdict), name, verdict)
                pointer = f"{verdict.pointer}/config/{name}"
                severity = refused_agent(context) if pointer in refused else WARNING
                text = with_outcome(problem, _outcome(pointer, verdict, agent, context, refused))
                yield agent.finding(text, pointer, severity, proposals=proposals)
        for name in known.also:
            value = (verdict.config or {}).get(name)
            problem = _misfit(name, value, verdict, context.era) if value is not None else None
            if problem:
                pointer = f"{verdict.pointer}/config/{name}"
                text = with_outcome(problem, _outcome(pointer, verdict, agent, context, refused))
                yield agent.finding(text, pointer, WARNING)


def _outcome(
    pointer: str, verdict: WrittenVerdict, agent: AgentFile, context: RuleContext, refused: frozenset[str]
) -> str:
    if pointer in refused or any(each.startswith(f"{pointer}/") for each in refused):
        return _("{era} refuses to start the agent").format(era=refusing_agent(context, pointer))
    if verdict.pointer == OWN:
        return tolerated(agent, pointer, context)
    if pointer.endswith("/maxIterations"):
        return _("the agent starts, and the condition uses another limit")
    return _("the agent starts, and the condition never holds")


def _no_object(
    given: JsonValue, verdict: WrittenVerdict, agent: AgentFile, context: RuleContext, refused: frozenset[str]
) -> Finding:
    """Of the agent's own verdict climpt fills such a config up with its defaults, and then misses what has none."""
    pointer = f"{verdict.pointer}/config"
    objected = any(each.startswith(f"{pointer}/") for each in refused)
    text = _("The config of {type} must be an object but is {kind}: {outcome}")
    outcome = _outcome(pointer, verdict, agent, context, refused)
    text = text.format(type=verdict.type, kind=a_kind(given), outcome=outcome)
    return agent.finding(text, pointer, refused_agent(context) if objected else WARNING)


def _is_filled(verdict: WrittenVerdict, name: str) -> bool:
    """The agent's own count:iteration is given ten iterations where it says nothing."""
    return name == "maxIterations" and verdict.pointer == OWN and verdict.config is None


def _problem(name: str, value: JsonValue, verdict: WrittenVerdict, era: Era) -> str | None:
    if value is None:
        return _("The verdict type {type} needs “{field}” in its config, which is missing").format(
            type=verdict.type, field=name
        )
    if value in ("", 0, []):
        return _("The verdict type {type} needs “{field}” in its config, which is {value}").format(
            type=verdict.type, field=name, value=json.dumps(value)
        )
    return _misfit(name, value, verdict, era)


def _misfit(name: str, value: JsonValue, verdict: WrittenVerdict, era: Era) -> str | None:
    """What is wrong with a value that may be left out."""
    field = _FIELDS[name]
    misfit = next((each for each in misfits(value, field.shape, era.name) if not each.path), None)
    if misfit is None or misfit.kind in {"enum", "pattern"}:  # a word outside its choices is SF805's matter
        return None
    if misfit.kind == "minimum":
        return _("“{field}” of {type} must be at least {least} but is {value}").format(
            field=name, type=verdict.type, least=field.shape.least, value=value
        )
    return _wrong_type(field, value, verdict)


def _wrong_type(field: Field, value: JsonValue, verdict: WrittenVerdict) -> str:
    wanted = {
        "number": _("a number"),
        "string": _("a string"),
        "list": _("a list"),
        "either": _("a string or an object") if field.name == "targetState" else _("a list or an object"),
    }[field.shape.kind]
    return _("“{field}” of {type} must be {wanted} but is {kind}").format(
        field=field.name, type=verdict.type, wanted=wanted, kind=a_kind(value)
    )


def _place(agent: AgentFile, verdict: WrittenVerdict) -> str:
    """Where the file has the config, or would have it."""
    place = agent.in_file(f"{verdict.pointer}/config")
    if agent.document.tree.at(parent(place)):
        return place
    return join(parent(agent.in_file(f"{verdict.pointer}/type")), "completionConfig")  # of the flat layout


def _added(document: ParsedFile, pointer: str, name: str, verdict: WrittenVerdict) -> Iterator[Proposal]:
    if name not in _USUAL:
        return
    value = _USUAL[name]
    title = _("Write “{word}”").format(word=f"{name}: {shown(value)}")
    if "config" not in verdict.given:
        yield from put(document, parent(pointer), pointer.rpartition("/")[2], {name: value}, title)
    elif verdict.config is not None and name not in verdict.given["config"]:
        yield from put(document, pointer, name, value, title)
