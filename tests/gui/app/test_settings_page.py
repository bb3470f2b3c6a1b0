"""The page of settings: searched, in force at once, and the scale from the next start on."""

import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.app.preferences.choices import use_scale
from stepflow_gui.gui.app.preferences.page import SettingsPage
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.controls import Chooser
from tests.gui.access.conftest import MakeShell, make_shell

__all__ = ["make_shell"]


@pytest.fixture
def shell(make_shell: MakeShell) -> Shell:
    return make_shell()


@pytest.fixture
def page(shell: Shell) -> SettingsPage:
    shell.current.desk.actions["settings"].trigger()
    (found,) = shell.current.findChildren(SettingsPage)
    return found


def choose(chooser: Chooser, at: int) -> None:
    chooser.setCurrentIndex(at)
    chooser.activated.emit(at)


def shown(page: SettingsPage) -> list[QWidget]:
    controls = (page.look, page.language, page.scale, page.motion, page.keys)
    return [control for control in controls if control.isVisibleTo(page)]


def test_looks_language_and_motion_are_in_force_at_once(page: SettingsPage, shell: Shell) -> None:
    window = shell.current
    choose(page.look, 2)
    assert window.settings.look == "dark"
    assert window.theme.dark
    page.motion.click()
    assert window.settings.reduced_motion is not None
    assert window.motion.reduced == window.settings.reduced_motion
    choose(page.language, 1)
    assert page.windowTitle() == "設定"
    assert [page.look.itemText(at) for at in range(3)] == ["システムに合わせる", "ライト", "ダーク"]
    assert window.menuBar().actions()[0].text() == "ファイル(&F)"
    page.close()


def test_the_search_leaves_what_fits(page: SettingsPage) -> None:
    assert len(shown(page)) == 5
    page.search.setText("dark")
    assert shown(page) == [page.look]
    page.search.setText("日本語")
    assert shown(page) == [page.language]
    page.search.setText("nothing at all")
    assert shown(page) == []
    assert page._none.isVisibleTo(page)
    page.close()


def test_the_scale_is_that_of_the_next_start(
    page: SettingsPage, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QT_SCALE_FACTOR", raising=False)
    settings = shell.current.settings
    use_scale(settings)
    assert "QT_SCALE_FACTOR" not in os.environ
    choose(page.scale, page.scale.findText("150 %"))
    settings.sync()
    again = Settings(tmp_path / "settings.ini")
    assert again.scale == 150
    monkeypatch.setenv("QT_SCALE_FACTOR", "2")
    use_scale(again)
    assert os.environ["QT_SCALE_FACTOR"] == "2"  # what the environment says goes first
    monkeypatch.delenv("QT_SCALE_FACTOR")
    use_scale(again)
    assert os.environ.pop("QT_SCALE_FACTOR") == "1.5"
    page.close()


def test_each_setting_is_in_the_palette_too(shell: Shell) -> None:
    entries = {entry.title: entry for entry in shell.current.palette_entries()}
    entries["Theme: Dark"].act()
    assert shell.current.theme.dark
    entries["Language: 日本語"].act()
    assert shell.current.menuBar().actions()[0].text() == "ファイル(&F)"
