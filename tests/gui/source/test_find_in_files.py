"""Finding in all files of an agent or a folder: what is looked through, what is shown, and what replacing changes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.source.finding import file_search
from stepflow_gui.gui.source.finding.file_search import FileSearch, SearchScope
from stepflow_gui.gui.source.finding.files_panel import FilesPanel
from stepflow_gui.gui.source.finding.hit_rows import row_of
from stepflow_gui.gui.source.finding.search import Search, SearchQuery
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source, Span
from tests.gui.shown import emptied
from tests.gui.silent import Silent


def registry_of(folder: Path) -> Path:
    return next(folder.rglob("steps_registry.json"))


def look(
    scope: SearchScope, query: SearchQuery, unsaved: dict[Path, Source] | None = None, *, stop: bool = False
) -> FileSearch:
    return FileSearch(query, scope, unsaved or {})(lambda _done, _known: None, lambda: stop)


def names(search: FileSearch) -> dict[str, int]:
    return {found.path.name: len(found.hits) for found in search.found}


def test_all_texts_of_an_agent_are_looked_through(tmp_path: Path) -> None:
    registry = registry_of(copy_example(into=tmp_path))
    found = look(SearchScope(registry), SearchQuery("handoff"))
    assert {"steps_registry.json", "issue.schema.json", "f_default.md", "happy.jsonl"} <= set(names(found))
    assert sum(names(found).values()) == sum(
        path.read_text("utf-8").lower().count("handoff")
        for path in registry.parent.rglob("*")
        if path.is_file() and path.parent.name != ".stepflow"
    )
    layout = registry.parent / ".stepflow" / "steps_registry.json.layout.json"
    layout.parent.mkdir()
    layout.write_text('{"handoff": 1}')
    assert names(look(SearchScope(registry), SearchQuery("handoff"))) == names(found)


def test_a_text_that_is_not_saved_counts_and_not_its_file(tmp_path: Path) -> None:
    registry = registry_of(copy_example(into=tmp_path))
    prompt = next(registry.parent.rglob("f_default.md"))
    found = look(SearchScope(registry), SearchQuery("needle"), {prompt: Source("a needle")})
    assert [(each.path, each.hits[0].span) for each in found.found] == [(prompt, (2, 8))]


def test_a_folder_is_looked_through_without_what_git_ignores(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("a.md", "deep/b.yaml", "node_modules/c.md", "out/d.md", "binary.bin"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"\0needle" if name == "binary.bin" else b"one needle")
    (tmp_path / ".gitignore").write_text("out/\n")
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    found = look(SearchScope(tmp_path, whole_folder=True), SearchQuery("needle"))
    assert names(found) == {"a.md": 1, "b.yaml": 1}


def test_the_switches_hold_in_all_files(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Step steps step")
    scope = SearchScope(tmp_path, whole_folder=True)
    assert names(look(scope, SearchQuery("step"))) == {"a.md": 3}
    assert names(look(scope, SearchQuery("step", case=True))) == {"a.md": 2}
    assert names(look(scope, SearchQuery("step", word=True))) == {"a.md": 2}
    assert names(look(scope, SearchQuery("st.p[s]", pattern=True))) == {"a.md": 1}
    assert look(scope, SearchQuery("st(ep", pattern=True)).reason


def test_a_pattern_that_is_too_hard_is_reported_and_the_other_files_are_searched(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a" * 3_000 + "!")
    (tmp_path / "b.md").write_text("aaab")
    found = look(SearchScope(tmp_path, whole_folder=True), SearchQuery("(a|aa)+[bc]", pattern=True))
    assert [path.name for path in found.hard] == ["a.md"]
    assert names(found) == {"b.md": 1}


def test_a_search_that_is_cancelled_says_so_and_one_with_too_many_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        (tmp_path / f"{number}.md").write_text("x x x")
    scope = SearchScope(tmp_path, whole_folder=True)
    assert look(scope, SearchQuery("x"), stop=True).cancelled
    monkeypatch.setattr(file_search, "MOST", 7)
    found = look(scope, SearchQuery("x"))
    assert (found.capped, found.cancelled, sum(names(found).values())) == (True, False, 7)


def test_a_row_shows_the_line_before_and_after() -> None:
    source = Source("one\n  two three\n")
    search = Search(source, SearchQuery("t(w)o", pattern=True))
    search.finish()
    assert row_of(source, search.hits[0], None, pattern=True).text == "2: two three"
    assert row_of(source, search.hits[0], "$1-$0", pattern=True).text == "2: two three → w-two three"
    assert row_of(source, search.hits[0], "$1", pattern=False).text == "2: two three → $1 three"


# In the window


@pytest.fixture
def window(qtbot: QtBot, kept: MainWindow, tmp_path: Path) -> Iterator[MainWindow]:
    with emptied(kept) as made:
        assert made.open(registry_of(copy_example(into=tmp_path / "project")))
        document = made.document
        assert document is not None
        qtbot.waitUntil(lambda: document.linted)
        yield made


def opened(qtbot: QtBot, window: MainWindow, text: str, *, replacing: bool = False) -> FilesPanel:
    window.desk.actions["replace-in-files" if replacing else "find-in-files"].trigger()
    page = window.side.findChild(FilesPanel)
    assert isinstance(page, FilesPanel)
    page.field.clear()
    page.field.setText(text)
    searched(qtbot, page, text)
    return page


def searched(qtbot: QtBot, page: FilesPanel, text: str) -> None:
    qtbot.waitUntil(lambda: page._search is not None and page._search.query.text == text and not page._busy)


def rows(page: FilesPanel) -> dict[str, list[QTreeWidgetItem]]:
    found = {}
    for at in range(page.tree.topLevelItemCount()):
        item = page.tree.topLevelItem(at)
        assert item is not None
        children = [item.child(number) for number in range(item.childCount())]
        found[item.text(0).split(":")[0]] = [each for each in children if each is not None]
    return found


def text_of(document: Document, path: Path) -> str:
    source = document.source(path)
    assert isinstance(source, Source)
    return source.text


def test_a_match_is_opened_at_its_place(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window, "handoff")
    assert window.side.shown == "find"
    window.middle.show_view("flow")
    (row,) = rows(page)["issue.schema.json"]
    page.tree.setCurrentItem(row)
    page.tree.itemActivated.emit(row, 0)
    assert window.source.path is not None
    assert window.source.path.name == "issue.schema.json"
    assert window.source.editor.textCursor().selectedText() == "handoff"
    assert window.middle.view == "split"
    assert QApplication.focusWidget() is window.source.editor


def test_replacing_is_one_entry_over_open_and_unopened_files(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    assert document is not None
    page = opened(qtbot, window, "handoff", replacing=True)
    page.by.setText("passon")
    files = {found.path: found.source.text for found in page.chosen()}
    assert len(files) >= 4
    (row,) = rows(page)["issue.schema.json"]
    assert "→" in row.text(0)
    assert row.text(0).endswith(row.text(0).split("→")[0].split(":", 1)[1].strip().replace("handoff", "passon"))
    entries = document.stack.count()
    page.replace.click()
    assert document.stack.count() == entries + 1
    for path, before in files.items():
        assert text_of(document, path) == before.replace("handoff", "passon").replace("Handoff", "passon")
        assert path.read_text("utf-8") == before  # until it is saved
    qtbot.waitUntil(lambda: not rows(page))  # what was found is gone
    assert window.save()
    assert all("passon" in path.read_text("utf-8") for path in files)
    document.undo()
    for path, before in files.items():
        assert text_of(document, path) == before


def test_what_is_not_checked_stays(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    assert document is not None
    page = opened(qtbot, window, "handoff", replacing=True)
    page.by.setText("passon")
    schema = next(found.path for found in page.chosen() if found.path.name == "issue.schema.json")
    count = sum(len(found.hits) for found in page.chosen())
    (row,) = rows(page)["issue.schema.json"]
    row.setCheckState(0, Qt.CheckState.Unchecked)
    assert page.replace.text() == f"Replace {count - 1}"
    page.replace.click()
    assert document.disk_state(schema) is None
    assert "passon" in text_of(document, document.path)


def test_nothing_is_replaced_in_texts_that_changed_meanwhile(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    assert document is not None
    page = opened(qtbot, window, "handoff", replacing=True)
    page.by.setText("passon")
    document.apply({document.path: [TextEdit(0, 0, " ")]}, "x", "test")
    entries = document.stack.count()
    page.replace.click()
    assert document.stack.count() == entries
    assert "Nothing was replaced" in window.banner.text


def test_matches_follow_what_is_typed_elsewhere(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    assert document is not None
    page = opened(qtbot, window, "handoff")
    before = len(rows(page)["steps_registry.json"])
    document.apply({document.path: [TextEdit(1, 1, '"handoff": 1, ')]}, "x", "test")
    qtbot.waitUntil(lambda: len(rows(page)["steps_registry.json"]) == before + 1)


def test_what_is_selected_in_the_source_is_looked_for(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    assert document is not None
    window.room.show_source()
    at = text_of(document, document.path).index("closing")
    window.source.editor.reveal(Span(at, at + len("closing")))
    window.desk.actions["find-in-files"].trigger()
    page = window.side.findChild(FilesPanel)
    assert isinstance(page, FilesPanel)
    assert page.field.text() == "closing"
    assert page.by.isHidden()


def test_the_page_speaks_both_languages(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window, "handoff")
    assert page.summary.text().endswith("files")
    window.set_language("ja")
    assert page.summary.text() == f"{len(rows(page))} 個のファイルで {sum(map(len, rows(page).values()))} 件"
    window.set_language("en")


# In a folder of several agents


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path) -> Iterator[Shell]:
    make_application()
    made = Shell(Settings(tmp_path / "settings.ini"), None, Silent)
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()


def test_a_folder_is_searched_and_each_agent_keeps_its_history(qtbot: QtBot, shell: Shell, tmp_path: Path) -> None:
    root = tmp_path / "repository"
    one, two = (registry_of(copy_example(into=root / name)) for name in ("one", "two"))
    assert shell.open(root)
    for path in (two, one):
        assert shell.open(path)
    window = shell.current
    page = opened(qtbot, window, "handoff", replacing=True)
    page.scope.setCurrentIndex(1)
    page.scope.activated.emit(1)
    qtbot.waitUntil(lambda: len({found.path for found in page.chosen()} & {one, two}) == 2 and not page._busy)
    page.by.setText("passon")
    page.replace.click()
    documents = [each.document for each in shell.windows]
    assert [document.stack.count() for document in documents if document is not None] == [1, 1]
    assert "2 agents" in window.status.text


def test_a_file_of_an_agent_that_is_not_open_is_not_replaced_in(qtbot: QtBot, shell: Shell, tmp_path: Path) -> None:
    root = tmp_path / "repository"
    one, two = (registry_of(copy_example(into=root / name)) for name in ("one", "two"))
    assert shell.open(root)
    assert shell.open(one)
    window = shell.current
    page = opened(qtbot, window, "handoff", replacing=True)
    page.scope.setCurrentIndex(1)
    page.scope.activated.emit(1)
    qtbot.waitUntil(lambda: two in {found.path for found in page.chosen()} and not page._busy)
    page.replace.click()
    assert window.document is not None
    assert window.document.stack.count() == 0
    assert "belongs to no open agent" in window.banner.text


def test_a_match_in_another_agent_opens_that(qtbot: QtBot, shell: Shell, tmp_path: Path) -> None:
    root = tmp_path / "repository"
    one, two = (registry_of(copy_example(into=root / name)) for name in ("one", "two"))
    assert shell.open(root)
    window = shell.current
    page = opened(qtbot, window, "handoff")  # without an agent, in the folder
    assert not page.can_replace
    item = next(each for each in page._items.values() if each.toolTip(0) == str(one))
    page.tree.itemActivated.emit(item.child(0), 0)
    document = shell.current.document
    assert document is not None
    assert (document.path, shell.current.source.path) == (one, one)
    assert shell.current.source.editor.textCursor().selectedText().lower() == "handoff"
    assert two.exists()


def test_the_keys_open_the_page(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    page = window.side.findChild(FilesPanel)
    assert isinstance(page, FilesPanel)
    qtbot.waitUntil(page.field.hasFocus)
