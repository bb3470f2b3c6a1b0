"""Movements of TAKT pieces: names, targets, their text on the clipboard. Knows no Qt."""

from collections.abc import Mapping, Sequence
from textwrap import dedent

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.changes import SetField
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.eras import ENDS
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.lines import with_line_feeds
from stepflow_gui.text.yaml.tree import read_yaml_tree


def is_piece(flow: Flow) -> bool:
    """Whether the steps of a flow are movements."""
    return flow.format == "takt"


def are_named(flow: Flow) -> bool:
    """Whether new steps are asked for by a name alone: there are no kinds to choose."""
    return flow.format in {"checks", "takt"}


def targets_of(flow: Flow) -> list[str | None]:
    """The possible targets of a transition, the ends first."""
    return [*(ENDS if is_piece(flow) else (None,)), *flow.steps]


def copied_movements(text: str, steps: Sequence[Step]) -> str:
    """The text of movements as a list, as it is in the file but for the indentation."""
    found = []
    for step in steps:
        line = with_line_feeds(text).rfind("\n", 0, step.node.start) + 1
        lead = text[line : step.node.start]
        written = with_line_feeds(text[step.node.start : step.node.end]).replace("\r\n", "\n")
        if lead.strip() == "-":
            written = dedent(" " * len(lead) + written)
        found.append("- " + written.rstrip().replace("\n", "\n  "))
    return "\n".join(found) + "\n"


def pasted_movements(text: str) -> dict[str, JsonValue] | str:
    """The movements in a text, by name: a list of them, or a piece; else why there is none."""
    tree = read_yaml_tree(Source(text))
    root = tree.root
    if root is not None and root.kind == "object":
        root = root.get(era_of_file(root).steps)
    if not tree.valid or root is None or root.kind != "array":
        return _("What is on the clipboard isn’t YAML of movements")
    found = {item.value["name"]: item.value for item in root.items() if _has_name(item.value)}
    return found or _("What is on the clipboard is YAML, but no movement")


def inserted(flow: Flow, value: JsonValue, new: str) -> SetField:
    """The change that puts a movement behind the others under a name."""
    assert isinstance(value, dict)
    return SetField(join("", era_of_file(flow.document.root).steps, "-"), value | {"name": new})


def free_name(wanted: str, taken: Mapping[str, object]) -> str:
    """A name that no movement has, of letters and `_` only: tags repeat it, and can hold no more."""
    name = wanted
    while name in taken:
        name += "_copy"
    return name


def sub_step_at(step: Step | None, pointer: str) -> Step | None:
    """The sub-step of a movement at a pointer. Those of shared steps, which are elsewhere, are none of its own."""
    return next((sub for sub in own_sub_steps(step) if sub.pointer == pointer), None) if pointer else None


def own_sub_steps(step: Step | None) -> list[Step]:
    """The sub-steps that stand inside a movement in the file."""
    return [sub for sub in step.subs if sub.pointer.startswith(f"{step.pointer}/")] if step is not None else []


def path_of(flow: Flow, step: Step, sub: Step) -> str:
    """Where a sub-step is, as a person reads it: `piece › reviewers › qa-review`."""
    return " › ".join((flow.agent_id.value if flow.agent_id else flow.document.path.stem, step.id, sub.id))


def offered(step: Step) -> list[str]:
    """Conditions that a rule could have: in a parallel movement those over each result of its sub-steps."""
    results = dict.fromkeys(rule.as_written for sub in step.subs for rule in sub.transitions if rule.as_written)
    return [f'{word}("{result}")' for word in ("all", "any") for result in results]


def _has_name(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str) and bool(value["name"])
