"""Where a piece names its movements, and how its file writes what a change puts in."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.eras import ABORT, COMPLETE, ENDS, TaktEra
from stepflow_gui.formats.takt.piece import OLDER_NEXT, OLDER_RULES
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join, split


class Mention(NamedTuple):
    """A text that names a movement. `part` is where it is: rule, initial or cycle."""

    name: str
    pointer: str
    part: str


def era_of(flow: Flow) -> TaktEra:
    """The era of a piece's file."""
    return era_of_file(flow.document.root)


def mentions(flow: Flow) -> Iterator[Mention]:
    """Every text in the file itself that names a movement, ends excepted."""
    root = flow.document.root
    era = era_of(flow)
    if root is None:
        return
    yield from _named(root.get(era.initial), join("", era.initial), "initial")
    holder = root.get(era.steps)
    for index, item in enumerate(holder.items() if holder else ()):
        yield from _of_rules(item, join("", era.steps, index))
    monitors = root.get("loop_monitors")
    for index, item in enumerate(monitors.items() if monitors else ()):
        where = join("/loop_monitors", index)
        for key in ("cycle", "ignore_steps"):
            listed = item.get(key)
            for at, text in enumerate(listed.items() if listed else ()):
                yield from _named(text, join(where, key, at), "cycle")
        judge = item.get("judge")
        if judge is not None:
            yield from _of_rules(judge, join(where, "judge"))


def _of_rules(node: Node, pointer: str) -> Iterator[Mention]:
    """The targets of the rules of a movement, of its sub-steps or of a judge."""
    for where, each in node.walk(pointer):
        keys = split(where)
        if (keys[-1] == "next" and "rules" in keys) or (keys[-1] == OLDER_NEXT and OLDER_RULES in keys):
            yield from _named(each, where, "rule")


def _named(node: Node | None, pointer: str, part: str) -> Iterator[Mention]:
    if node is not None and isinstance(node.value, str) and node.value not in ENDS:
        yield Mention(node.value, pointer, part)


def word_of(target: str | None) -> str:
    """The word for a target in a rule: the name of a movement or of an end; None is the good end."""
    return COMPLETE if target is None else target


def goal_of(target: str | None) -> str:
    """A target as a sentence names it."""
    return word_of(target)


def unknown_target(flow: Flow, target: str | None) -> Refusal | None:
    """Why a rule can't have this target."""
    if target in {None, *ENDS} or target in flow.steps:
        return None
    return Refusal(_("There is no step “{step}”").format(step=target))


def bad_name(flow: Flow, name: str) -> Refusal | None:
    """Why a movement can't have a name."""
    if not name.strip() or "\n" in name:
        return Refusal(_("A movement’s name is one line of text"))
    if name in ENDS:
        text = _("{complete} and {abort} are ends: no movement can be called so")
        return Refusal(text.format(complete=COMPLETE, abort=ABORT))
    if name in flow.steps:
        return Refusal(_("There is a step “{step}” already").format(step=name))
    return None


def doubled(flow: Flow, name: str) -> Refusal | None:
    """Why a movement whose name is in the file twice can't be changed as a whole."""
    root = flow.document.root
    holder = root.get(era_of(flow).steps) if root else None
    same = [item for item in (holder.items() if holder else ()) if _name(item) == name]
    if len(same) < 2:
        return None
    return Refusal(_("“{step}” appears in the file twice: remove one of the two first").format(step=name))


def _name(item: Node) -> object:
    named = item.get("name")
    return named.value if named is not None else None


def index_of(step: Step) -> int:
    """The place of a movement in the list of the file."""
    return int(split(step.pointer)[-1])
