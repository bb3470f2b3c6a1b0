"""The palette as the first half of keys of two presses, and what is said of keys that have moved."""

from collections.abc import Callable

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.widgets.palette_popup import PalettePopup
from tests.gui.app.keys.conftest import Hands


@pytest.mark.parametrize("typed", ["Open Folder", "open fold"])
def test_after_ctrl_k_any_text_searches(hands: Hands, typed: str) -> None:
    hands.press("Ctrl+K")
    palette = hands.popup(PalettePopup)
    assert isinstance(palette, PalettePopup)
    chords = [entry for entry in hands.window.palette_entries() if entry.is_chord]
    assert palette.titles()[: len(chords)] == [entry.title for entry in chords]
    QTest.keyClicks(palette.field, typed)
    assert palette.titles()[0] == "Open Folder"
    hands.press("Ctrl+O")  # no second key any more
    assert hands.asked.asked == []
    hands.press("Return")
    assert hands.asked.asked == ["folder"]


CHORDS = ("Open Folder", "Open Run Log", "Close Folder", "Keyboard Shortcuts")  # what is done by two presses


def test_what_was_chosen_last_comes_first_in_the_palette(hands: Hands) -> None:
    hands.press("Ctrl+K")
    QTest.keyClicks(hands.popup(PalettePopup).field, "minimap")
    hands.press("Return", "Ctrl+K")
    palette = hands.popup(PalettePopup)
    single = [title for title in palette.titles() if title not in CHORDS]
    assert single[0] == "Minimap"
    QTest.keyClicks(palette.field, "qqqqqq")
    assert palette.titles() == ["No matches"]
    hands.press("Return")
    assert palette.isVisible()


def moved(hands: Hands, keys: str, focus: Callable[[], None]) -> str:
    focus()
    hands.window.statusBar().clearMessage()
    hands.press(keys)
    said = hands.status
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    return said


def test_the_first_press_of_a_moved_key_says_what_it_does_now(hands: Hands) -> None:
    settings = hands.window.settings
    assert settings.announced_keys is None  # somebody who never knew others
    assert moved(hands, "Ctrl+O", hands.on_canvas) == ""
    settings.announced_keys = []
    said = moved(hands, "Ctrl+O", hands.on_canvas)
    assert said == "Ctrl+O is now “Open File”. “Open Folder” has the keys Ctrl+K Ctrl+O."
    assert moved(hands, "Ctrl+O", hands.on_canvas) == ""
    said = moved(hands, "Ctrl+Shift+.", hands.on_canvas)
    assert said == "“Quick Fix” now has the keys Ctrl+.; Ctrl+Shift+. still works."
    assert "Auto-layout" in moved(hands, "Ctrl+Shift+T", hands.on_canvas)
    assert "Step Files" in moved(hands, "Ctrl+J", hands.on_canvas)
    assert "Find" in moved(hands, "Ctrl+G", hands.on_canvas)
    assert settings.announced_keys == ["Ctrl+O", "Ctrl+Shift+.", "Ctrl+Shift+T", "Ctrl+J", "Ctrl+G"]
