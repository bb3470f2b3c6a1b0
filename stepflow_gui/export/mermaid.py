"""A flow as a Mermaid flowchart."""

from collections.abc import Iterator

from stepflow_gui.export.diagram import BAD_END, Diagram, DiagramNode, diagram_of
from stepflow_gui.export.options import ExportOptions
from stepflow_gui.export.palette import Palette
from stepflow_gui.project.agent_folder import AgentFolder

MARK = "%% Stepflow"

_SHAPES = {
    "step": ('["', '"]'),
    "end": ('(("', '"))'),
    "ghost": ('["', '"]'),
    "check": ('{"', '"}'),
    "pattern": ('["', '"]'),
    "prompt": ('[/"', '"/]'),
}
_WORDS = {"call": "called"}  # kinds that mean something in Mermaid
_PLAIN = frozenset(" -_.,:/=()[]+*!?'…→")


def mermaid_of(agent: AgentFolder, options: ExportOptions) -> str:
    """The chart of an agent as text."""
    return mermaid_text(diagram_of(agent.flow, agent.verdict, checks=options.checks), options.palette)


def mermaid_text(diagram: Diagram, palette: Palette) -> str:
    """The chart as text. Names are only shown, whatever they contain: each odd character is written by its number."""
    return "\n".join([MARK, "flowchart TD", *_lines(diagram), *_classes(diagram, palette), ""])


def _lines(diagram: Diagram) -> Iterator[str]:
    grouped = {name: number for number, group in enumerate(diagram.groups) for name in group.nodes}
    nodes = {node.name: node for node in diagram.nodes}
    for node in diagram.nodes:
        if node.name not in grouped:
            yield f"    {_node(node)}"
    for number, group in enumerate(diagram.groups):
        yield f'    subgraph g{number}["{escaped(group.title)}"]'
        yield from (f"        {_node(nodes[name])}" for name in group.nodes)
        yield "    end"
    for link in diagram.links:
        line = "-->" if link.is_transition else "-.->"
        label = f'|"{escaped(link.label)}"|' if link.label else ""
        yield f"    {link.source} {line}{label} {link.target}"


def _node(node: DiagramNode) -> str:
    left, right = _SHAPES[node.shape]
    return f"{node.name}{left}{escaped(node.text)}{right}:::{_look(node)}"


def _look(node: DiagramNode) -> str:
    if node.shape == "step":
        return _WORDS.get(node.kind, node.kind) or "plain"
    if node.kind == BAD_END:
        return "stop"
    return {"end": "finish", "ghost": "ghost"}.get(node.shape, "validation")


def _classes(diagram: Diagram, palette: Palette) -> Iterator[str]:
    entries = [node.name for node in diagram.nodes if node.is_entry]
    if entries:
        yield f"    class {','.join(entries)} entry"
    looks = {_look(node) for node in diagram.nodes}
    text, surface = palette["text"], palette["surface"]
    for look, stroke in (
        ("work", palette["work"]),
        ("verification", palette["verification"]),
        ("closure", palette["closure"]),
        *((_WORDS.get(kind, kind), palette[kind]) for kind in ("section", "movement", "parallel", "call", "system")),
        ("plain", palette["edge"]),
        ("validation", palette["verification"]),
    ):
        if look in looks:
            yield f"    classDef {look} fill:{surface},stroke:{stroke},color:{text}"
    if "finish" in looks:
        yield f"    classDef finish fill:{palette['closure']},stroke:{palette['closure']},color:{palette['onmark']}"
    if "stop" in looks:
        yield f"    classDef stop fill:{surface},stroke:{palette['error']},color:{palette['error']}"
    if "ghost" in looks:
        error = palette["error"]
        yield f"    classDef ghost fill:{palette['canvas']},stroke:{error},color:{error},stroke-dasharray:4 3"
    if entries:
        yield "    classDef entry stroke-width:3px"


def escaped(text: str) -> str:
    """A text inside double quotes: letters, digits and harmless signs as they are, all else as `#number;`."""
    shown = "".join(char if char.isalnum() or char in _PLAIN else f"#{ord(char)};" for char in text)
    return shown or " "
