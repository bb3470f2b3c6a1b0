"""A screen reader has a name for everything that a person can use, and no two things of one panel sound alike."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.text.edit import difference
from stepflow_gui.text.source import Source
from tests.gui.access.conftest import MakeShell
from tests.gui.access.reader import Heard, heard, is_set, said, settle
from tests.gui.shown import run_pages

LANGUAGES = ("en", "ja")
ROLE = QAccessible.Role


def _change(shell: Shell, old: str, new: str) -> None:
    document = shell.current.document
    assert document is not None
    source = document.source()
    assert isinstance(source, Source)
    assert old in source.text
    document.apply({document.path: difference(source.text, source.text.replace(old, new, 1))}, "change", "test")


def _selected(shell: Shell) -> QWidget:
    shell.current.canvas.choose_step("continuation.issue")
    return shell


def _transition(shell: Shell) -> QWidget:
    shell.current.canvas.choose_step("continuation.issue")
    QTest.keyClick(shell.current.canvas, Qt.Key.Key_Right)
    return shell


def _problems(shell: Shell) -> QWidget:
    _change(shell, '"target": "continuation.issue"', '"target": "continuation.gone"')
    _change(shell, '"repeat"', '"rpeat"')
    return shell


def _problem_details(shell: Shell) -> QWidget:
    _problems(shell)
    shell.current.desk.actions["next-problem"].trigger()
    shell.current.desk.actions["explain-problem"].trigger()
    return shell


def _run_setup(shell: Shell) -> QWidget:
    window = shell.current
    window.desk.show_output(window.run_panel)
    window.run_panel.pages.setCurrentWidget(window.run_panel.setup_form)
    return shell


def _running(shell: Shell) -> QWidget:
    window = shell.current
    window.canvas.choose_step("initial.issue")
    window.desk.actions["run-breakpoint"].trigger()
    window.desk.actions["run-start"].trigger()
    return shell


def _history(shell: Shell) -> QWidget:
    _change(shell, '"version"', ' "version"')
    shell.current.desk.show_output(shell.current.navigation.history)
    return shell


def _action(name: str) -> Callable[[Shell], QWidget]:
    def trigger(shell: Shell) -> QWidget:
        shell.current.desk.actions[name].trigger()
        return shell

    return trigger


def _find_in_source(shell: Shell) -> QWidget:
    editor = shell.current.source.editor
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    return shell


def _conflicts(shell: Shell) -> QWidget:
    window = shell.current
    document = window.document
    assert document is not None
    _change(shell, '"version": "', '"version": "8')
    document.path.write_text(document.path.read_text("utf-8").replace('"version": "', '"version": "9', 1), "utf-8")
    window.outside.merge()
    return shell


SHOWN: dict[str, Callable[[Shell], QWidget]] = {
    "opened": lambda shell: shell,
    "a step": _selected,
    "a transition": _transition,
    "problems": _problems,
    "a problem": _problem_details,
    "run setup": _run_setup,
    "running": _running,
    "history": _history,
    "log": _action("log"),
    "versions": _action("versions"),
    "agent": _action("focus-agent"),
    "find in source": _find_in_source,
    "conflicts": _conflicts,
}
POPUPS = {
    "palette": "palette",
    "settings": "settings",
    "places": "go-anywhere",
    "shortcuts": "shortcuts",
    "about": "about",
}


def unnamed(things: list[Heard]) -> list[Heard]:
    """What a person can use and a screen reader has no name for. The person's own texts in cells may be empty."""
    return [thing for thing in things if thing.wants_name and not thing.is_cell and not thing.name.strip()]


def doubled(things: list[Heard]) -> list[tuple[str, str, str]]:
    """What sounds like another thing of its panel."""
    counted = Counter(
        (thing.group, thing.role.name, thing.name, thing.description)
        for thing in things
        if thing.wants_name and not thing.is_cell
    )
    return [(group, role, name) for (group, role, name, _about), count in counted.items() if count > 1]


def judge(things: list[Heard]) -> None:
    assert unnamed(things) == []
    assert doubled(things) == []


@pytest.fixture(params=LANGUAGES)
def shell(make_shell: MakeShell, example: Path, request: pytest.FixtureRequest) -> Shell:
    return make_shell(request.param, registry=example)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_welcome_page(make_shell: MakeShell, language: str) -> None:
    things = heard(make_shell(language))
    judge(things)
    assert len(said(things, ROLE.Button)) >= 2


@pytest.mark.takes_turns("shell")
@pytest.mark.parametrize("view", SHOWN)
def test_the_window(shell: Shell, qtbot: QtBot, view: str) -> None:
    widget = SHOWN[view](shell)
    QApplication.processEvents()
    settle(qtbot, shell)
    QApplication.processEvents()
    things = heard(widget)
    assert len(things) > 50
    judge(things)


def test_the_tabs_of_the_output(shell: Shell) -> None:
    for row in shell.current.tab_rows:
        shell.current.desk.show_output(row.panel)
        QApplication.processEvents()
        judge(heard(shell))


def test_the_pages_of_a_run(shell: Shell, qtbot: QtBot) -> None:
    _running(shell)
    settle(qtbot, shell)
    panel = shell.current.run_panel
    panel.show_comparing(True)
    shown = 0
    for tabs in run_pages(panel):
        judge(heard(tabs))
        shown += 1
    assert shown >= 7
    shell.current.desk.actions["show-breakpoints"].trigger()
    judge(heard(panel.breakpoints.widget))
    shell.current.desk.actions["run-explore"].trigger()
    assert panel.explore.isVisible()
    judge(heard(panel.explore))


@pytest.mark.takes_turns("shell")
@pytest.mark.parametrize("popup", POPUPS)
def test_what_opens_over_the_window(shell: Shell, qtbot: QtBot, popup: str) -> None:
    before = set(_tops())
    shell.current.desk.actions[POPUPS[popup]].trigger()
    qtbot.waitUntil(lambda: bool(set(_tops()) - before))
    (opened,) = set(_tops()) - before
    judge(heard(opened))
    opened.close()


def test_the_popups_of_the_canvas(shell: Shell, qtbot: QtBot) -> None:
    canvas = shell.current.canvas
    canvas.setFocus()
    canvas.choose_step("continuation.issue")
    for key in (Qt.Key.Key_Insert, Qt.Key.Key_F2):
        QTest.keyClick(canvas, key)
        judge(heard(shell))
        for top in _tops():
            judge(heard(top))
            if top is not shell:
                top.close()
        focused = QApplication.focusWidget()
        if focused is not None and focused is not canvas:
            QTest.keyClick(focused, Qt.Key.Key_Escape)


def test_every_entry_of_every_menu(shell: Shell) -> None:
    def texts(menu: QMenu) -> Iterator[tuple[str, str]]:
        menu.aboutToShow.emit()
        for action in menu.actions():
            below = action.menu()
            if isinstance(below, QMenu):
                yield from texts(below)
            elif not action.isSeparator():
                yield menu.title(), action.text()

    shell.current.canvas.choose_step("continuation.issue")
    for top in shell.current.menuBar().actions():
        menu = top.menu()
        assert isinstance(menu, QMenu)
        entries = list(texts(menu))
        assert entries or menu.title()
        assert all(title.strip() and text.strip() for title, text in entries)
        assert len(set(entries)) == len(entries)


@pytest.mark.takes_turns("shell")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_letter_chooses_one_entry_of_a_menu(shell: Shell, language: str) -> None:
    def letters(menu: QMenu) -> Iterator[tuple[str, str, str]]:
        menu.aboutToShow.emit()
        for action in menu.actions():
            found = re.search(r"&(\w)", action.text().replace("&&", ""))
            if found is not None and action.isVisible():
                yield menu.title(), found[1].lower(), action.text()
            below = action.menu()
            if isinstance(below, QMenu):
                yield from letters(below)

    shell.current.set_language(language)
    shell.current.canvas.choose_step("continuation.issue")
    tops = [top.menu() for top in shell.current.menuBar().actions()]
    found = [letter for menu in tops if isinstance(menu, QMenu) for letter in letters(menu)]
    assert len(found) > 60
    entries: dict[tuple[str, str], list[str]] = {}
    for title, letter, text in found:
        entries.setdefault((title, letter), []).append(text)
    twice = [f"{title}: {letter} chooses {', '.join(texts)}" for (title, letter), texts in entries.items() if texts[1:]]
    assert not twice, "\n".join([*twice, "put the & of one before another letter"])


def test_steps_have_names_descriptions_and_a_place(shell: Shell, qtbot: QtBot) -> None:
    canvas = shell.current.canvas
    canvas.choose_step("initial.issue")
    shell.current.desk.actions["run-breakpoint"].trigger()
    _change(shell, '"allowedIntents": ["next", "repeat"]', '"allowedIntents": ["next"]')
    qtbot.waitUntil(lambda: bool(canvas.graph.broken))
    graph = QAccessible.queryAccessibleInterface(canvas)
    steps = [graph.child(number) for number in range(graph.childCount())]
    assert len(steps) == 4
    names = [step.text(QAccessible.Text.Name) for step in steps]
    assert len(set(names)) == 4
    assert all(step.role() is ROLE.ListItem and step.rect().isValid() for step in steps)
    document = shell.current.document
    assert document is not None
    for name, step in zip(names, steps, strict=True):
        step_id = name.split(",")[0].split("、")[0]
        assert document.last_valid.flow.steps[step_id].title in step.text(QAccessible.Text.Description)
    first = steps[0].text(QAccessible.Text.Description)
    english = shell.settings.language == "en"
    assert ("entry" if english else "入口") in first
    assert ("breakpoint" if english else "ブレークポイント") in first
    broken = {step for step, _intent in canvas.graph.broken}
    told = {
        name.split(",")[0].split("、")[0]
        for name, step in zip(names, steps, strict=True)
        if _breaks(step.text(QAccessible.Text.Description), english=english)
    }
    assert told == broken


def test_transitions_are_below_their_step_and_can_be_pressed(shell: Shell, qtbot: QtBot) -> None:
    canvas = shell.current.canvas
    document = shell.current.document
    assert document is not None
    _change(shell, '"target": "continuation.issue"', '"target": "continuation.gone"')
    qtbot.waitUntil(lambda: bool(canvas.graph.transition_counts))
    graph = QAccessible.queryAccessibleInterface(canvas)
    english = shell.settings.language == "en"
    for number in range(graph.childCount()):
        step = graph.child(number)
        step_id = canvas.graph.reading_order()[number]
        intents = [rule.intent for rule in document.last_valid.flow.steps[step_id].transitions]
        ways = [step.child(each) for each in range(step.childCount())]
        names = [way.text(QAccessible.Text.Name) for way in ways]
        assert [name.split()[0] for name in names] == intents
        told = [intent for name, intent in zip(names, intents, strict=True) if ("1 error" in name or "エラー" in name)]
        assert told == [intent for owner, intent in canvas.graph.transition_counts if owner == step_id]
        for at, (way, intent) in enumerate(zip(ways, intents, strict=True)):
            assert way.role() is ROLE.ListItem
            assert way.rect().isValid()
            assert step.indexOfChild(way) == at
            assert not _selected_state(way)
            press = way.actionInterface()
            press.doAction(press.actionNames()[0])
            assert canvas.graph.selected_transition == TransitionRef(step_id, intent)
            assert document.selected_step == step_id
            assert _selected_state(way)
        press = step.actionInterface()
        press.doAction(press.actionNames()[0])
        assert canvas.graph.selected == step_id
    first = graph.child(0).child(0).text(QAccessible.Text.Name)
    assert ("next to " in first) is english


def _selected_state(thing: QAccessibleInterface) -> bool:
    return is_set(thing.state(), "selected")


def test_the_outline_names_the_kind_that_its_icons_show(shell: Shell) -> None:
    shell.current.side.show_page("outline")
    QApplication.processEvents()
    things = heard(shell.current.outline)
    rows = [thing.name for thing in things if thing.role is ROLE.ListItem]
    kind = {"en": "work step", "ja": "work ステップ"}[shell.settings.language or "en"]
    assert any(kind in row and "initial.issue" in row for row in rows)
    shell.current.set_language("ja" if shell.settings.language == "en" else "en")
    rows = [thing.name for thing in heard(shell.current.outline) if thing.role is ROLE.ListItem]
    assert not any(kind in row for row in rows)


def _breaks(description: str, *, english: bool) -> bool:
    return ("breaks the contract" if english else "契約に反して") in description


def _tops() -> list[QWidget]:
    return [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
