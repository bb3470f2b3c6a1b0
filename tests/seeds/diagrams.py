"""The guides' diagrams as edges, and the edges of a flow and of its layout, to be compared with them."""

import re

from stepflow_gui.flow.layout import lay_out
from stepflow_gui.flow.model import Flow

Edge = tuple[str, str, str]  # from, intent, to; END is the end
END = "End"

_NODE = r"(\w+)(?:[\[\{(]+([^\]\})]+)[\]\})]+)?"
_ARROW = re.compile(rf"\s*{_NODE}\s*-->(?:\|([^|]*)\|)?\s*{_NODE}\s*")


def mermaid(text: str) -> set[Edge]:
    """The edges of a Mermaid graph, nodes by their texts."""
    names: dict[str, str] = {}
    found = []
    for line in text.strip().splitlines()[1:]:
        arrow = _ARROW.fullmatch(line)
        assert arrow, line
        source, source_text, label, target, target_text = arrow.groups()
        names.update({node: text for node, text in ((source, source_text), (target, target_text)) if text})
        found.append((source, label or "", target))
    return {(names[source], label, names[target]) for source, label, target in found}


def drawn(flow: Flow) -> set[Edge]:
    """The edges as the flow declares them; its layout must show the very same."""
    moves = {(move.step, move.intent, move.target or END) for move in flow.moves()}
    laid = {
        (route.source.name, move.intent, END if route.target.kind == "end" else route.target.name)
        for route in lay_out(flow, {}, loops=True).routes
        for move in route.moves
    }
    assert laid == moves
    return moves


def labels(flow: Flow) -> set[tuple[str, str, str]]:
    """The edges with the labels that are drawn on them."""
    return {
        (route.source.name, route.label, END if route.target.kind == "end" else route.target.name)
        for route in lay_out(flow, {}, loops=True).routes
    }
