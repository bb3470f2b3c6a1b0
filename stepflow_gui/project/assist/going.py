"""Going from a name to where it is defined, and to every place that means it; what a key or value is about."""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.changes.references import references
from stepflow_gui.formats.fields import Names, Shape
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.names import defined_at, names_of
from stepflow_gui.project.assist.spot import Spot, spot_at, table_of
from stepflow_gui.text.document import Document, Place
from stepflow_gui.text.json_tree import Node
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Span

_KEYED: dict[str, Names] = {
    "steps": "step",
    "validators": "validator",
    "failurePatterns": "failure pattern",
    "completionPatterns": "failure pattern",
    "validationSteps": "step",
    "completionSteps": "step",
}


def definitions_at(agent: AgentFolder, document: Document, offset: int) -> list[Place]:
    """Where what stands at an offset is defined; [] where it is no name, or nothing has it."""
    spot = spot_at(agent, document, offset)
    if spot is None:
        return []
    names = _named(spot)
    return defined_at(agent, names, spot.text, spot.pointer) if names else []


def references_at(agent: AgentFolder, document: Document, offset: int) -> list[Place]:
    """Every place that means the same as what stands at an offset, its definition first, each once."""
    spot = spot_at(agent, document, offset)
    names = _named(spot) if spot is not None else ""
    if spot is None or not names:
        return []
    found = defined_at(agent, names, spot.text, spot.pointer)
    if names == "step":
        found += [each.place for each in references(agent, spot.text)]
    elif names == "intent":
        found.append(Place(document, spot.pointer, spot.span))
    else:
        for each in (agent.registry, agent.agent_document):
            if each is not None:
                found += _meaning(agent, each, names, spot.text)
    seen: dict[tuple[str, Span], Place] = {(str(place.document.path), place.span): place for place in reversed(found)}
    return list(seen.values())[::-1]


def about(agent: AgentFolder, document: Document, offset: int) -> str:
    """What a key or value at an offset is for, in the language in use; empty where nothing is known of it."""
    spot = spot_at(agent, document, offset)
    if spot is None:
        return ""
    lines = [spot.field.meaning()] if spot.field is not None else []
    names = _named(spot)
    if names and not (spot.is_key and spot.field is not None):
        detail = next((name.detail for name in names_of(agent, names, spot.pointer) if name.text == spot.text), "")
        lines.append(f"{spot.text}: {detail}" if detail else "")
    return "\n".join(line for line in dict.fromkeys(lines) if line)


def _named(spot: Spot) -> Names:
    """What the key or string names; "" for nothing."""
    if not spot.is_key:
        return spot.shape.names if spot.shape is not None else ""
    keys = split(spot.pointer)
    if len(keys) == 2 and keys[0] in _KEYED:
        return _KEYED[keys[0]]
    return spot.holder.names if spot.holder is not None and spot.holder.kind == "map" else ""


def _meaning(agent: AgentFolder, document: Document, names: Names, name: str) -> Iterator[Place]:
    table = table_of(agent, document)
    if table is None or document.root is None:
        return
    shape, known_as = table
    waiting: list[tuple[Node, Shape, str]] = [(document.root, shape, "")]
    while waiting:
        node, own, pointer = waiting.pop()
        shapes = (own, *own.either)
        if isinstance(node.value, str):
            if node.value == name and any(each.names == names for each in shapes):
                yield Place(document, pointer, Span(node.start, node.end))
            continue
        for member in node.members():
            below = _below(shapes, member.key, known_as)
            if below is not None:
                waiting.append((member.value, below, join(pointer, member.key)))
        element = next((each.of for each in shapes if each.kind == "list" and each.of is not None), None)
        if element is not None:
            waiting += [(item, element, join(pointer, index)) for index, item in enumerate(node.items())]


def _below(shapes: tuple[Shape, ...], key: str, known_as: str) -> Shape | None:
    for shape in shapes:
        for field in shape.fields:
            if field.name == key and field.known_in(known_as):
                return field.shape
    return next((shape.of for shape in shapes if shape.of is not None and shape.kind in {"map", "object"}), None)
