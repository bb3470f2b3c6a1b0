"""No shortcut is left out by the tests of this folder."""

import re
from pathlib import Path

from PySide6.QtGui import QKeySequence

from tests.gui.app.keys.conftest import Hands

ELSEWHERE = {"Ctrl+Q", "Ctrl+F5"}  # ends the program; pauses what goes on by itself: both have tests of their own


def test_every_shortcut_is_pressed_by_a_test(hands: Hands) -> None:
    texts = "".join(file.read_text("utf-8") for file in Path(__file__).parent.glob("test_*.py"))
    pressed = {QKeySequence(text).toString() for text in re.findall(r'"((?:\w|[-+=,./\[\]])+)"', texts)}
    actions = hands.window.desk.actions
    for spec in actions.specs:
        own = [key.toString() for key in actions.default_keys(spec.id)] + [key for _place, key in spec.also]
        parts = {part for keys in own for part in keys.replace("Ctrl+,", "Ctrl+comma").split(", ")}
        wanted = {QKeySequence(part.replace("comma", ",")).toString() for part in parts}
        left = wanted - pressed - ELSEWHERE
        assert not left, f"no test here presses {left} of {spec.id}"
