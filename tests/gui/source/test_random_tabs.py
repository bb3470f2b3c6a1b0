"""Whatever is done in the tabs in whatever order: each shows its file's text, and undo restores the bytes."""

import random
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from stepflow_gui.gui.document.agent_files import agent_files
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source
from tests.gui.source.bench import CTRL, Bench

_TEXTS = ("x", "語", "🙂", '"a"', "{", "\r\n", "\n", " ")


@pytest.mark.parametrize("seed", range(4))
def test_tabs_edits_and_undo_in_any_order(example: Bench, seed: int) -> None:
    chance = random.Random(seed)
    files = agent_files(example.document)[:5]
    before = {path: path.read_bytes() for path in files}

    def text_of(path: Path) -> Source:
        source = example.document.source(path)
        assert isinstance(source, Source)
        return source

    for _step in range(60):
        path = chance.choice(files)
        text = text_of(path).text
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.choice((0, 0, 3, 40)))
        match chance.randrange(7):
            case 0 | 1:
                example.panel.show_file(path)
            case 2:
                example.panel.close_file(path)
            case 3:
                example.document.apply({path: [TextEdit(start, end, chance.choice(_TEXTS))]}, "Put", "canvas")
            case 4:
                example.put_caret(chance.randint(0, len(example.editor.mapping.source.text)))
                example.type(chance.choice("abc{"))
            case 5:
                example.press(Qt.Key.Key_Z, CTRL)
            case 6:
                example.panel.find_bar.widget.by.setText("z")
                example.panel.open_find(chance.random() < 0.5)
                example.panel.find_bar.widget.field.setText(chance.choice(("a", "is", "語")))
                if chance.random() < 0.3:
                    example.panel.find_bar.widget.replace_all()
                example.editor.setFocus()
        assert example.panel.path is not None
        assert example.panel.path == example.panel.tabs.current
        assert example.editor.mapping.source.text == text_of(example.panel.path).text
        assert example.editor.mapping.in_step()
    while example.document.stack.canUndo():
        example.document.undo()
    for path in files:
        assert text_of(path).encode() == before[path]
        example.panel.show_file(path)
        assert example.editor.mapping.in_step()
    assert not example.document.dirty
