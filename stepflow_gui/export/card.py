"""The size of a step's card in a picture, and the places of its texts and pills. Pixels from its top left."""

from typing import NamedTuple

from stepflow_gui.flow.layout import NodeSize
from stepflow_gui.flow.layout.captions import elided, text_width, visible
from stepflow_gui.flow.model import Step
from stepflow_gui.formats.step_card import CardRow, caption_of, kind_word, loops_of, pill_words, rows_of

MIN_WIDTH = 216.0
MAX_WIDTH = 320.0
HEIGHT = 74.0
BAND = 6.0
LEFT = 18.0
RIGHT = 12.0
TITLE_BASE = 22.0
ID_BASE = 40.0
PILL_TOP = 48.0
PILL_HEIGHT = 18.0
ROW = 20.0  # what a check or a sub-step makes the card higher
ROW_PAD = 6.0  # inside the frame of a sub-step
ICON = 14.0
PILL_PAD = 8.0
LOOP_ROOM = 12.0  # in a pill for the sign that its intent comes back to the step
VISITS = 34.0  # right of the id, for how often runs were there
TITLE_SIZE, ID_SIZE, KIND_SIZE, PILL_SIZE = 13.0, 11.0, 11.0, 11.0

_PILL_GAP = 6.0
_KIND_GAP = 12.0
_PILL_LIMIT = 120.0


class PillBox(NamedTuple):
    """An intent; `intent` None for the `+n` that replaces the last ones."""

    intent: str | None
    text: str
    x: float
    width: float
    loop: bool = False  # it comes back to its own step, at least in some cases


class CardGeometry(NamedTuple):
    """A measured step."""

    width: float
    title: str
    caption: str
    kind: str
    kind_x: float
    kind_base: float
    pills: tuple[PillBox, ...]
    intents: tuple[str, ...]
    rows: tuple[CardRow, ...] = ()  # what judges the step, its sub-steps

    @property
    def height(self) -> float:
        """From its top to its bottom."""
        return HEIGHT + ROW * len(self.rows)

    @property
    def pill_top(self) -> float:
        """Where the pills begin."""
        return PILL_TOP + ROW * len(self.rows)

    @property
    def size(self) -> NodeSize:
        """For the layout."""
        shown = {pill.intent: pill.x + pill.width / 2 for pill in self.pills}
        ports = tuple((intent, shown.get(intent, shown.get(None, self.width / 2))) for intent in self.intents)
        return NodeSize(self.width, self.height, ports)


def card_of(step: Step) -> CardGeometry:
    """Measure a step: wide enough for its texts between 216 and 320 pixels, longer ones shortened in the middle."""
    kind = kind_word(step)
    title, caption = visible(step.title), visible(caption_of(step))
    title_width = text_width(title, TITLE_SIZE, bold=True)
    caption_width = text_width(caption, ID_SIZE, mono=True)
    kind_width = ICON + 4 + text_width(kind, KIND_SIZE, bold=True) if kind else 0.0
    beside = kind_width + _KIND_GAP if kind else 0.0
    widest = MAX_WIDTH - LEFT - RIGHT
    below = title_width + beside > widest and caption_width + beside <= widest  # a long title gets its row for itself
    allowed = [text.value for text in step.gate.intents] if step.gate else []
    intents = tuple(dict.fromkeys((*allowed, *(rule.intent for rule in step.transitions))))
    loops, words = loops_of(step), pill_words(step, intents)
    pills = [_pill(intent, word, loop=intent in loops) for intent, word in zip(intents, words, strict=True)]
    row = sum(pill.width + _PILL_GAP for pill in pills) - _PILL_GAP
    in_title, in_caption = (0.0, beside) if below else (beside, VISITS)
    rows = rows_of(step)
    across = max((text_width(visible(row.text), ID_SIZE, mono=True) + _beside(row) for row in rows), default=0.0)
    content = max(title_width + in_title, caption_width + in_caption, row, across)
    width = min(MAX_WIDTH, max(MIN_WIDTH, -(-(LEFT + content + RIGHT) // 4) * 4))
    room = width - LEFT - RIGHT
    return CardGeometry(
        width,
        elided(title, room - in_title, TITLE_SIZE, bold=True),
        elided(caption, room - in_caption, ID_SIZE, mono=True),
        kind,
        width - RIGHT - kind_width,
        ID_BASE if below else TITLE_BASE,
        tuple(_fitting(pills, room)),
        intents,
        tuple(row._replace(text=elided(visible(row.text), room - _beside(row), ID_SIZE, mono=True)) for row in rows),
    )


def _beside(row: CardRow) -> float:
    """What a row needs besides its text."""
    return ICON + 4 + (2 * ROW_PAD if row.boxed else 0.0)


def _pill(intent: str | None, text: str, *, loop: bool = False) -> PillBox:
    shown = elided(visible(text), _PILL_LIMIT, PILL_SIZE)
    width = text_width(shown, PILL_SIZE) + 2 * PILL_PAD + (LOOP_ROOM if loop else 0.0)
    return PillBox(intent, shown, 0, max(28.0, width), loop)


def _fitting(pills: list[PillBox], room: float) -> list[PillBox]:
    """The pills in a row; where they don't all fit, the last ones as one `+n`."""
    for count in range(len(pills), 0, -1):
        rest = len(pills) - count
        shown = [*pills[:count], *([_pill(None, f"+{rest}")] if rest else [])]
        if sum(pill.width + _PILL_GAP for pill in shown) - _PILL_GAP <= room or count == 1:
            break
    else:
        return []
    x = LEFT
    placed = []
    for pill in shown:
        placed.append(pill._replace(x=x))
        x += pill.width + _PILL_GAP
    return placed
