"""Steps with checks on the canvas: what judges a step, its transitions as ports, outcomes distinct without colour."""

import copy
from typing import Any

import pytest
from PySide6.QtCore import Qt

from stepflow_gui.flow.layout import NodeId
from stepflow_gui.flow.layout.measure import boxes_crossed, boxes_overlapping, crossings, labels_overlapping
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.checks.card import check_line
from stepflow_gui.formats.checks.registry import read_checks
from stepflow_gui.gui.canvas.arrange import Arrangement
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.names import step_name
from stepflow_gui.gui.canvas.items.outcome_looks import SIGN, signed_width
from stepflow_gui.gui.canvas.marks import SeverityCounts
from stepflow_gui.gui.canvas.metrics import HEIGHT, PILL_HEIGHT, measure
from stepflow_gui.gui.widgets.theme import Theme
from tests.formats.test_shapes import document_of
from tests.gui.canvas.conftest import ShowView, issue_flow
from tests.seeds.documents import CHECKS

pytestmark = pytest.mark.usefixtures("qapp")  # fonts are measured

FIRST, SECOND, LAST = (NodeId("step", step) for step in ("s_a8f3", "s_b2c1", "s_c9d4"))


def flow(**checks: dict[str, Any]) -> Flow:
    """The design document's flow, some checks changed by step."""
    registry = copy.deepcopy(CHECKS)
    for step, changes in checks.items():
        registry["steps"][step]["check"] |= changes
    return read_checks(document_of(registry))


def many(count: int) -> Flow:
    """A long flow in which each step falls back to one of the three before, or is tried again."""
    steps = {}
    for at in range(count):
        step = copy.deepcopy(CHECKS["steps"]["s_a8f3"])
        onward = {"next": f"s_{at + 1:04x}"} if at + 1 < count else {"complete": True}
        back = {"fallback": f"s_{at - at % 3 - 1:04x}"} if at > 2 else {"retry": True, "maxRetries": 3}
        step |= {"id": f"s_{at:04x}", "name": f"Step {at}"}
        step["check"] |= {"onPass": onward, "onFail": back}
        steps[step["id"]] = step
    return read_checks(document_of({**CHECKS, "entryStep": "s_0000", "steps": steps}))


@pytest.mark.parametrize(
    ("check", "line"),
    [
        ({}, "checks/step/analyze · ok|ng"),
        ({"prompt": {"path": "checks/analyze.md"}}, "checks/analyze.md · ok|ng"),
        ({"prompt": {"c1": "checks", "c2": "step", "c3": "a", "edition": "strict"}}, "checks/step/a_strict · ok|ng"),
        ({"prompt": None, "responseFormat": {"result": True}}, "–"),
        ({"prompt": {}, "responseFormat": None}, "–"),
    ],
)
def test_a_card_shows_what_judges_the_step(check: dict[str, Any], line: str) -> None:
    assert check_line(flow(s_a8f3=check).steps["s_a8f3"]) == line


def test_a_card_with_a_check_is_higher_and_has_a_port_for_each_outcome() -> None:
    shape = measure(flow().steps["s_a8f3"])
    assert [row.text for row in shape.rows] == ["checks/step/analyze · ok|ng"]
    assert list(shape.ports) == ["pass", "fail", "retry", "fallback"]
    assert shape.spare == {"fail", "fallback"}
    assert shape.height > HEIGHT
    for pill in shape.pills:
        assert pill.rect.top() == shape.pill_top
        assert pill.rect.bottom() + 4 < shape.height
        assert shape.pill_at(pill.rect.center().x(), shape.pill_top + PILL_HEIGHT / 2) == pill
    plain = measure(issue_flow().steps["initial.issue"])
    assert (plain.rows, plain.height, plain.spare) == ((), HEIGHT, frozenset())


def test_outcomes_differ_by_sign_and_line(show: ShowView) -> None:
    view = show(flow(s_b2c1={"onFail": {"complete": True}}))
    view.set_loops_as_edges(True)
    edges = view.graph.edges
    end = next(target for _source, target in edges if target.kind == "end")
    assert edges[FIRST, SECOND].outcome == "passed"
    assert edges[FIRST, FIRST].outcome == "failed"
    assert edges[LAST, SECOND].outcome == "fallback"
    assert edges[SECOND, end].outcome == "failed"
    pens = CanvasPens(Theme(dark=False))
    for look in ("rest", "hover", "selected", "taken", "visited2"):
        passed, failed = pens.edge_pens[look, False, False], pens.failing_pens["failed", look, False]
        fallback = pens.failing_pens["fallback", look, False]
        assert fallback.dashPattern() != pens.edge_pens[look, True, False].dashPattern()
        assert passed.style() == failed.style() == Qt.PenStyle.SolidLine
        assert fallback.style() == Qt.PenStyle.CustomDashLine
    other = show(issue_flow()).graph.edges
    assert {edge.outcome for edge in other.values()} == {""}


def test_a_label_has_room_for_its_sign(show: ShowView) -> None:
    view = show(flow())
    view.set_loops_as_edges(True)
    for edge in view.graph.edges.values():
        assert edge.label is not None
        assert edge.route.label_box is not None
        assert edge.label.boundingRect().width() <= edge.route.label_box.width + 1
        assert edge.label.boundingRect().width() >= max(map(signed_width, edge.label.lines)) + SIGN


def test_a_transition_of_both_kinds_has_no_sign(show: ShowView) -> None:
    view = show(flow(s_a8f3={"onFail": {"next": "s_b2c1"}}))
    assert view.graph.edges[FIRST, SECOND].outcome == ""
    view.show_flow(
        flow(s_a8f3={"onPass": {"complete": True}, "onFail": {"next": "s_b2c1"}}), keep_positions=True, verdict=None
    )
    assert view.graph.edges[FIRST, SECOND].outcome == "failed"


@pytest.mark.parametrize("count", [0, 30])
def test_nothing_is_drawn_over_anything(count: int) -> None:
    arrangement = Arrangement()
    shown = many(count) if count else flow()
    arrangement.take(arrangement.task(shown, keep=False, given={}).done())
    layout = arrangement.layout
    assert boxes_overlapping(layout) == labels_overlapping(layout) == boxes_crossed(layout) == 0
    assert crossings(layout) <= count / 3
    entry = next(mark.target for mark in layout.entries)
    assert layout.boxes[entry].y == min(box.y for box in layout.boxes.values())


def test_a_screen_reader_gets_the_name_with_the_id() -> None:
    name = step_name(flow().steps["s_a8f3"], SeverityCounts())
    assert name == "Code Analysis (s_a8f3), step, pass to s_b2c1, retry to itself"
    assert step_name(issue_flow().steps["initial.issue"], SeverityCounts()).startswith("initial.issue, work step")
