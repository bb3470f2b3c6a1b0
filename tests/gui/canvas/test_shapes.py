"""A registry of every format on the canvas: all its steps and transitions are there, and it can be painted."""

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtGui import QColor

from stepflow_gui.flow.layout import NodeId
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.checks.registry import read_checks
from stepflow_gui.formats.read import read_flow
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.formats.test_shapes import document_of
from tests.gui.canvas.conftest import ShowView, picture
from tests.seeds.documents import CHECKS


def flows(corpus: Path) -> Iterator[Flow]:
    """The largest snapshot of each format."""
    largest: dict[str, Flow] = {"checks": read_checks(document_of(CHECKS))}
    for path in sorted((corpus / "climpt").glob("*/*/steps_registry.json")):
        flow = read_flow(ParsedFile.read(path, Source.decode(path.read_bytes())))
        if flow.format not in largest or len(flow.steps) > len(largest[flow.format].steps):
            largest[flow.format] = flow
    yield from largest.values()


def test_every_format_is_shown(show: ShowView, corpus: Path) -> None:
    shown = set()
    for flow in flows(corpus):
        shown.add(flow.format)
        view = show(flow)
        assert set(flow.steps) == {name for name in flow.steps if view.graph.step_item(name) is not None}
        edges = {(source.name, target.name) for source, target in view.graph.edges if target.kind != "end"}
        assert edges == {(move.step, move.target) for move in flow.moves() if move.target is not None}
        image = picture(view)
        colors = {QColor(image.pixel(x, y)).name() for x in range(0, 1100, 7) for y in range(0, 800, 7)}
        assert len(colors) > 3, flow.format
    assert len(shown) == 11


def test_retries_show_their_limit(show: ShowView) -> None:
    view = show(read_checks(document_of(CHECKS)))
    item = view.graph.step_item("s_a8f3")
    assert item is not None
    assert "retry (max 2)" in [pill.text for pill in item.measured.pills if pill.loop]
    view.set_loops_as_edges(True)
    step = NodeId("step", "s_a8f3")
    assert view.graph.edges[step, step].route.lines == ("retry (max 2)",)
