"""The forms in which a movement names its reports: one into another of the same meaning (takt.md 8)."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.climpt.changes.draft import Draft
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.takt.changes.places import era_of
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import JsonTree, JsonValue, Node
from stepflow_gui.text.pointer import join, parent, split
from stepflow_gui.text.yaml import edit as yaml_edit
from stepflow_gui.text.yaml.lines import usual_line_end, with_line_feeds

_CONTRACTS = "output_contracts"
_LIST = "report"
_DEEPER = "  "


def reshapings(flow: Flow, pointer: str) -> Iterator[asked.ReshapeReport]:
    """In which other forms the reports at a pointer can be written without loss."""
    tree = flow.document.tree
    node = tree.at(pointer)
    keys = split(pointer)
    if node is None:
        return
    if keys[-1:] == [_CONTRACTS] and node.kind == "array" and node.items():
        yield asked.ReshapeReport(pointer, "nest")
    if _is_older(flow, pointer) and _fits_an_entry(node):
        yield asked.ReshapeReport(pointer, "nest")
    if keys[-3:-1] != [_CONTRACTS, _LIST]:
        return
    labels = _labels(node.value)
    if len(labels) > 1:
        yield asked.ReshapeReport(pointer, "split")
    following = tree.at(_next(pointer))
    others = _labels(following.value) if following is not None else {}
    if labels and others and not labels.keys() & others.keys():
        yield asked.ReshapeReport(pointer, "join")
    if era_of(flow).notation != "piece":
        return  # there are no labels
    if len(labels) == 1 and [*labels] == [_label_of(each) for each in labels.values()]:
        yield asked.ReshapeReport(pointer, "name")
    if isinstance(node.value, dict) and set(node.value) == {"name"} and isinstance(node.value["name"], str):
        yield asked.ReshapeReport(pointer, "label")


def reshape(files: AgentFiles, change: asked.ReshapeReport) -> Plan | Refusal:
    """Write reports in another form."""
    if change not in reshapings(files.flow, change.pointer):
        return Refusal(_("These reports can’t be written in that form without losing something"))
    tree = files.flow.document.tree
    node = tree.at(change.pointer)
    assert node is not None
    draft = Draft(files)
    match change.form:
        case "split":
            edits = _split(tree, node)
        case "join":
            edits = _joined(tree, change.pointer)
        case "label":
            name = join(change.pointer, "name")
            edits = yaml_edit.rename_key(tree, name, _label_of(node.value["name"]))
        case "name":
            edits = yaml_edit.rename_key(tree, join(change.pointer, next(iter(node.value))), "name")
        case "nest" if split(change.pointer)[-1] == _LIST:
            edits = _moved(tree, change.pointer, node)
        case "nest":
            edits = _nested(tree, change.pointer, node)
    draft.edit(draft.registry, edits)
    return draft.plan(_("Write the reports in another form"))


def _labels(value: JsonValue) -> dict[str, str]:
    """The file names by label; none where the entry is of another form."""
    if not isinstance(value, dict) or "name" in value:
        return {}
    found = {label: file for label, file in value.items() if isinstance(file, str)}
    return found if len(found) == len(value) else {}


def _label_of(file: str) -> str:
    """The default label of a file name."""
    return PurePosixPath(file).stem or file


def _next(pointer: str) -> str:
    return join(parent(pointer), int(split(pointer)[-1]) + 1)


def _split(tree: JsonTree, node: Node) -> list[TextEdit]:
    """Put a dash before each label but the first; the rest of the lines stays."""
    text = with_line_feeds(tree.source.text)
    dash = _dash(text, node)
    edits = []
    for member in node.members()[1:]:
        begin = text.rfind("\n", 0, member.key_start) + 1
        indent = text[begin : member.key_start]
        if dash is None or indent.strip() or len(indent) <= dash + 1:
            raise ValueError(_("the labels aren’t below each other"))
        edits.append(TextEdit(begin + dash, begin + dash + 1, "-"))
    return edits


def _joined(tree: JsonTree, pointer: str) -> list[TextEdit]:
    """Take the dash of the next entry away, where both are written alike."""
    text = with_line_feeds(tree.source.text)
    one, other = tree.at(pointer), tree.at(_next(pointer))
    assert one is not None
    assert other is not None
    dash = _dash(text, other)
    if dash is None or _dash(text, one) != dash or _column(text, one.start) != _column(text, other.start):
        raise ValueError(_("the labels aren’t below each other"))
    begin = text.rfind("\n", 0, other.start) + 1
    return [TextEdit(begin + dash, begin + dash + 1, " ")]


def _nested(tree: JsonTree, pointer: str, node: Node) -> list[TextEdit]:
    """Put the list of a block one level deeper, below `report`."""
    text = with_line_feeds(tree.source.text)
    key = tree.key_span(pointer)
    begin = text.rfind("\n", 0, node.start) + 1
    if key is None or text[node.start] != "-" or text[begin : node.start].strip():
        return yaml_edit.set_value(tree, pointer, {_LIST: node.value})
    outer = _column(text, key.start)
    indent = " " * max(_column(text, node.start), outer + len(_DEEPER))
    line_end = usual_line_end(tree.source.text)
    return [TextEdit(begin, begin, f"{indent}{_LIST}:{line_end}"), *_indented(text, node, _DEEPER)]


def _is_older(flow: Flow, pointer: str) -> bool:
    """Whether the field is the `report` of a movement or sub-step, as it was before `output_contracts`."""
    steps = (each for step in flow.steps.values() for each in (step, *step.subs))
    owner = next((step for step in steps if join(step.pointer, _LIST) == pointer), None)
    return owner is not None and owner.node.member(_CONTRACTS) is None


def _fits_an_entry(node: Node) -> bool:
    """Whether a value is a file name, an entry or a list of entries."""
    if node.kind == "array":
        return all(item.kind == "object" for item in node.items()) and bool(node.items())
    return bool(node.value) and (isinstance(node.value, str) or node.kind == "object")


def _moved(tree: JsonTree, pointer: str, node: Node) -> list[TextEdit]:
    """Put the older field under `output_contracts`: only its key is written again, and its lines go further in."""
    text = with_line_feeds(tree.source.text)
    key = tree.key_span(pointer)
    begin = text.rfind("\n", 0, key.start) + 1 if key is not None else 0
    if key is None or text[begin : key.start].strip():
        raise ValueError(_("the field isn’t on its own line"))
    line_end = usual_line_end(tree.source.text)
    outer = text[begin : key.start]
    head = f"{_CONTRACTS}:{line_end}{outer}{_DEEPER}{_LIST}"
    alone = text[text.rfind("\n", 0, node.start) + 1 : node.start].strip()  # what stands before the value
    if node.kind == "array":
        edits = [TextEdit(key.start, key.end, head)]
        return [*edits, *_indented(text, node, _DEEPER)] if not alone else edits
    entry = f"{head}:{line_end}{outer}{_DEEPER}{_DEEPER}- "
    if isinstance(node.value, str):
        if "\n" in text[node.start : node.end]:
            raise ValueError(_("the text has several lines"))
        return [TextEdit(key.start, key.end, entry + "name")]
    if alone:  # in braces, behind the key
        return [TextEdit(key.start, node.start, entry)]
    shift = len(outer) + 3 * len(_DEEPER) - _column(text, node.start)
    if shift < 0:
        raise ValueError(_("the field isn’t on its own line"))
    first = text.rfind("\n", 0, node.start) + 1
    dashed = TextEdit(first, node.start, f"{outer}{_DEEPER}{_DEEPER}- ")
    return [TextEdit(key.start, key.end, head), dashed, *_indented(text, node, " " * shift)[1:]]


def _indented(text: str, node: Node, by: str) -> list[TextEdit]:
    """The lines of a value further in."""
    edits = []
    at = text.rfind("\n", 0, node.start) + 1
    while at < node.end:
        end = text.find("\n", at) + 1 or len(text)
        if text[at:end].strip():
            edits.append(TextEdit(at, at, by))
        at = end
    return edits


def _dash(text: str, node: Node) -> int | None:
    """The column of the dash before an entry that begins on its line."""
    begin = text.rfind("\n", 0, node.start) + 1
    indent = text[begin : node.start]
    return indent.index("-") if indent.strip() == "-" else None


def _column(text: str, at: int) -> int:
    return at - (text.rfind("\n", 0, at) + 1)
