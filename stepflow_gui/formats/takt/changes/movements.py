"""Movements made, copied, renamed wherever they are named, and chosen as the one that a run begins with."""

from collections.abc import Iterator, Sequence
from copy import deepcopy

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.climpt.changes.draft import Draft, step_of
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.takt.changes.places import bad_name, doubled, era_of, index_of, mentions
from stepflow_gui.formats.takt.changes.putting import put
from stepflow_gui.formats.takt.changes.rules import can_connect, target_edits
from stepflow_gui.formats.takt.eras import COMPLETE
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.json.tree import JsonTree, JsonValue
from stepflow_gui.text.pointer import join
from stepflow_gui.text.yaml import edit as yaml_edit
from stepflow_gui.text.yaml.tree import YamlTree


def add(files: AgentFiles, change: asked.AddStep) -> Plan | Refusal:
    """A movement with one rule. It goes on to the former target of `incoming`, else it completes."""
    flow = files.flow
    refused = bad_name(flow, change.step) or _unfit(flow, change)
    if refused:
        return refused
    like = change.like or change.after
    value = _fields(flow, change.step, flow.steps[like] if like else None, _target_before(flow, change.incoming))
    draft = Draft(files)
    tree = draft.registry.tree
    holder = join("", era_of(flow).steps)
    if change.after and tree.at(holder) is not None:
        edits = yaml_edit.insert_item(tree, holder, value, index_of(flow.steps[change.after]) + 1)
    else:
        edits = put(flow, join(holder, "-"), value)
    draft.edit(draft.registry, edits)
    if change.incoming:
        draft.edit(draft.registry, target_edits(flow, change.incoming.step, change.incoming.intent, change.step))
    return draft.plan(_("Add {step}").format(step=change.step))


def duplicate(files: AgentFiles, change: asked.DuplicateStep) -> Plan | Refusal:
    """The same movement once more behind it, its rules to itself going to the copy."""
    flow = files.flow
    step = step_of(flow, change.step)
    if isinstance(step, Refusal):
        return step
    refused = bad_name(flow, change.copy) or doubled(flow, change.step)
    if refused:
        return refused
    value = deepcopy(step.raw) | {"name": change.copy}
    if "name" not in step.raw:
        value = {"name": change.copy, **step.raw}
    rules = value.get("rules")
    for rule in rules if isinstance(rules, list) else ():
        if isinstance(rule, dict) and rule.get("next") == step.id:
            rule["next"] = change.copy
    draft = Draft(files)
    holder = join("", era_of(flow).steps)
    draft.edit(draft.registry, yaml_edit.insert_item(draft.registry.tree, holder, value, index_of(step) + 1))
    return draft.plan(_("Duplicate {steps}").format(steps=step.id))


def rename(files: AgentFiles, change: asked.RenameStep) -> Plan | Refusal:
    """Another name for a movement, and wherever rules, the beginning and loop monitors name it."""
    flow = files.flow
    step = step_of(flow, change.step)
    if isinstance(step, Refusal):
        return step
    draft = Draft(files)
    title = _("Rename {step} to {new}").format(step=step.id, new=change.new)
    if change.new == step.id:
        return draft.plan(title)
    refused = bad_name(flow, change.new) or doubled(flow, step.id)
    if refused:
        return refused
    tree = draft.registry.tree
    places = [each.pointer for each in mentions(flow) if each.name == step.id]
    if step.node.get("name") is not None:
        places.append(join(step.pointer, "name"))
    else:
        first = next((member.key for member in step.node.members()), None)
        draft.edit(draft.registry, yaml_edit.insert_member(tree, step.pointer, "name", change.new, before=first))
    draft.edit(draft.registry, yaml_edit.change_together(tree, dict.fromkeys(places, change.new), (), {}))
    for note in _by_aliases(tree, places):
        draft.note(note)
    return draft.plan(title)


def begin_with(files: AgentFiles, change: asked.AddEntry) -> Plan | Refusal:
    """There is one beginning, whatever the verdict type."""
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    draft = Draft(files)
    draft.edit(draft.registry, put(files.flow, join("", era_of(files.flow).initial), step.id))
    return draft.plan(_("Start runs at {step}").format(step=step.id))


def _by_aliases(tree: JsonTree, places: Sequence[str]) -> Iterator[str]:
    """Which of the places follow because they are aliases of another."""
    spans = {node.span for place in places if (node := tree.at(place)) is not None}
    aliases = [each for each in tree.aliases if each.span in spans] if isinstance(tree, YamlTree) else []
    for name in dict.fromkeys(each.name for each in aliases):
        lines = [str(tree.source.position(each.span.start).line) for each in aliases if each.name == name]
        text = ngettext(
            "“*{name}” in line {lines} follows the anchor “&{name}”",
            "“*{name}” in lines {lines} follows the anchor “&{name}”",
            len(lines),
        )
        yield text.format(name=name, lines=", ".join(lines))


def _unfit(flow: Flow, change: asked.AddStep) -> Refusal | None:
    for named in (change.like, change.after):
        known = step_of(flow, named) if named else None
        if isinstance(known, Refusal):
            return known
    if change.kind != "work":
        return Refusal(_("New movements are of one kind; sub-steps make one parallel"))
    incoming = change.incoming
    return can_connect(flow, incoming.step, incoming.intent, change.step, new=True) if incoming else None


def _fields(flow: Flow, name: str, like: Step | None, following: str) -> dict[str, JsonValue]:
    """The fields of the movements beside it that define who works, with an instruction to be written."""
    fields: dict[str, JsonValue] = {"name": name}
    for key in ("persona", "policy", "edit") if like is not None else ():
        if like is not None and key in like.raw:
            fields[key] = deepcopy(like.raw[key])
    fields[era_of(flow).instruction] = _("What is to be done here")
    fields["rules"] = [{"condition": _("Done"), "next": following}]
    return fields


def _target_before(flow: Flow, incoming: asked.TransitionKey | None) -> str:
    """The current target of a rule that is to go to the new movement."""
    step = flow.steps.get(incoming.step) if incoming else None
    rule = step.transition(incoming.intent) if step and incoming else None
    if rule is None:
        return COMPLETE
    if rule.target is not None and rule.target.value in flow.steps:
        return rule.target.value
    return rule.end if rule.end and rule.end != "return" else COMPLETE
