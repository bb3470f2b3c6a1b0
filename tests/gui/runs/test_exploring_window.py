"""Exploring in the window: off its thread, a table of results, paths on the canvas and as runs, scripts."""

import time
from pathlib import Path

from PySide6.QtCore import QTimer

from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.runs.exploring import RunExploring
from stepflow_gui.gui.runs.panel.explore_page import ExplorePage
from stepflow_gui.run.scripts.script_file import Script, read_script_file
from stepflow_gui.text.edit import TextEdit
from tests.gui.runs.conftest import Bench, Write
from tests.run.flows import registry, step

BROKEN = registry(
    step("a.start", "work", next="ghost", handoff="b.around"),
    step("b.around", "work", next="b.around"),
    step("c.island", "work", next="a.start"),
)


def exploring(bench: Bench) -> RunExploring:
    return bench.window.runs.exploring


def page_of(bench: Bench) -> ExplorePage:
    page = exploring(bench).page
    bench.do("run-explore")
    return page


def explored(bench: Bench) -> ExplorePage:
    page = page_of(bench)
    page.explore.click()
    bench.qtbot.waitUntil(lambda: not exploring(bench).busy)
    return page


def rows(page: ExplorePage) -> list[tuple[str, ...]]:
    return [tuple(cell.text for cell in page.rows.row(at).cells) for at in range(page.rows.rowCount())]


def pick(page: ExplorePage, kind: str) -> None:
    at = next(at for at, row in enumerate(rows(page)) if row[0].startswith(kind))
    page.table.selectRow(at)


def test_the_ends_of_the_example_and_what_is_covered(bench: Bench, example: Path) -> None:
    bench.open(example)
    page = explored(bench)
    assert "steps 3/3 · edges 7/7 · validators 2/2" in page.summary.whole
    closing = next(row for row in rows(page) if row[0] == "End: closing")
    assert closing == ("End: closing", "closure.issue", "initial.issue → continuation.issue → closure.issue")
    assert not page.cancel.isVisible()
    assert not page.play.isEnabled()


def test_what_is_wrong_stands_first_and_goes_to_its_step(bench: Bench, write: Write) -> None:
    bench.open(write(BROKEN))
    page = explored(bench)
    assert [row[0] for row in rows(page)][:2] == ["Dead end", "Loop"]
    pick(page, "Unreachable")
    document = bench.window.document
    assert document is not None
    assert document.selected_step == "c.island"
    assert not page.play.isEnabled()
    pick(page, "Loop")
    assert document.selected_step == "b.around"


def test_a_row_shows_its_path_on_the_canvas_and_coverage_tints_it(bench: Bench, example: Path) -> None:
    bench.open(example)
    page = explored(bench)
    graph = bench.window.canvas.graph
    pick(page, "End: closing")
    assert set(graph.run.step_visits) == {"initial.issue", "continuation.issue", "closure.issue"}
    assert TransitionRef("continuation.issue", "handoff") in graph.run.move_visits
    assert TransitionRef("continuation.issue", "repeat") not in graph.run.move_visits
    assert graph.run.ended
    page.table.clearSelection()
    page.table.setCurrentIndex(page.rows.index(-1, -1))
    assert not graph.run.step_visits
    page.tint.setChecked(True)
    assert TransitionRef("continuation.issue", "repeat") in graph.run.move_visits
    page.tint.setChecked(False)
    assert not graph.run.move_visits


def test_a_path_is_played_step_by_step(bench: Bench, example: Path) -> None:
    bench.open(example)
    page = explored(bench)
    pick(page, "End: closing")
    page.play.click()
    assert bench.run.state.step == "initial.issue"
    assert bench.run.position == 1
    for expected in ("continuation.issue", "closure.issue"):
        bench.do("run-step")
        assert bench.run.state.step == expected
    bench.do("run-start")
    bench.wait()
    assert bench.run.state.outcome is not None
    assert bench.run.state.outcome.kind == "closing"


def test_scripts_are_saved_to_the_chosen_place_and_replace_none(bench: Bench, example: Path, tmp_path: Path) -> None:
    bench.open(example)
    page = explored(bench)
    exploring(bench).ask_folder = lambda: tmp_path / "scripts"
    for _time in range(2):
        page.save.click()
        bench.qtbot.waitUntil(lambda: not exploring(bench).busy)
    written = sorted((tmp_path / "scripts").iterdir())
    assert written
    assert all(isinstance(read_script_file(path.read_text("utf-8"), path.name), Script) for path in written)
    assert "already exists" in bench.window.banner.text


def test_an_edit_makes_what_was_found_a_thing_of_the_past(bench: Bench, example: Path) -> None:
    bench.open(example)
    page = explored(bench)
    document = bench.window.document
    assert document is not None
    document.apply({document.path: [TextEdit(0, 0, " ")]}, "blank", "test")
    bench.qtbot.waitUntil(lambda: "explore again" in page.note.text())


def test_a_long_search_is_cancelled_and_leaves_the_window_alive(bench: Bench, write: Write) -> None:
    count = 150
    steps = [
        step(f"s.n{at}", "work", gate={"targetField": "to"}, next=f"s.n{(at + 1) % count}", jump=f"s.n{at}")
        for at in range(count)
    ]
    bench.open(write(registry(*steps)))
    page = page_of(bench)
    ticks: list[float] = []
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
    timer.start(10)
    page.explore.click()
    assert page.cancel.isVisible()
    bench.qtbot.waitUntil(lambda: "places searched" in page.summary.whole)
    bench.qtbot.wait(200)
    page.cancel.click()
    bench.qtbot.waitUntil(lambda: not exploring(bench).busy)
    timer.stop()
    assert len(ticks) > 10
    assert "cancelled" in page.note.text()
    assert page.explore.isVisible()


def test_all_entries_are_explored_together(bench: Bench, write: Write, tmp_path: Path) -> None:
    apart = registry(
        step("a.start", "work", next="a.start"),
        step("b.start", "work", next="b.start", handoff="ghost"),
        entryStepMapping={"poll:state": "b.start"},
    )
    bench.open(write(apart))
    page = explored(bench)
    assert page.all_entries.isVisible()
    assert "Unreachable" in {row[0] for row in rows(page)}
    page.all_entries.setChecked(True)
    explored(bench)
    assert "steps 2/2" in page.summary.whole
    assert "Unreachable" not in {row[0] for row in rows(page)}
    pick(page, "Dead end")
    page.play.click()
    assert bench.run.state.step == "b.start"
    exploring(bench).ask_folder = lambda: tmp_path / "scripts"
    page.save.click()
    bench.qtbot.waitUntil(lambda: not exploring(bench).busy)
    texts = [file.read_text("utf-8") for file in sorted((tmp_path / "scripts").iterdir())]
    assert sum('"entry": "b.start"' in text for text in texts) in range(1, len(texts))


def test_with_one_entry_there_is_nothing_to_choose(bench: Bench, example: Path) -> None:
    bench.open(example)
    assert not page_of(bench).all_entries.isVisible()
