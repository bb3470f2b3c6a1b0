"""Takes pictures of the window's views, to look at: `python packaging/window_views.py FOLDER [--only VIEW …]`.

Each view in light and dark, English and Japanese, 800 × 600 and 1600 × 1000, as `VIEW-LOOK-LANGUAGE-SIZE.png`, over
copies of the bundled example. `--sheets` joins the pictures of a view into one, `VIEW.png`.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from time import monotonic

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from menu_views import menu_views
from piece_views import piece_view
from stepflow_gui import messages
from stepflow_gui.gui.app.help.tour import Tour
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.editing.step_files_popup import StepFilesPopup
from stepflow_gui.gui.versions.comparing import SAVED, Base
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.gui.widgets.dialogs import DialogPrompts
from stepflow_gui.gui.widgets.prompts import OnClose
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.edit import difference
from stepflow_gui.text.source import Source

LOOKS = ("light", "dark")
SIZES = ((800, 600), (1600, 1000))
STEP = "continuation.issue"
_PATIENCE = 120.0  # seconds that a view has to be ready
_LAYOUT = 250  # milliseconds for what arranges itself afterwards


class _Discards(DialogPrompts):
    """Throws changes away when the window closes."""

    def unsaved(self, path: Path) -> OnClose:
        del path
        return OnClose.DISCARD

    def unsaved_several(self, paths: Sequence[Path]) -> OnClose:
        return self.unsaved(paths[0])


# Helpers of the views


def change(shell: Shell, old: str, new: str) -> None:
    """Write into the registry in front, unsaved."""
    document = shell.current.document
    assert document is not None
    source = document.source()
    assert isinstance(source, Source)
    assert old in source.text
    document.apply(
        {document.path: difference(source.text, source.text.replace(old, new, 1))}, messages._("Typing"), "source"
    )


def on_disk(shell: Shell, old: str, new: str) -> None:
    """Write into the registry's file, as another program would."""
    document = shell.current.document
    assert document is not None
    text = document.path.read_text("utf-8")
    assert old in text
    document.path.write_text(text.replace(old, new, 1), "utf-8")


def _trigger(action: str) -> Callable[[Shell], None]:
    return lambda shell: shell.current.desk.actions[action].trigger()


def _run_page(page: str) -> Callable[[Shell], None]:
    def show(shell: Shell) -> None:
        panel = shell.current.run_panel
        shell.current.layouts.turn_to("debug")
        shell.current.desk.show_output(panel)
        panel.show_page(getattr(panel, page))

    return show


def settle(shell: Shell) -> None:
    """Wait until all of the agent in front is read, drawn and linted, and each widget has its place."""
    window = shell.current

    def ready() -> bool:
        document = window.document
        if document is None:
            return True
        return document.linted and document.parsed and not window.canvas.is_building and not window.runs.is_exploring

    wait_until(ready)
    wait(_LAYOUT)


def wait_until(ready: Callable[[], bool]) -> None:
    """Let the program go on until something is so. Raises AssertionError when that takes too long."""
    end = monotonic() + _PATIENCE
    while not ready():
        assert monotonic() < end
        wait(20)


def wait(milliseconds: int) -> None:
    """Let the program go on, its threads too."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


# The views


def _editor(shell: Shell) -> None:
    shell.current.canvas.choose_step(STEP)


def _split(shell: Shell) -> None:
    _editor(shell)
    shell.current.side.show_page("outline")
    shell.current.room.show_source()


def _problems(shell: Shell) -> None:
    change(shell, f'"target": "{STEP}"', '"target": "continuation.gone"')
    change(shell, '"repeat"', '"rpeat"')
    shell.current.desk.show_output(shell.current.problems)


def _problem(action: str) -> Callable[[Shell], None]:
    def show(shell: Shell) -> None:
        _problems(shell)
        settle(shell)
        shell.current.desk.actions["next-problem"].trigger()
        shell.current.desk.actions[action].trigger()

    return show


def _run(shell: Shell) -> None:
    window = shell.current
    window.desk.show_output(window.run_panel)
    window.desk.actions["run-start"].trigger()
    run = window.runs.agent.run if window.document is not None else None
    assert run is not None
    run.choose(run.choices()[0])
    settle(shell)


def _running(page: str) -> Callable[[Shell], None]:
    def show(shell: Shell) -> None:
        _run(shell)
        _run_page(page)(shell)

    return show


def _explore(shell: Shell) -> None:
    window = shell.current
    window.desk.actions["run-explore"].trigger()
    window.runs.exploring.explore()


def _contract(shell: Shell) -> None:
    document = shell.current.document
    assert document is not None
    change(shell, '"allowedIntents": ["next", "repeat"', '"allowedIntents": ["next"')
    shell.current.canvas.choose_step(STEP)


def _versions(shell: Shell) -> None:
    change(shell, '"name": "', '"name": "New ')
    change(shell, f'"target": "{STEP}"', '"target": "closure.issue"')
    change(shell, '"entryStep": "initial.issue"', f'"entryStep": "{STEP}"')
    window = shell.current
    window.desk.actions["versions"].trigger()
    window.versions.compare_with(Base(SAVED, ""))
    page = window.versions.page
    assert page is not None
    wait_until(lambda: page.list.count() > 0)


def _agent(shell: Shell) -> None:
    document = shell.current.document
    assert document is not None
    file = document.path.parent / "agent.json"
    source = document.source(file)
    assert isinstance(source, Source)
    settle(shell)
    text = source.text.replace("prompts/system.md", "prompts/none.md").replace("poll:state", "detect:keyword")
    document.apply({file: difference(source.text, text)}, messages._("Typing"), "source")
    shell.current.desk.actions["focus-agent"].trigger()


def _agent_below(shell: Shell) -> None:
    _agent(shell)
    settle(shell)
    shell.current.agent.open_at("/runner/verdict/config/verdictKeyword")


def _agent_missing(shell: Shell) -> None:
    document = shell.current.document
    assert document is not None
    settle(shell)
    (document.path.parent / "agent.json").unlink()
    shell.current.open(document.path)
    shell.current.desk.actions["focus-agent"].trigger()


def _verdict_chart(shell: Shell) -> None:
    shell.current.desk.actions["choose-verdict"].trigger()


def _outside(shell: Shell) -> None:
    change(shell, '"version": "', '"version": "8')
    on_disk(shell, '"version": "', '"version": "9')
    document = shell.current.document
    assert document is not None
    document.check_disk()


def _conflicts(shell: Shell) -> None:
    _outside(shell)
    shell.current.outside.merge()


def _history(shell: Shell) -> None:
    change(shell, '"name": "', '"name": "New ')
    shell.current.desk.show_output(shell.current.navigation.history)


def _find(shell: Shell) -> None:
    editor = shell.current.source.editor
    shell.current.room.show_source()
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)


def _tour(stop: int) -> Callable[[Shell], None]:
    def show(shell: Shell) -> None:
        shell.current.desk.actions["tour"].trigger()
        tour = shell.current.findChild(Tour)
        assert tour is not None
        tour.go(stop)

    return show


def _key(key: Qt.Key) -> Callable[[Shell], None]:
    def press(shell: Shell) -> None:
        canvas = shell.current.canvas
        canvas.choose_step(STEP)
        canvas.setFocus()
        QTest.keyClick(canvas, key)

    return press


def _tabs(shell: Shell) -> None:
    document = shell.current.document
    assert document is not None
    folder = document.path.parents[2]
    for name in ("billing", "documents"):
        shell.open(copy_example(into=folder / name))
    change(shell, '"name": "', '"name": "New ')
    shell.turn(1)


def _project(shell: Shell) -> None:
    document = shell.current.document
    assert document is not None
    folder = document.path.parents[3]
    other = copy_example(into=folder / "billing")
    shutil.rmtree(next(other.rglob("closure")))
    shell.open(folder)
    view = shell.project.view
    assert view is not None
    model = view.model
    wait_until(lambda: bool(model.agents) and view.at_rest and all(each.health for each in model.agents.values()))
    view.panel.tree.expandRecursively(model.index(0, 0))


def _step_files(shell: Shell) -> None:
    document = shell.current.document
    assert document is not None
    shutil.rmtree(next(document.last_valid.root.rglob("closure")))
    shell.current.canvas.choose_step("closure.issue")
    shell.current.desk.actions["step-files"].trigger()
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, StepFilesPopup)
    popup.go()


def _grouped(shell: Shell) -> None:
    _problems(shell)
    settle(shell)
    shell.current.desk.actions["problems-by-file"].trigger()


WELCOME = "welcome"


VIEWS: dict[str, Callable[[Shell], None]] = {
    WELCOME: lambda _shell: None,
    "editor": _editor,
    "split": _split,
    "tabs": _tabs,
    "contract": _contract,
    "problems": _problems,
    "problem-rule": _problem("explain-problem"),
    "problem-fix": _problem("fix-problem"),
    "problem-suppress": _problem("suppress-problem"),
    "run": _run,
    "run-setup": _run_page("setup_form"),
    **{f"run-{page}": _running(page) for page in ("trace", "data", "checks", "breakpoints", "prompt")},
    "explore": _explore,
    "piece": piece_view("prompts", settle),
    "piece-setup": piece_view("setup", settle),
    "agent": _agent,
    "agent-below": _agent_below,
    "agent-missing": _agent_missing,
    "verdict-chart": _verdict_chart,
    "project": _project,
    "step-files": _step_files,
    "versions": _versions,
    "outside": _outside,
    "conflicts": _conflicts,
    "history": _history,
    "find": _find,
    "new-step": _key(Qt.Key.Key_Insert),
    "rename": _key(Qt.Key.Key_F2),
    **{action: _trigger(action) for action in ("log", "palette", "new-agent", "convert", "shortcuts", "about")},
    **{action: _trigger(action) for action in ("settings", "go-anywhere", "open-recent", "canvas-only")},
    "problem-groups": _grouped,
    **menu_views(STEP),
    **{f"tour-{stop + 1}": _tour(stop) for stop in range(5)},
}
"""What is shown, by name: from a window with the example open, the first from an empty one."""


def show(shell: Shell, view: str, folder: Path) -> None:
    """Have a view in a window that shows nothing yet; what it opens is copied into the folder."""
    if view != WELCOME:
        (registry,) = copy_example(into=folder / "orders").rglob("steps_registry.json")
        assert shell.open(registry)
        settle(shell)
    VIEWS[view](shell)
    settle(shell)


def opened_over(shell: Shell) -> list[QWidget]:
    """The windows that are open over the program's."""
    return [each for each in QApplication.topLevelWidgets() if each.isVisible() and each is not shell]


# The pictures


def picture(shell: Shell) -> QImage:
    """The window, with what is open over it."""
    image = shell.grab().toImage()
    painter = QPainter(image)
    for each in opened_over(shell):
        painter.drawPixmap(each.mapToGlobal(QPoint()) - shell.mapToGlobal(QPoint()), each.grab())
    painter.end()
    return image


def _take(view: str, look: str, language: str, size: tuple[int, int]) -> QImage:
    messages.use_language(language)
    with tempfile.TemporaryDirectory() as kept:
        settings = Settings(Path(kept) / "settings.ini")
        settings.look, settings.language = look, language
        shell = Shell(settings, None, lambda: _Discards(QWidget()))
        shell.resize(*size)
        shell.show()
        shell.activateWindow()
        show(shell, view, Path(kept))
        image = picture(shell)
        for each in opened_over(shell):
            each.close()
        shell.close()
        shell.deleteLater()
        wait(0)
    return image


def _sheet(images: list[QImage]) -> QImage:
    """Pictures in two columns."""
    rows = [images[at : at + 2] for at in range(0, len(images), 2)]
    width = max(sum(image.width() for image in row) for row in rows)
    sheet = QImage(width, sum(max(image.height() for image in row) for row in rows), QImage.Format.Format_RGB32)
    painter, y = QPainter(sheet), 0
    for row in rows:
        x = 0
        for image in row:
            painter.drawImage(x, y, image)
            x += image.width()
        y += max(image.height() for image in row)
    painter.end()
    return sheet


def main() -> int:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="VIEW", nargs="+", choices=list(VIEWS), default=list(VIEWS))
    parser.add_argument("--sheets", action="store_true", help="one picture a view and size")
    parser.add_argument("folder", type=Path, help="where the pictures go")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    make_application()
    for view, size in product(given.only, SIZES):
        taken = {}
        for look, language in product(LOOKS, messages.LANGUAGES):
            taken[look, language] = image = _take(view, look, language, size)
            if image.width() != size[0] or image.height() != size[1]:
                sys.stderr.write(f"{view} {look} {language}: {image.width()} × {image.height()}\n")
            if not given.sheets:
                image.save(str(given.folder / f"{view}-{look}-{language}-{size[0]}.png"))
        if given.sheets:
            _sheet(list(taken.values())).save(str(given.folder / f"{view}-{size[0]}.png"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
