"""Several folders of logs in the window, and what all their logs show on the graph."""

import shutil
import subprocess
from pathlib import Path

import pytest

from stepflow_gui.gui.canvas.marks import Heat, TransitionRef
from stepflow_gui.gui.runs.logs.log_list import LogListPage
from stepflow_gui.gui.runs.logs.opened_logs import OpenedLogs
from stepflow_gui.run.logs.listing import log_folders
from tests.gui.runs.conftest import Bench
from tests.gui.runs.logs.test_open_log import EXAMPLE, FAILED, PATH, START, turn
from tests.run.logs.test_earlier_flow import commit


def listed(bench: Bench) -> OpenedLogs:
    logs = bench.window.runs._logs
    assert logs is not None
    bench.qtbot.waitUntil(lambda: not logs.listing.is_busy)
    bench.qtbot.waitUntil(lambda: not logs.heat.is_busy)
    return logs


def pick(page: LogListPage, measure: str | None) -> None:
    page.heat.setCurrentIndex(page.heat.findData(measure))
    page.heat.activated.emit(page.heat.currentIndex())


@pytest.fixture
def logs(bench: Bench, example: Path) -> Path:
    """The agent's folder of logs, listed with two logs."""
    bench.open(example)
    document = bench.window.document
    assert document is not None
    agent = document.last_valid
    (folder,) = log_folders(agent)
    folder.mkdir(parents=True, exist_ok=True)
    for at, texts in enumerate(((START, PATH, FAILED), (START, turn(EXAMPLE[0], 1, "next", EXAMPLE[1])))):
        (folder / f"{agent.folder.name}-{at}.jsonl").write_text("".join(texts), "utf-8")
    bench.do("show-logs")
    return folder


def test_another_folder_is_listed(bench: Bench, logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = listed(bench)
    assert len(opened.page.logs) == 2
    shutil.copytree(logs, tmp_path / "kept")
    monkeypatch.setattr(bench.window.desk.prompts, "open_folder", lambda: tmp_path / "kept")
    opened.page.add_folder.click()
    assert len(listed(bench).page.logs) == 4
    assert str(tmp_path / "kept") in opened.page.summary.text()
    opened.page.add_folder.click()
    assert len(listed(bench).page.logs) == 4


def test_other_worktrees_are_listed(bench: Bench, example: Path, logs: Path, tmp_path: Path) -> None:
    opened = listed(bench)
    document = bench.window.document
    assert document is not None
    root = document.last_valid.root
    commit(root, "2026-04-19T10:00:00Z")
    subprocess.run(["git", "worktree", "add", "-q", str(tmp_path / "tree")], cwd=root, check=True)
    opened.page.worktrees.setChecked(True)
    assert len(listed(bench).page.logs) == 4  # git has the logs, too


def test_heat_on_the_graph(bench: Bench, logs: Path) -> None:
    opened = listed(bench)
    pick(opened.page, "cost")
    listed(bench)
    graph = bench.window.canvas.graph
    assert graph.run.heat == {EXAMPLE[0]: Heat(4, "$0.20"), EXAMPLE[1]: Heat(2, "$0.10")}
    assert graph.run.move_visits[TransitionRef(EXAMPLE[0], "next")] == 2
    item = graph.step_item(EXAMPLE[0])
    assert item is not None
    assert item.heat == Heat(4, "$0.20")
    assert graph.accessible_name(EXAMPLE[0]).endswith("$0.20")
    assert opened.page.summary.text().startswith("2 runs · 4.5 s · $0.30 · never taken: ")
    pick(opened.page, "visits")
    listed(bench)
    assert graph.run.heat[EXAMPLE[0]] == Heat(4, "×2")
    pick(opened.page, None)
    assert not graph.run.heat
    assert item.heat is None


def test_a_heat_is_painted_in_both_looks(bench: Bench, logs: Path) -> None:
    opened = listed(bench)
    canvas = bench.window.canvas

    def picture() -> bytes:
        image = canvas.grab().toImage()
        return bytes(image.constBits())

    plain = picture()
    pick(opened.page, "seconds")
    listed(bench)
    assert picture() != plain
