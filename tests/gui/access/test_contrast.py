"""Colours: every text and mark is distinct from its background, in both themes, and the style sheet has no others."""

import re
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QColor

from stepflow_gui.bundled import resource
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.widgets.theme import Theme
from tests.gui.source.test_languages import contrast

TEXT, MARK = 4.5, 3.0
VISIBLE = 1.15  # of a selected row, which shows it by more than its background where it matters
TEXTS = (
    *("text", "muted", "work", "verification", "closure", "section", "accent", "activetext"),
    *("error", "warning", "info"),
)
MARKS = (*TEXTS, "edge", "active")
GROUNDS = ("surface", "canvas")
CHROME_TEXTS = ("text", "muted", "accent", "error", "warning", "info", "closure")
FILLED = ("accent", "error", "warning", "closure", "activetext")  # with text in `onmark` on them
TOKENS = re.compile(r"@([a-z]+)")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
NO_TOKENS = ("side", "ticks", "selected")


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def theme(request: pytest.FixtureRequest, qapp: object) -> Theme:
    del qapp
    return Theme(request.param)


@pytest.mark.parametrize("ground", GROUNDS)
def test_tokens_on_their_grounds(theme: Theme, ground: str) -> None:
    found = {token: contrast(theme.color(token), theme.color(ground)) for token in MARKS}
    assert {token: found[token] for token in TEXTS if found[token] < TEXT} == {}
    assert {token: value for token, value in found.items() if value < MARK} == {}


def test_texts_on_bars_and_marks(theme: Theme) -> None:
    for token in CHROME_TEXTS:
        assert contrast(theme.color(token), theme.color("chrome")) >= TEXT, token
    for token in FILLED:
        assert contrast(theme.color("onmark"), theme.color(token)) >= TEXT, token


def test_texts_on_tinted_grounds(theme: Theme) -> None:
    current, chosen = theme.mix("active", "surface", 0.12), theme.mix("accent", "surface", 0.14)
    for token in ("text", "muted", "activetext", "error", "closure"):
        assert contrast(theme.color(token), current) >= TEXT, token
    for token in ("text", "muted"):
        assert contrast(theme.color(token), chosen) >= TEXT, token
    for token in ("text", "muted", "accent", "error", "warning", "closure", "work", "verification"):
        assert contrast(theme.color(token), theme.selected) >= TEXT, token
    assert contrast(theme.selected, theme.color("surface")) >= VISIBLE
    visited = CanvasPens(theme).visited_brush.color()
    for token in ("text", "muted", "activetext", "work", "closure", "verification"):
        assert contrast(theme.color(token), visited) >= TEXT, token


def test_edges_in_every_look(theme: Theme) -> None:
    for (look, _dashed, _far), pen in CanvasPens(theme).edge_pens.items():
        assert contrast(pen.color(), theme.color("canvas")) >= MARK, look


def test_the_style_sheet_has_tokens_only(theme: Theme) -> None:
    style = resource("themes", "window.qss").read_text("utf-8")
    bare = re.sub(r"^\s*[^{}]*\{", "{", style, flags=re.MULTILINE)  # names of widgets begin with a hash, too
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(", bare) == []
    for token in set(TOKENS.findall(style)) - set(NO_TOKENS):
        theme.color(token)
    assert "@" not in theme.style_sheet()


def test_every_rule_of_the_style_sheet_can_be_read(theme: Theme) -> None:
    for selector, color, ground in painted(theme):
        assert contrast(color, ground) >= TEXT, selector


def test_what_is_disabled_is_fainter_and_can_be_read(theme: Theme) -> None:
    style = resource("themes", "window.qss").read_text("utf-8")
    colors = {
        selector.strip(): theme.color(color.group(1))
        for selector, body in RULE.findall(style)
        if ":disabled" in selector and (color := re.search(r"(?<![-\w])color: @(\w+)", body))
    }
    assert {each for each, color in colors.items() if contrast(color, theme.color("surface")) < MARK} == set()
    usual = contrast(theme.color("muted"), theme.color("surface"))
    assert contrast(colors["QTabBar::tab:disabled"], theme.color("surface")) < 0.75 * usual


def ground_of(theme: Theme, token: str) -> QColor:
    return theme.selected if token == "selected" else theme.color(token)


def painted(theme: Theme) -> Iterator[tuple[str, QColor, QColor]]:
    """The rules with both a text colour and a ground. What is switched off may be faint."""
    style = resource("themes", "window.qss").read_text("utf-8")
    for selector, body in RULE.findall(style):
        values = dict(part.split(":", 1) for part in body.split(";") if ":" in part)
        named = {key.strip(): TOKENS.search(value) for key, value in values.items()}
        color, ground = named.get("color"), named.get("background")
        if color and ground and ":disabled" not in selector:
            yield selector.strip(), theme.color(color.group(1)), ground_of(theme, ground.group(1))
        chosen, behind = named.get("selection-color"), named.get("selection-background-color")
        if chosen and behind:
            yield selector.strip(), theme.color(chosen.group(1)), theme.color(behind.group(1))
