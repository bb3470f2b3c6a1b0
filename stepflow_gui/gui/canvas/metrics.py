"""How large a node is and where its texts and pills go: measured once with the fonts it is painted in.

All lengths are scene units (pixels at 100 %), from the node's top left corner.
"""

import threading
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.checks.card import ports_of
from stepflow_gui.formats.step_card import CardRow, caption_of, kind_word, loops_of, pill_words, rows_of
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font

MIN_WIDTH = 216.0
MAX_WIDTH = 320.0
HEIGHT = 74.0
CORNER = 8.0
BAND = 6.0
LEFT = 18.0
RIGHT = 12.0
TITLE_BASE = 22.0
ID_BASE = 40.0
ID_TOP = 27.0  # between the name and the id
PILL_TOP = 48.0  # where there are no rows above them
ROW = 20.0  # what a check or a sub-step makes the node higher
PILL_HEIGHT = 18.0
PILL_GAP = 6.0
PILL_PAD = 8.0
LOOP_ROOM = 12.0  # in a pill for the sign that its intent comes back to the step
ROW_PAD = 6.0  # inside the frame of a sub-step
PLUS = 16.0
ICON = 14.0
SMALL = 0.45  # below this zoom names are as small as can be read
FAR_LINE, SMALL_LINE = 15.0, 13.0  # pixels of the screen that a line of a name takes from afar
_KNOWN = 1 << 15  # texts and nodes whose measures are kept: fewer than a flow has would be of no use
_GRID = 4.0
_KIND_GAP = 12.0
VISITS = 34.0  # at the right of the id, for a run's visit count; kept free where the kind is above


class Pill(NamedTuple):
    """An intent at the bottom of a node: a port. `intent` None: the `+n` in place of the last ones."""

    intent: str | None
    text: str
    rect: QRectF
    loop: bool = False  # it comes back to its own step, at least in some cases


class PillTexts(NamedTuple):
    """What is special about the pills of a step: those without a target yet, those that come back, what they say."""

    spare: frozenset[str] = frozenset()
    loops: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()  # in the order of the intents; empty: the intents


_PLAIN = PillTexts()


class NodeShape(NamedTuple):
    """A measured node."""

    width: float
    height: float
    title: str
    name: str  # the whole title
    caption: str  # the id, elided in its middle where it is too long
    caption_width: float
    kind: str
    kind_width: float
    kind_base: float  # the base line of the kind
    pills: tuple[Pill, ...]
    ports: dict[str, float]  # x of the port of each intent, hidden ones included
    rows: tuple[CardRow, ...] = ()  # above the pills: what judges the step, its sub-steps
    spare: frozenset[str] = frozenset()  # of the intents those without a target yet

    @property
    def rect(self) -> QRectF:
        """The node's frame."""
        return QRectF(0, 0, self.width, self.height)

    @property
    def pill_top(self) -> float:
        """Where the pills begin."""
        return PILL_TOP + ROW * len(self.rows)

    @property
    def plus(self) -> QRectF:
        """The port for new intents, half below the node's right corner: no pill has to make room for it."""
        return QRectF(self.width - RIGHT - PLUS, self.height - PLUS / 2, PLUS, PLUS)

    @property
    def hidden(self) -> tuple[str, ...]:
        """The intents that the `+n` replaces."""
        shown = {pill.intent for pill in self.pills}
        return tuple(intent for intent in self.ports if intent not in shown)

    def pill_at(self, x: float, y: float) -> Pill | None:
        """The pill under a point of the node."""
        if not self.pill_top - 2 <= y <= self.height:
            return None
        return next((pill for pill in self.pills if pill.rect.left() - 2 <= x <= pill.rect.right() + 2), None)


class NodeFonts(NamedTuple):
    """The fonts of nodes and edges."""

    title: QFont
    far_title: QFont  # at low zoom, in pixels of the screen; the title has the node to itself
    small_title: QFont  # at lower zoom
    caption: QFont
    kind: QFont
    pill: QFont
    label: QFont
    badge: QFont


class _Metrics(NamedTuple):
    title: QFontMetricsF
    caption: QFontMetricsF
    kind: QFontMetricsF
    pill: QFontMetricsF
    label: QFontMetricsF


@lru_cache(maxsize=1)
def fonts() -> NodeFonts:
    """The fonts, made once the application is there."""
    bold, semibold = QFont.Weight.Bold, QFont.Weight.DemiBold
    return NodeFonts(
        title=ui_font(13, semibold),
        far_title=ui_font(12, semibold),
        small_title=ui_font(11, semibold),
        caption=mono_font(11),
        kind=ui_font(11, semibold),
        pill=ui_font(11),
        label=ui_font(11),
        badge=ui_font(11, bold),
    )


class _OwnMetrics(threading.local):
    """The metrics of one thread: Qt shares no font between threads."""

    def __init__(self) -> None:
        chosen = fonts()
        names = ("title", "caption", "kind", "pill", "label")
        self.all = _Metrics(*(QFontMetricsF(_own(getattr(chosen, name))) for name in names))


def _own(font: QFont) -> QFont:
    """The same font with nothing in common with the one given."""
    own = QFont(font)
    own.setUnderline(not font.underline())  # which takes what they share apart
    own.setUnderline(font.underline())
    return own


@lru_cache(maxsize=1)
def _metrics_of_threads() -> _OwnMetrics:
    return _OwnMetrics()


def _metrics() -> _Metrics:
    return _metrics_of_threads().all


@lru_cache(maxsize=_KNOWN)
def label_width(text: str) -> float:
    """The width of an edge's label."""
    return _metrics().label.horizontalAdvance(text)


def elided_id(step_id: str, width: float) -> str:
    """An id in the caption's font, its middle left out where it is wider than `width`."""
    return _metrics().caption.elidedText(one_line(step_id), Qt.TextElideMode.ElideMiddle, width)


def intents_of(step: Step) -> tuple[str, ...]:
    """The intents that a step shows as ports: what its gate or check allows, then what its transitions name besides."""
    allowed = [text.value for text in step.gate.intents] if step.gate else ports_of(step)
    return tuple(dict.fromkeys((*allowed, *(rule.intent for rule in step.transitions))))


def measure(step: Step) -> NodeShape:
    """The node of a step."""
    spare = [intent for intent in ports_of(step) if step.transition(intent) is None]
    intents = intents_of(step)
    texts = (step.title, caption_of(step), kind_word(step), intents)
    return measured(*texts, rows_of(step), PillTexts(frozenset(spare), loops_of(step), pill_words(step, intents)))


@lru_cache(maxsize=_KNOWN)
def measured(
    title: str,
    step_id: str,
    kind: str,
    intents: tuple[str, ...],
    rows: tuple[CardRow, ...] = (),
    pill_texts: PillTexts = _PLAIN,
) -> NodeShape:
    """A node of these texts, wide enough for them within `MIN_WIDTH` and `MAX_WIDTH`."""
    metrics = _metrics()
    spare, loops, words = pill_texts
    words = words or intents
    title, step_id = one_line(title), one_line(step_id)
    kind_width = metrics.kind.horizontalAdvance(kind) + ICON + 4 if kind else 0.0
    beside = kind_width + _KIND_GAP if kind else 0.0
    title_width = metrics.title.horizontalAdvance(title)
    widths = [
        _pill_width(metrics.pill.horizontalAdvance(one_line(word)) + LOOP_ROOM * (intent in loops))
        for intent, word in zip(intents, words, strict=True)
    ]
    row = sum(widths) + PILL_GAP * max(0, len(widths) - 1)
    caption_width = metrics.caption.horizontalAdvance(step_id)
    # A title that would be cut off beside the kind gets its row for itself, if the id leaves the kind room.
    widest = MAX_WIDTH - LEFT - RIGHT
    kind_below = title_width + beside > widest and caption_width + beside <= widest
    in_title, in_caption = (0.0, beside) if kind_below else (beside, VISITS)
    rows = tuple(row._replace(text=one_line(row.text)) for row in rows)
    content = max(
        title_width + in_title,
        caption_width + in_caption,
        row,
        max((metrics.caption.horizontalAdvance(row.text) + beside_row(row) for row in rows), default=0.0),
    )
    width = min(MAX_WIDTH, max(MIN_WIDTH, _on_grid(LEFT + content + RIGHT)))
    room = width - LEFT - RIGHT
    elided = metrics.title.elidedText(title, Qt.TextElideMode.ElideRight, room - in_title)
    caption = metrics.caption.elidedText(step_id, Qt.TextElideMode.ElideMiddle, room - in_caption)
    pills = tuple(_pills(intents, words, widths, room, PILL_TOP + ROW * len(rows), loops))
    ports = {pill.intent: pill.rect.center().x() for pill in pills if pill.intent is not None}
    beyond = pills[-1].rect.center().x() if pills else width / 2
    return NodeShape(
        width=width,
        height=HEIGHT + ROW * len(rows),
        title=elided,
        name=title,
        caption=caption,
        caption_width=metrics.caption.horizontalAdvance(caption),
        kind=kind,
        kind_width=kind_width,
        kind_base=ID_BASE if kind_below else TITLE_BASE,
        pills=pills,
        ports={intent: ports.get(intent, beyond) for intent in intents},
        rows=tuple(row._replace(text=_elided_row(row, room)) for row in rows),
        spare=spare,
    )


def beside_row(row: CardRow) -> float:
    """What a row needs besides its text."""
    return ICON + 4 + (2 * ROW_PAD if row.boxed else 0.0)


def _elided_row(row: CardRow, room: float) -> str:
    return _metrics().caption.elidedText(row.text, Qt.TextElideMode.ElideMiddle, room - beside_row(row))


def one_line(text: str) -> str:
    """A text as one line, so no text of a file breaks the picture."""
    return " ".join(text.split()) if not text.isprintable() else text


class FarName(NamedTuple):
    """A title for low zoom: its font, its lines and how far these are apart, in pixels of the screen."""

    font: QFont
    lines: tuple[str, ...]
    line: float
    beside: float  # what the icon of the kind takes on the left


def far_name(shape: NodeShape, zoom: float) -> FarName:
    """What of a title is read at a low zoom: up to two lines of a size that doesn't become smaller."""
    small = zoom < SMALL
    line = SMALL_LINE if small else FAR_LINE
    beside = ICON + 4 if shape.kind and not small else 0.0
    height, room = (shape.height - 8) * zoom, (shape.width - LEFT - RIGHT) * zoom - beside
    return FarName(
        fonts().small_title if small else fonts().far_title,
        _far_lines(shape.name, int(room), 2 if height >= 2 * line else 1, small),
        line,
        beside,
    )


@lru_cache(maxsize=_KNOWN)
def _far_lines(title: str, room: int, most: int, small: bool) -> tuple[str, ...]:
    """The title in so many lines at most, broken between words where it can be; what is too long is elided."""
    metrics = QFontMetricsF(fonts().small_title if small else fonts().far_title)
    if most == 1 or metrics.horizontalAdvance(title) <= room:
        return (metrics.elidedText(title, Qt.TextElideMode.ElideRight, room),)
    words = title.split(" ")
    first = words[0]
    used = 1
    while used < len(words) and metrics.horizontalAdvance(f"{first} {words[used]}") <= room:
        first = f"{first} {words[used]}"
        used += 1
    if used == len(words) or metrics.horizontalAdvance(first) > room:
        cut = max((at for at in range(1, len(title)) if metrics.horizontalAdvance(title[:at]) <= room), default=1)
        first, rest = title[:cut], title[cut:]
    else:
        rest = " ".join(words[used:])
    return first.rstrip(), metrics.elidedText(rest.lstrip(), Qt.TextElideMode.ElideRight, room)


def _pill_width(text_width: float) -> float:
    return max(28.0, text_width + 2 * PILL_PAD)


def _on_grid(length: float) -> float:
    return -(-length // _GRID) * _GRID


def _pills(
    intents: tuple[str, ...],
    words: tuple[str, ...],
    widths: list[float],
    room: float,
    top: float,
    loops: frozenset[str],
) -> list[Pill]:
    shown = _how_many_fit(widths, room)
    hidden = len(intents) - shown
    free = room - (_more_width(hidden) + PILL_GAP if hidden else 0.0)
    pills: list[Pill] = []
    x = LEFT
    for intent, word, width in zip(intents[:shown], words, widths, strict=False):
        taken = min(width, free - (x - LEFT))
        loop = intent in loops
        wide = taken - PILL_PAD - LOOP_ROOM * loop
        text = _metrics().pill.elidedText(one_line(word), Qt.TextElideMode.ElideMiddle, wide)
        pills.append(Pill(intent, text, QRectF(x, top, taken, PILL_HEIGHT), loop))
        x += taken + PILL_GAP
    if hidden:
        pills.append(Pill(None, f"+{hidden}", QRectF(x, top, _more_width(hidden), PILL_HEIGHT)))
    return pills


def _how_many_fit(widths: list[float], room: float) -> int:
    if sum(widths) + PILL_GAP * max(0, len(widths) - 1) <= room:
        return len(widths)
    used = 0.0
    for at, width in enumerate(widths):
        if used + width + PILL_GAP + _more_width(len(widths) - at - 1 or 1) > room:
            # One pill always shows, shortened if it must be; alone it has the whole row.
            return max(1, at)
        used += width + PILL_GAP
    return len(widths)


def _more_width(hidden: int) -> float:
    return _pill_width(_metrics().pill.horizontalAdvance(f"+{hidden}"))
