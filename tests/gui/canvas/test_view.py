import gc
import random
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from stepflow_gui.flow.layout import NodeId
from stepflow_gui.formats.read import read_flow
from stepflow_gui.gui.canvas.items import edge_item
from stepflow_gui.gui.canvas.items.edge_item import LoopItem
from stepflow_gui.gui.canvas.items.node_item import NodeItem
from stepflow_gui.gui.canvas.layers.overview import BELOW, Overview
from stepflow_gui.gui.canvas.marks import RunMarks, SeverityCounts, TransitionRef
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.export.test_pieces import PIECE
from tests.gui.canvas.conftest import ShowView, chain, corpus_flow, flow_of, issue_flow, picture, step
from tests.gui.canvas.hand import (
    drag,
    heard,
    node_point,
    pill_point,
)


def test_selecting_by_program_notifies_no_one(show: ShowView) -> None:
    view = show(issue_flow())
    selected = heard(view.step_selected)
    view.select_step("initial.issue", reveal=True)
    assert view.graph.selected == "initial.issue"
    assert selected == []


def test_a_stale_graph_is_grey_and_reports_it(show: ShowView) -> None:
    view = show(issue_flow())
    before = picture(view)
    view.set_text_broken(True)
    grey = picture(view)
    assert view.messages.notice.isVisible()
    assert "Syntax error" in view.messages.notice.text
    band = view.graph.step_item("initial.issue")
    assert band is not None
    at = view.mapFromScene(band.frame.topLeft() + QPointF(3, 40))
    assert _contrast(grey, at, view) < _contrast(before, at, view) * 0.6
    view.set_text_broken(False)
    assert not view.messages.notice.isVisible()
    assert picture(view) == before


def test_a_stale_graph_cannot_be_drawn_on(show: ShowView) -> None:
    view = show(issue_flow())
    view.set_text_broken(True)
    asked = heard(view.connect_requested)
    drag(view, pill_point(view, "initial.issue", "next"), node_point(view, "closure.issue"))
    assert asked == []


def test_from_afar_one_overview_is_painted_instead_of_the_items(
    show: ShowView, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = show(issue_flow())
    painted: list[str] = []
    item_paint, overview_paint = NodeItem.paint, Overview.paint

    def paint_item(*args: Any) -> None:
        painted.append("item")
        item_paint(*args)

    def paint_overview(*args: Any, **options: Any) -> None:
        painted.append("overview")
        overview_paint(*args, **options)

    monkeypatch.setattr(NodeItem, "paint", paint_item)
    monkeypatch.setattr(Overview, "paint", paint_overview)
    view.zoom_to(BELOW - 0.01)
    picture(view)
    assert set(painted) == {"overview"}
    painted.clear()
    view.zoom_to(BELOW + 0.02)
    picture(view)
    assert set(painted) == {"item"}


def test_the_overview_shows_bands_in_the_colour_of_their_kind(show: ShowView) -> None:
    view = show(issue_flow())
    view.zoom_to(BELOW - 0.01)
    image = picture(view)
    for step_id, kind in (("initial.issue", "work"), ("closure.issue", "closure")):
        item = view.graph.step_item(step_id)
        assert item is not None
        at = view.mapFromScene(item.frame.topLeft() + QPointF(10, 37))
        assert image.pixelColor(at) == view.graph.pens.kind(kind)


def test_from_afar_the_two_ends_of_a_piece_differ(show: ShowView) -> None:
    view = show(read_flow(ParsedFile.read(Path("piece.yaml"), Source(PIECE))))
    view.zoom_to(BELOW - 0.01)
    image, pens = picture(view), view.graph.pens
    for word, colour in (("COMPLETE", pens.closure), ("ABORT", pens.error)):
        (item,) = (item for node, item in view.graph.nodes.items() if node.word == word)
        assert image.pixelColor(view.mapFromScene(item.frame.center())) == colour


def test_an_edit_moves_nothing_that_was_there(show: ShowView) -> None:
    view = show(issue_flow())
    before = view.positions()
    item = view.graph.step_item("initial.issue")
    changed = flow_of(
        {
            "initial.issue": step("initial", "Issue Initial", next="closure.issue", repeat="initial.issue"),
            "continuation.issue": step("continuation", "Issue Continuation", handoff="closure.issue"),
            "closure.issue": step("closure", "Issue Closure", closing=None, repeat="closure.issue"),
            "initial.other": step("initial", "Other", next="continuation.issue"),
        },
        entryStepMapping={"poll:state": "initial.issue"},
    )
    view.show_flow(changed, keep_positions=True, verdict="poll:state")
    after = view.positions()
    assert {name: after[name] for name in before} == before
    assert "initial.other" in after
    assert view.graph.step_item("initial.issue") is item
    assert view.graph.edge_item(TransitionRef("initial.issue", "next")) is not None
    assert view.graph.edge_item(TransitionRef("continuation.issue", "next")) is None


def test_a_flow_that_is_drawn_alike_is_not_laid_out_again(show: ShowView, monkeypatch: pytest.MonkeyPatch) -> None:
    view = show(issue_flow())
    layout = view.graph.layout

    def never(*_args: Any) -> None:
        pytest.fail("laid out")

    monkeypatch.setattr("stepflow_gui.gui.canvas.arrange.draw", never)
    again = issue_flow()
    view.show_flow(again, keep_positions=True, verdict="poll:state")
    assert view.graph.layout is layout
    item = view.graph.step_item("initial.issue")
    assert item is not None
    assert item.step is again.steps["initial.issue"]


@pytest.mark.parametrize("registry", ["iterator/031-06e570d", "reviewer/011-8f2215f", "detailer/006-70d7bc0"])
def test_real_registries_are_drawn_whole(show: ShowView, corpus: Path, registry: str) -> None:
    flow = corpus_flow(corpus, registry)
    view = show(flow, size=(500, 400))
    assert {item.step.id for item in view.graph.steps()} == set(flow.steps)
    for move in flow.moves():
        edge = view.graph.edge_item(TransitionRef(move.step, move.intent, move.case))
        assert edge is not None
    view.fit()
    shown = view.viewport().rect().adjusted(-1, -1, 1, 1)
    assert shown.contains(view.mapFromScene(view.graph.content_rect()).boundingRect())
    for zoom in (view.zoom, 0.5, 1.0, 2.5):
        view.zoom_to(zoom)
        picture(view)


def test_a_removed_step_is_no_longer_selected(show: ShowView) -> None:
    view = show(issue_flow())
    view.select_step("closure.issue")
    view.show_flow(chain(3), keep_positions=True, verdict=None)
    assert view.graph.selected is None
    picture(view)


def test_given_positions_are_taken(show: ShowView) -> None:
    view = show(issue_flow())
    view.set_layout_positions({"closure.issue": (500.0, 700.0), "unknown": (0.0, 0.0)})
    assert view.positions()["closure.issue"] == (500.0, 700.0)
    item = view.graph.step_item("closure.issue")
    assert item is not None
    assert (item.x(), item.y()) == (500.0, 700.0)


def test_badges_broken_ports_and_dead_edges_follow_the_diagnostics(show: ShowView) -> None:
    view = show(issue_flow())
    view.set_diagnostics({"continuation.issue": (1, 2, 0)}, {("continuation.issue", "handoff")})
    item = view.graph.step_item("continuation.issue")
    edge = view.graph.edge_item(TransitionRef("continuation.issue", "handoff"))
    assert item is not None
    assert edge is not None
    assert (item.counts, item.broken, edge.dead) == (SeverityCounts(1, 2, 0), frozenset(["handoff"]), True)
    corner = view.mapFromScene(item.frame.topRight() + QPointF(-5, 0))
    assert picture(view).pixelColor(corner) == view.graph.pens.error
    view.set_diagnostics({}, set())
    assert (item.counts, item.broken, edge.dead) == (SeverityCounts(), frozenset(), False)


@pytest.mark.parametrize("seed", range(3))
def test_marks_that_follow_one_another_are_those_of_a_new_graph(show: ShowView, seed: int) -> None:
    """Only what differs is marked again: badges, broken ports and dead edges, while gates change as well."""
    chance = random.Random(seed)
    view = show(issue_flow())
    names = [*issue_flow().steps]
    for _ in range(6):
        flow = issue_flow()
        for each in flow.steps.values():
            if each.gate is not None and chance.random() < 0.4:
                each.gate.intents = each.gate.intents[1:]
        counts = {name: (chance.randrange(3), chance.randrange(2), 0) for name in names if chance.random() < 0.6}
        broken = {(name, chance.choice(["next", "repeat", "handoff"])) for name in names if chance.random() < 0.5}
        for shown in (view, fresh := show(flow)):
            shown.show_flow(flow, keep_positions=True, verdict="poll:state")
            shown.set_diagnostics(counts, broken)
        assert _marks(view) == _marks(fresh)


def _marks(view: GraphView) -> object:
    nodes = {item.step.id: (item.counts, item.broken) for item in view.graph.steps()}
    return nodes, {key: edge.dead for key, edge in view.graph.edges.items()}


def test_an_undone_move_routes_the_edges_as_before(show: ShowView) -> None:
    view = show(issue_flow())
    first, places = view.arrangement.layout, view.positions()
    view.move_items(("continuation.issue",), QPointF(90, 170))
    view.settle_moved(("continuation.issue",))
    assert view.arrangement.layout.routes != first.routes
    view.set_layout_positions({"continuation.issue": places["continuation.issue"]})
    assert view.arrangement.layout.routes == first.routes
    drawn = {key: edge.route for key, edge in view.graph.edges.items()}
    assert drawn.items() >= {(route.source, route.target): route for route in first.routes}.items()


def test_a_line_in_pieces_looks_as_the_curve_does(show: ShowView, monkeypatch: pytest.MonkeyPatch) -> None:
    view = show(issue_flow())
    pieces = picture(view)
    monkeypatch.setattr(edge_item, "_STRAIGHT_UP_TO", 0.0)
    view.viewport().update()
    curves = picture(view)
    pairs = list(zip(bytes(pieces.constBits()), bytes(curves.constBits()), strict=True))
    assert max(abs(one - other) for one, other in pairs) < 64
    assert sum(abs(one - other) > 16 for one, other in pairs) < len(pairs) / 10_000
    assert any(one != other for one, other in pairs)


def test_a_run_is_marked_and_followed(show: ShowView) -> None:
    view = show(issue_flow(), size=(420, 300))
    view.zoom_to(1.0)
    view.select_step("initial.issue", reveal=True)
    taken = TransitionRef("continuation.issue", "handoff")
    visits = {"continuation.issue": 2, "closure.issue": 1}
    view.set_run(RunMarks(frozenset(["closure.issue"]), taken, visits, {taken: 1}))
    item, edge = view.graph.step_item("closure.issue"), view.graph.edge_item(taken)
    assert item is not None
    assert edge is not None
    assert edge.look == "taken"
    assert item.visits == 1
    assert view.viewport().rect().contains(view.mapFromScene(item.frame).boundingRect())
    view.follow_active = False
    view.set_run(RunMarks(frozenset(["initial.issue"]), None, visits, {taken: 1}))
    first = view.graph.step_item("initial.issue")
    assert first is not None
    assert not view.viewport().rect().contains(view.mapFromScene(first.frame).boundingRect())


def test_the_active_step_stays_in_sight_in_a_smaller_view(show: ShowView) -> None:
    view = show(issue_flow(), size=(900, 600))
    view.zoom_to(1.0)
    view.set_run(RunMarks(frozenset(["closure.issue"]), None, {"closure.issue": 1}, {}))
    item = view.graph.step_item("closure.issue")
    assert item is not None
    view.centerOn(item.frame.center().x() + 250, item.frame.center().y() - 150)
    assert view.viewport().rect().contains(view.mapFromScene(item.frame).boundingRect())
    view.resize(420, 300)
    assert view.viewport().rect().contains(view.mapFromScene(item.frame).boundingRect())


def test_the_end_reached_is_marked(show: ShowView) -> None:
    view = show(issue_flow())
    view.set_run(RunMarks(taken=TransitionRef("closure.issue", "closing"), ended=True))
    end = view.graph.nodes[NodeId("end", "initial.issue")]
    assert getattr(end, "reached", False)
    view.set_run(RunMarks(frozenset(["closure.issue"]), TransitionRef("continuation.issue", "handoff")))  # a step back
    assert not getattr(end, "reached", True)


def test_a_step_of_a_run_touches_only_what_it_changes(show: ShowView, monkeypatch: pytest.MonkeyPatch) -> None:
    view = show(issue_flow())
    first, second = TransitionRef("initial.issue", "next"), TransitionRef("continuation.issue", "handoff")
    view.set_run(RunMarks(frozenset(["continuation.issue"]), first, {"initial.issue": 1}, {first: 1}))
    marked: set[NodeId] = set()
    monkeypatch.setattr(view.graph, "_mark_run", lambda item: marked.add(item.node))
    monkeypatch.setattr(view.graph.run_layer, "place", lambda: pytest.fail("no step has moved"))
    visits = {"initial.issue": 1, "continuation.issue": 1}
    view.set_run(RunMarks(frozenset(["closure.issue"]), second, visits, {first: 1, second: 1}))
    assert marked == {NodeId("step", name) for name in ("continuation.issue", "closure.issue")}


def test_a_missing_target_is_a_ghost_and_conditional_transitions_show_their_values(show: ShowView) -> None:
    rule = {"condition": "state", "targets": {"ready": "closure.a", "default": "initial.a"}}
    view = show(
        flow_of(
            {
                "initial.a": step("initial", "A", next=rule, handoff="closure.typo"),
                "closure.a": step("closure", "B", closing=None),
            },
            entryStep="initial.a",
        )
    )
    assert NodeId("ghost", "closure.typo") in view.graph.nodes
    ready = view.graph.edge_item(TransitionRef("initial.a", "next", "ready"))
    assert ready is not None
    assert ready.label is not None
    assert "next: ready" in ready.label.lines
    picture(view)


@pytest.mark.parametrize("count", [250, 1000])
def test_many_steps_are_made_once_each(show: ShowView, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    made = 0
    init = NodeItem.__init__

    def counted(*args: Any) -> None:
        nonlocal made
        made += 1
        init(*args)

    monkeypatch.setattr(NodeItem, "__init__", counted)
    view = show(chain(count))
    assert made == count == len(list(view.graph.steps()))


def _contrast(image: QImage, at: QPoint, view: GraphView) -> int:
    here, ground = image.pixelColor(at), view.graph.pens.canvas
    return abs(here.red() - ground.red()) + abs(here.green() - ground.green()) + abs(here.blue() - ground.blue())


def test_qt_takes_the_scene_down_with_the_view_not_the_collector(qapp: QApplication) -> None:
    gc.disable()  # which may run in any thread, and a scene must not be taken down in another
    try:
        view = GraphView(Theme(dark=False))
        view.show_flow(issue_flow(), keep_positions=False, verdict=None)
        picture(view)
        scene, icon = view.graph, next(iter(view.graph.pens.icons.values()))
        view.deleteLater()
        qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        assert not isValid(view)
        assert not isValid(scene)
        assert not isValid(icon)
    finally:
        gc.enable()


def test_a_transition_to_the_step_itself_is_a_sign_on_its_pill(show: ShowView) -> None:
    view = show(issue_flow())
    ref = TransitionRef("continuation.issue", "repeat")
    sign, item = view.graph.edge_item(ref), view.graph.step_item("continuation.issue")
    assert item is not None
    assert isinstance(sign, LoopItem)
    pill = next(pill for pill in item.measured.pills if pill.intent == "repeat")
    assert pill.loop
    assert sign.path.boundingRect().center() == pill.rect.translated(item.pos()).center()
    view.choose_transition(ref)
    other = view.graph.edge_item(TransitionRef("continuation.issue", "next"))
    assert sign.chosen
    assert other is not None
    assert not other.chosen  # each intent has its own
    view.set_run(RunMarks(frozenset(["continuation.issue"]), ref, {"continuation.issue": 3}, {ref: 2}))
    assert (sign.look, sign.visits) == ("taken", 2)
    view.move_items(("continuation.issue",), QPointF(40, 24))
    assert sign.path.boundingRect().center() == pill.rect.translated(item.pos()).center()
    view.settle_moved(("continuation.issue",))
    assert sign.path.boundingRect().center() == pill.rect.translated(item.pos()).center()
    picture(view)
    view.set_loops_as_edges(True)
    edge = view.graph.edge_item(ref)
    assert edge is not None
    assert edge.route.lines == ("next", "repeat")


def test_words_that_a_pill_says_are_shown_only_where_someone_looks(show: ShowView) -> None:
    view = show(issue_flow())
    edge = view.graph.edge_item(TransitionRef("initial.issue", "next"))
    assert edge is not None
    assert edge.label is not None
    assert not edge.label.is_shown(1.0)
    edge.set_state("hovered", True)
    assert edge.label.is_shown(0.6)


def test_boxes_are_put_where_other_ends_stand(show: ShowView) -> None:
    steps = {name: step("closure", name, closing=None) for name in ("closure.a", "closure.b")}
    view = show(flow_of(steps))
    steps["closure.a"] = step("closure", "closure.a", closing=None, jump="closure.b")
    view.show_flow(flow_of(steps), keep_positions=True, verdict=None)
    two = view.arrangement.layout
    assert [node.name for node in two.boxes if node.kind == "end"] == ["closure.a", "closure.b"]
    view.put_boxes(show(flow_of(steps)).arrangement.layout.corners)
    assert [node.name for node in view.graph.nodes if node.kind == "end"] == ["closure.a"]
    view.put_boxes(two.corners)
    assert view.arrangement.layout.routes == two.routes
    assert view.graph.nodes.keys() == two.boxes.keys()
