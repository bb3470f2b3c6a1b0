import pytest
from PySide6.QtGui import QFontDatabase, QFontMetricsF
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.canvas.metrics import (
    HEIGHT,
    LEFT,
    MAX_WIDTH,
    MIN_WIDTH,
    RIGHT,
    NodeShape,
    far_name,
    fonts,
    measured,
)

pytestmark = pytest.mark.usefixtures("qapp")


def shape(title: str = "Name", step_id: str = "initial.a", kind: str = "work", *intents: str) -> NodeShape:
    return measured(title, step_id, kind, intents)


def test_a_node_has_its_least_size_where_little_is_in_it() -> None:
    assert (shape().width, shape().height) == (MIN_WIDTH, HEIGHT)


def test_a_long_id_widens_the_node_and_is_shown_whole() -> None:
    long = "continuation.project.processingempty"
    node = shape("Name", long)
    assert MIN_WIDTH < node.width <= MAX_WIDTH
    assert node.caption == long


def test_a_title_that_only_the_kind_would_cut_off_gets_its_row() -> None:
    title = "External State Continuation Prompt"
    while QFontMetricsF(fonts().title).horizontalAdvance(title + "s") < MAX_WIDTH - LEFT - RIGHT:
        title += "s"
    node = shape(title, "continuation.polling", "verification")
    assert node.title == title
    assert node.kind_base > shape().kind_base
    assert shape(title * 2, "x" * 200, "work").kind_base == shape().kind_base  # no room there either


def test_what_is_too_long_is_elided_inside_the_node(qtbot: QtBot) -> None:
    node = shape("Title " * 40, "step." * 40, "verification", "next")
    assert node.width == MAX_WIDTH
    room = MAX_WIDTH - LEFT - RIGHT
    title = QFontMetricsF(fonts().title).horizontalAdvance(node.title)
    assert title + node.kind_width < room
    assert QFontMetricsF(fonts().caption).horizontalAdvance(node.caption) < room
    assert "…" in node.caption.strip("…")  # in its middle


@pytest.mark.parametrize("count", [0, 1, 3, 9, 60])
def test_pills_stay_inside_and_apart_and_the_rest_is_counted(count: int) -> None:
    intents = tuple(f"intent{at}" for at in range(count))
    node = shape("Name", "initial.a", "work", *intents)
    for left, right in zip(node.pills, node.pills[1:], strict=False):
        assert left.rect.right() < right.rect.left()
    assert all(pill.rect.right() <= node.width - RIGHT + 0.01 for pill in node.pills)
    shown = [pill.intent for pill in node.pills if pill.intent is not None]
    assert (*shown, *node.hidden) == intents
    assert [pill.text for pill in node.pills if pill.intent is None] == (
        [f"+{len(node.hidden)}"] if node.hidden else []
    )


def test_every_intent_has_a_port_also_a_hidden_one() -> None:
    intents = tuple(f"intent{at}" for at in range(30))
    node = shape("Name", "initial.a", "work", *intents)
    assert tuple(node.ports) == intents
    assert all(0 < x < node.width for x in node.ports.values())


def test_one_huge_intent_is_shortened() -> None:
    node = shape("Name", "initial.a", "work", "x" * 300, "next")
    assert node.pills[0].intent == "x" * 300
    assert node.pills[-1].rect.right() <= node.width - RIGHT + 0.01
    assert node.hidden == ("next",)


def test_line_ends_in_a_name_do_not_break_the_node() -> None:
    assert shape("Two\nlines\tand tabs").title == "Two lines and tabs"


def test_japanese_is_measured_with_a_font_that_has_it() -> None:
    if not QFontDatabase.families(QFontDatabase.WritingSystem.Japanese):
        pytest.skip("no font has Japanese letters (Debian: apt-get install fonts-noto-cjk)")
    assert shape("課題の最初の調査と計画をまとめる").width > shape("課題").width


def test_a_pill_is_found_under_its_middle_and_nothing_beside_it() -> None:
    node = shape("Name", "initial.a", "work", "next", "repeat")
    first = node.pills[0]
    assert node.pill_at(first.rect.center().x(), first.rect.center().y()) is first
    assert node.pill_at(first.rect.center().x(), 10) is None
    assert node.pill_at(node.width - 2, first.rect.center().y()) is None


@pytest.mark.parametrize(("zoom", "pixels", "lines"), [(0.59, 12, 2), (0.46, 12, 2), (0.44, 11, 2), (0.3, 11, 1)])
def test_names_are_as_large_at_every_low_zoom(zoom: float, pixels: int, lines: int, qtbot: QtBot) -> None:
    node = shape("Verify that each of the commits exists in the repository", "initial.issue", "work", "next")
    name = far_name(node, zoom)
    room = (node.width - LEFT - RIGHT) * zoom
    assert name.font.pixelSize() == pixels
    assert len(name.lines) == lines
    assert len(name.lines) * name.line <= node.height * zoom
    assert all(QFontMetricsF(name.font).horizontalAdvance(line) <= room + 1 for line in name.lines)


def test_a_short_name_is_whole_from_afar(qtbot: QtBot) -> None:
    assert far_name(shape("Verify", "initial.issue", "work", "next"), 0.3).lines == ("Verify",)
