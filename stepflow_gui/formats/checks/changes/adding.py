"""A new step with a check, written as the others of its file are."""

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import AddStep, TransitionKey
from stepflow_gui.formats.checks import drafting
from stepflow_gui.formats.checks.changes.naming import bad_id
from stepflow_gui.formats.checks.changes.outcomes import can_connect, target_edits
from stepflow_gui.formats.climpt.changes.draft import Draft, bad_new_id, step_of
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import JsonValue


def add_step(files: AgentFiles, change: AddStep) -> Plan | Refusal:
    """A step whose check has both outcomes: it goes on to the former target of `incoming`, and is tried again."""
    flow = files.flow
    refused = bad_id(change.step) or bad_new_id(flow, change.step) or _unfit(flow, change)
    if refused:
        return refused
    following = _target_before(flow, change.incoming) if change.incoming else None
    draft = Draft(files)
    name = change.name or _("New step")
    value = _fields(flow, change.step, name, following)
    after = change.after or change.like
    draft.edit(draft.registry, json_edit.insert_member(draft.registry.tree, "/steps", change.step, value, after=after))
    if change.incoming:
        draft.edit(draft.registry, target_edits(flow, change.incoming.step, change.incoming.intent, change.step))
    return draft.plan(_("Add {step}").format(step=name))


def _unfit(flow: Flow, change: AddStep) -> Refusal | None:
    for named in (change.like, change.after):
        known = step_of(flow, named) if named else None
        if isinstance(known, Refusal):
            return known
    if change.kind != "work":
        return Refusal(_("Steps with checks are of one kind"))
    incoming = change.incoming
    return can_connect(flow, incoming.step, incoming.intent, change.step, new=True) if incoming else None


def _fields(flow: Flow, step_id: str, name: str, following: str | None) -> dict[str, JsonValue]:
    """The fields that the file's steps have; `iterations` and `responseFormat` only where most have them."""
    topic = drafting.topic_of(name)
    check = drafting.new_check(flow, topic, following)
    steps = [step.raw for step in flow.steps.values()]
    checks = [step["check"] for step in steps if isinstance(step.get("check"), dict)]
    if sum("responseFormat" in each for each in checks) * 2 < len(checks):
        del check["responseFormat"]
    counted: dict[str, JsonValue] = {"iterations": {"min": 1, "max": 1}}
    if sum("iterations" in step for step in steps) * 2 < len(steps):
        counted = {}
    prompt = drafting.step_address(flow, topic)
    return {"id": step_id, "name": name, "prompt": prompt, **counted, "check": check}


def _target_before(flow: Flow, incoming: TransitionKey) -> str | None:
    """The former target of the passed check that now goes to the new step."""
    step = flow.steps.get(incoming.step)
    rule = step.transition(incoming.intent) if step and incoming.intent == "pass" else None
    return rule.target.value if rule and rule.target and rule.target.value in flow.steps else None
