"""A movement taken out, and what becomes of what names it."""

from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.climpt.changes.draft import Draft, step_of
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.takt.changes.places import Mention, doubled, mentions, unknown_target
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.document import ParsedFile, Place
from stepflow_gui.text.pointer import join, parent, split
from stepflow_gui.text.yaml import edit as yaml_edit

_SHORTEST = 2  # movements in a watched cycle


def remove(files: AgentFiles, change: asked.RemoveStep) -> Plan | Refusal:
    """References to the movement then target `retarget_to`; a cycle goes on without it, or is removed with it."""
    flow = files.flow
    step = step_of(flow, change.step)
    if isinstance(step, Refusal):
        return step
    refused = doubled(flow, step.id) or unknown_target(flow, change.retarget_to)
    if refused:
        return refused
    if len(flow.steps) == 1:
        return Refusal(_("A piece needs a movement: the last one can’t be removed"))
    if change.retarget_to == step.id:
        return Refusal(_("What goes to “{step}” can’t go there when it is gone").format(step=step.id))
    draft = Draft(files)
    tree = draft.registry.tree
    named = [each for each in mentions(flow) if each.name == step.id and not _within(each, step.pointer)]
    gone = [step.pointer, *_from_cycles(draft.registry, named)]
    for where in gone:
        if where.startswith("/loop_monitors") and len(split(where)) <= 2:
            draft.note(_("The watch over a cycle goes along: fewer than two movements were left in it"))
    rules = [each for each in named if each.part == "rule" and not any(_within(each, where) for where in gone)]
    if rules and change.retarget_to is None and not change.force:
        text = ngettext("{count} rule goes to “{step}”", "{count} rules go to “{step}”", len(rules))
        places = tuple(_place(draft.registry, each) for each in rules)
        return Refusal(text.format(count=len(rules), step=step.id), options=("retarget_to", "force"), places=places)
    for each in named:
        if each.part == "initial":
            if change.retarget_to in flow.steps:
                draft.edit(draft.registry, yaml_edit.set_value(tree, each.pointer, change.retarget_to))
            else:
                gone.append(each.pointer)
                draft.note(_("A run begins with the first movement now"))
    for each in rules if change.retarget_to is not None else ():
        draft.edit(draft.registry, yaml_edit.set_value(tree, each.pointer, change.retarget_to))
    draft.edit(draft.registry, yaml_edit.remove(tree, *gone))
    return draft.plan(_("Remove {step}").format(step=step.id))


def _from_cycles(document: ParsedFile, named: list[Mention]) -> list[str]:
    """What is taken out of the loop monitors: names in cycles, or the whole monitor, or all of them."""
    monitors = document.tree.at("/loop_monitors")
    if monitors is None:
        return []
    found: list[str] = []
    whole = 0
    for index, monitor in enumerate(monitors.items()):
        where = join("/loop_monitors", index)
        mine = [each.pointer for each in named if each.part == "cycle" and each.pointer.startswith(where + "/")]
        cycle = monitor.get("cycle")
        in_cycle = [each for each in mine if parent(each) == join(where, "cycle")]
        if cycle is not None and in_cycle and len(cycle.items()) - len(in_cycle) < _SHORTEST:
            found.append(where)
            whole += 1
        else:
            found += mine
    return ["/loop_monitors"] if whole and whole == len(monitors.items()) else found


def _within(each: Mention, pointer: str) -> bool:
    return each.pointer.startswith(pointer + "/")


def _place(document: ParsedFile, each: Mention) -> Place:
    node = document.tree.at(each.pointer)
    assert node is not None
    return Place(document, each.pointer, node.span)
