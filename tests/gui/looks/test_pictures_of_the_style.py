"""The pictures that the style sheet names are there in both looks; the one that closes a tab has the look's colour."""

import re
from pathlib import Path

import pytest

from stepflow_gui.gui.widgets.theme import Theme


@pytest.mark.parametrize("dark", [False, True])
def test_each_picture_of_the_style_sheet_is_there(dark: bool) -> None:
    theme = Theme(dark)
    named = [Path(each) for each in re.findall(r'url\("([^"]+)"\)', theme.style_sheet())]
    assert {"tick", "close"} <= {path.stem.partition("-")[0] for path in named}
    assert all(path.is_file() for path in named)
    (close,) = (path for path in named if path.stem.startswith("close"))
    assert theme.hex("muted") in close.read_text("utf-8")
