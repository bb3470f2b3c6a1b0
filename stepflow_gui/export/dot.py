"""A flow as a Graphviz graph."""

from collections.abc import Iterator

from stepflow_gui.export.diagram import BAD_END, Diagram, DiagramNode, diagram_of
from stepflow_gui.export.options import ExportOptions
from stepflow_gui.export.palette import Palette
from stepflow_gui.project.agent_folder import AgentFolder

MARK = "// Stepflow"

_SHAPES = {
    "step": "box",
    "end": "doublecircle",
    "ghost": "box",
    "check": "diamond",
    "pattern": "box",
    "prompt": "note",
}


def dot_of(agent: AgentFolder, options: ExportOptions) -> str:
    """The graph of an agent as text."""
    return dot_text(diagram_of(agent.flow, agent.verdict, checks=options.checks), options.palette)


def dot_text(diagram: Diagram, palette: Palette) -> str:
    """The graph as text; names are only shown, whatever they contain."""
    sans = {"fontname": "sans-serif"}
    graph = {"rankdir": "TB", **sans, "fontsize": "11", "fontcolor": palette["text"], "bgcolor": palette["canvas"]}
    node = {**sans, "fontsize": "12", "style": "filled", "fillcolor": palette["surface"], "fontcolor": palette["text"]}
    edge = {**sans, "fontsize": "10", "color": palette["edge"], "fontcolor": palette["muted"]}
    head = [
        MARK,
        f"digraph {quoted(diagram.title)} {{",
        f"    graph {_attribute_list(graph | {'color': palette['line']})}",
        f"    node {_attribute_list(node)}",
        f"    edge {_attribute_list(edge)}",
    ]
    return "\n".join([*head, *_lines(diagram, palette), "}", ""])


def _lines(diagram: Diagram, palette: Palette) -> Iterator[str]:
    grouped = {name for group in diagram.groups for name in group.nodes}
    nodes = {node.name: node for node in diagram.nodes}
    for node in diagram.nodes:
        if node.name not in grouped:
            yield f"    {_node(node, palette)}"
    for number, group in enumerate(diagram.groups):
        yield f"    subgraph cluster_{number} {{"
        yield f"        label={quoted(group.title)}"
        yield from (f"        {_node(nodes[name], palette)}" for name in group.nodes)
        yield "    }"
    for link in diagram.links:
        attributes = {"label": link.label} if link.label else {}
        attributes |= {} if link.is_transition else {"style": "dashed"}
        yield f"    {link.source} -> {link.target} {_attribute_list(attributes)}".rstrip()


def _node(node: DiagramNode, palette: Palette) -> str:
    attributes = {"label": node.text, "shape": _SHAPES[node.shape]}
    if node.shape == "ghost":
        attributes |= {"color": palette["error"], "fontcolor": palette["error"], "style": "dashed"}
    elif node.kind == BAD_END:
        attributes |= {"color": palette["error"], "fontcolor": palette["error"]}
    elif node.shape == "end":
        attributes |= {"color": palette["closure"], "fillcolor": palette["closure"], "fontcolor": palette["onmark"]}
    elif node.shape == "step":
        attributes |= {"color": palette[node.kind or "edge"]}
    else:
        attributes |= {"color": palette["verification"]}
    if node.is_entry:
        attributes |= {"penwidth": "3"}
    return f"{node.name} {_attribute_list(attributes)}"


def _attribute_list(attributes: dict[str, str]) -> str:
    pairs = ", ".join(f"{key}={quoted(value)}" for key, value in attributes.items())
    return f"[{pairs}]" if pairs else ""


def quoted(text: str) -> str:
    """A string in which Graphviz finds nothing to replace."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
