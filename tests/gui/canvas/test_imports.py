"""The canvas's modules import each other in one direction, imports for types and inside functions counted."""

import ast
from pathlib import Path

import networkx as nx

FOLDER = Path("stepflow_gui", "gui", "canvas")


def test_no_circle_of_imports(checkout: Path) -> None:
    paths = {".".join(path.relative_to(checkout).with_suffix("").parts): path for path in _modules(checkout)}
    graph: nx.DiGraph[str] = nx.DiGraph()
    for name, path in paths.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                names = {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
                graph.add_edges_from((name, imported) for imported in names & paths.keys())
    assert graph.has_edge("stepflow_gui.gui.canvas.view", "stepflow_gui.gui.canvas.scene")
    assert [each for each in nx.strongly_connected_components(graph) if len(each) > 1] == []


def _modules(checkout: Path) -> list[Path]:
    return [path for path in (checkout / FOLDER).rglob("*.py") if path.name != "__init__.py"]
