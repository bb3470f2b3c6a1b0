import gc
import gettext
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from stepflow_gui.flow.model import is_dynamic
from stepflow_gui.formats.read import read_flow
from stepflow_gui.gui.canvas.accessibility import GraphInterface
from stepflow_gui.gui.canvas.hover_texts import jump_text, tooltip
from stepflow_gui.gui.canvas.items.transition_badges import transition_notes
from stepflow_gui.gui.canvas.marks import NO_RUN, RunMarks, TransitionRef
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import use_translations
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.export.test_pieces import ASKING, PIECE
from tests.gui.canvas.conftest import ShowView, flow_of, issue_flow, picture, step
from tests.gui.canvas.hand import drag_to, heard, node_point, pill_point, press, press_key, release


def test_screen_readers_find_the_steps_in_reading_order(show: ShowView) -> None:
    view = show(issue_flow())
    graph = QAccessible.queryAccessibleInterface(view)
    assert isinstance(graph, GraphInterface)
    names = [graph.child(at).text(QAccessible.Text.Name) for at in range(graph.childCount())]
    assert [name.split(", ")[0] for name in names] == ["initial.issue", "continuation.issue", "closure.issue"]
    assert names[2] == "closure.issue, closure step, closing to the end, repeat to itself"
    child = graph.child(1)
    assert graph.indexOfChild(child) == 1
    assert child.parent() is graph
    middle = child.rect().center()
    assert graph.childAt(middle.x(), middle.y()) is child
    view.select_step("closure.issue")
    assert graph.focusChild().text(QAccessible.Text.Name) == names[2]


def test_a_step_that_is_gone_is_no_valid_child(show: ShowView) -> None:
    view = show(issue_flow())
    child = QAccessible.queryAccessibleInterface(view).child(1)
    assert child.isValid()
    view.show_flow(flow_of({"initial.issue": step("initial", "A", next=None)}), keep_positions=True, verdict=None)
    assert not child.isValid()
    assert QAccessible.queryAccessibleInterface(view).childCount() == 1


def test_a_tooltip_gives_what_is_cut_off(show: ShowView) -> None:
    name = "A name that is so long that it can not be shown in any node of this canvas"
    many = {f"intent{at}": None for at in range(40)}
    view = show(flow_of({"initial.a": step("initial", name, **many), "initial.b": step("initial", "B", next=None)}))
    view.zoom_to(1.0)
    view.select_step("initial.a", reveal=True)
    view.set_diagnostics({"initial.b": (2, 0, 0)}, set())
    assert tooltip(view, node_point(view, "initial.a")) == f"{name}\ninitial.a"
    item = view.graph.step_item("initial.a")
    assert item is not None
    more = view.mapFromScene(item.pos() + item.measured.pills[-1].rect.center())
    assert tooltip(view, more).split("\n") == list(item.measured.hidden)
    view.select_step("initial.b", reveal=True)
    assert tooltip(view, node_point(view, "initial.b")) == "2 errors"
    assert tooltip(view, QPoint(2, 2)) == ""


def test_a_rule_that_asks_the_user_explains_what_happens(show: ShowView) -> None:
    view = show(read_flow(ParsedFile.read(Path("piece.yaml"), Source(ASKING))))
    view.set_loops_as_edges(True)
    view.zoom_to(1.0)
    told = {}
    for (source, target), edge in view.graph.edges.items():
        at = edge.path.pointAtPercent(0.12)
        lines = tooltip(view, view.mapFromScene(at)).split("\n")
        told[source.name, target.word or target.name] = [line for line in lines if "→" not in line]
        assert len(lines) - len(told[source.name, target.word or target.name]) == len(edge.route.moves)
    assert told["work", "work"] == [
        f"“{each}”: the user is asked, then work runs again" for each in ("unclear", "lost")
    ]
    assert told["work", "ABORT"] == [
        "“lost” is not followed, although its `next` points here: the user is asked, then work runs again"
    ]
    assert told["work", "COMPLETE"] == ["“answered” counts only in an interactive run"]
    name = view.graph.accessible_name("work")
    assert "lost asks the user, then to itself" in name
    assert "answered to COMPLETE, only in interactive runs" in name
    view.choose_transition(TransitionRef("work", "lost"))
    chosen = {target.word or target.name for (_, target), edge in view.graph.edges.items() if edge.chosen}
    assert chosen == {"work", "ABORT"}
    view.set_run(RunMarks(taken=TransitionRef("work", "lost"), move_visits={TransitionRef("work", "lost"): 1}))
    gone = {target.word or target.name for (_, target), edge in view.graph.edges.items() if edge.taken}
    assert gone == {"work"}
    assert not picture(view).isNull()


def test_a_watched_cycle_is_reported_at_its_transitions(show: ShowView) -> None:
    view = show(read_flow(ParsedFile.read(Path("piece.yaml"), Source(PIECE))))
    told = {key: list(transition_notes(edge.route)) for key, edge in view.graph.edges.items()}
    lines = [line for each in told.values() for line in each if "watched" in line]
    assert lines == [
        f"“{way}” is part of a watched cycle: work → reviewers ×2, then a judge: go on → work"
        for way in ("done", 'any("bad")')
    ]
    assert {edge.outcome for edge in view.graph.edges.values()} == {"watched", "user", ""}


def test_near_the_border_a_drag_goes_on_scrolling(show: ShowView, qtbot: QtBot) -> None:
    view = show(issue_flow())
    start = pill_point(view, "initial.issue", "next")
    press(view, start)
    border = QPoint(view.viewport().width() // 2, view.viewport().height() - 3)
    drag_to(view, start, border)
    before = view.mapToScene(QPoint(0, 0)).y()
    qtbot.waitUntil(lambda: view.mapToScene(QPoint(0, 0)).y() > before + 20)
    press_key(view, Qt.Key.Key_Escape)
    after = view.mapToScene(QPoint(0, 0))
    qtbot.wait(80)
    assert view.mapToScene(QPoint(0, 0)) == after
    release(view, border)


def test_the_status_line_follows_the_pointer(show: ShowView) -> None:
    view = show(issue_flow())
    hints = heard(view.hint_changed)
    view._pointing.hover(pill_point(view, "initial.issue", "next"))
    assert "next" in hints[-1]
    view._pointing.hover(node_point(view, "closure.issue"))
    assert hints[-1].startswith("closure.issue, ")
    view._pointing.hover(None)
    assert hints[-1] == ""


def test_another_theme_repaints_everything(show: ShowView) -> None:
    view = show(issue_flow())
    light = picture(view)
    view.set_theme(Theme(dark=True))
    dark = picture(view)
    assert dark.pixelColor(3, 3) == Theme(dark=True).color("canvas")
    item = view.graph.step_item("initial.issue")
    assert item is not None
    inside = view.mapFromScene(item.frame.bottomRight() - QPointF(12, 12))
    assert dark.pixelColor(inside) == Theme(dark=True).color("surface")
    view.set_theme(Theme(dark=False))
    assert picture(view) == light


@pytest.mark.parametrize("zoom", [1.0, 0.5, 0.2])
def test_painting_leaks_no_reference_to_none(show: ShowView, zoom: float) -> None:
    view = show(issue_flow())
    view.zoom_to(zoom)
    picture(view)

    def drift() -> int:
        gc.collect()
        before = sys.getrefcount(None)
        for at in range(80):
            view.set_diagnostics({"initial.issue": (at % 3, 0, 0)}, set())
            picture(view)
        gc.collect()
        return abs(sys.getrefcount(None) - before)

    # What earlier tests left may be freed meanwhile, and moves the count as well; a leak shows every time.
    assert any(drift() < 40 for _ in range(3))


def test_a_dot_runs_along_the_edge_just_taken_and_is_gone(show: ShowView, qtbot: QtBot) -> None:
    view = show(issue_flow())
    taken = TransitionRef("initial.issue", "next")
    run = RunMarks(frozenset(["continuation.issue"]), taken, {}, {taken: 1})
    view.set_run(run)
    assert view._edge_animation.is_running
    qtbot.waitUntil(lambda: not view._edge_animation.is_running)
    view.set_run(run)  # nothing was taken since
    assert not view._edge_animation.is_running
    view.set_run(NO_RUN)
    assert not view._edge_animation.is_running


def test_texts_follow_the_language(show: ShowView) -> None:
    sections = {"section.rules": {"name": "Rules", "c2": "section"}, "initial.a": step("initial", "A", next=None)}
    view = show(flow_of(sections, entryStep="initial.a"))
    view.select_step("initial.a")
    before = view.positions()

    class Marked(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            return f"<{message}>"

    use_translations(Marked())
    try:
        view.retranslate()
    finally:
        use_translations(gettext.NullTranslations())
    (entry,) = view.graph.entries.values()
    assert entry.mark.label == "<entry>"
    assert view.accessibleName() == "<Graph of the steps>"
    assert "<" in view.accessibleDescription()
    assert view.positions() == before


def test_a_jump_that_the_answer_names_shows_where_it_may_go(show: ShowView) -> None:
    jumping = step("initial", "A", next="continuation.a")
    jumping["structuredGate"] = {"allowedIntents": ["next", "jump"], "targetField": "next_action.target"}
    flow = flow_of({"initial.a": jumping, "continuation.a": step("continuation", "B", repeat="continuation.a")})
    view = show(flow)
    named = flow.steps["initial.a"]
    assert is_dynamic(named, "jump")
    assert not is_dynamic(named, "next")
    assert "next_action.target" in jump_text(view, named)
    view.messages.jump_targets = lambda _step: ["continuation.a"]
    assert jump_text(view, named).endswith("continuation.a")
