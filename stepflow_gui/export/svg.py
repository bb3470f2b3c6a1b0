"""The graph of a flow as an SVG picture that needs nothing else: no fonts, styles, scripts or files."""

from collections.abc import Iterator, Mapping
from math import atan2, cos, sin
from typing import NamedTuple
from xml.sax.saxutils import escape

from stepflow_gui.export.card import (
    BAND,
    HEIGHT,
    ICON,
    ID_BASE,
    ID_SIZE,
    KIND_SIZE,
    LEFT,
    PILL_HEIGHT,
    PILL_SIZE,
    PILL_TOP,
    RIGHT,
    TITLE_BASE,
    TITLE_SIZE,
    Card,
    card_of,
)
from stepflow_gui.export.palette import Palette, icon_shapes
from stepflow_gui.flow.layout import Box, EntryMark, Layout, NodeId, Route, curves, lay_out
from stepflow_gui.flow.layout.captions import elided, text_width, visible
from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.messages import _

_SANS = "system-ui, sans-serif"
_MONO = "monospace"
_MARGIN = 28.0
_CORNER = 8.0
_LABEL_SIZE = 11.0
_ARROW = (9.0, 4.0)  # length, half width
_LINE = 1.6
_RING_GAP = 5.0


class StepMarks(NamedTuple):
    """What the picture shows at a step besides what the file says."""

    errors: int = 0
    warnings: int = 0
    broken: frozenset[str] = frozenset()  # intents that break the contract
    visits: int = 0


class RunMarks(NamedTuple):
    """What the picture shows of a run: the step that runs, and the edges taken with how often, by their nodes."""

    active: str | None = None
    taken: Mapping[tuple[NodeId, NodeId], int] = {}


def flow_svg(
    flow: Flow,
    *,
    dark: bool = False,
    marks: Mapping[str, StepMarks] | None = None,
    run: RunMarks | None = None,
    layout: Layout | None = None,
) -> str:
    """The picture as the text of an SVG file, light or dark.

    Without `layout` the flow is laid out here; one that is given must be of this flow and of `card_of` sizes.
    """
    cards = {step.id: card_of(step) for step in flow.steps.values()}
    if layout is None:
        layout = lay_out(flow, {step_id: card.size for step_id, card in cards.items()})
    name = flow.agent_id.value if flow.agent_id else ""
    picture = _Picture(Palette(dark=dark), run or RunMarks())
    body = [
        *(picture.edge(route) for route in layout.routes),
        *(picture.label(route) for route in layout.routes if route.label),
        *(picture.entry(mark) for mark in layout.entries),
        *_nodes(flow, layout, cards, marks or {}, picture),
    ]
    return _document(picture.palette, layout, visible(name), body)


def _document(palette: Palette, layout: Layout, name: str, body: list[str]) -> str:
    area = layout.bounds.grown(_MARGIN)
    if not layout.boxes:
        area = Box(0, 0, 320, 120)
        body = [_text(160, 64, _("This registry has no steps."), 13, palette["muted"], anchor="middle")]
    size = f'width="{_n(area.width)}" height="{_n(area.height)}"'
    view = f"{_n(area.x)} {_n(area.y)} {_n(area.width)} {_n(area.height)}"
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{view}" role="img" font-family="{_SANS}">',
        f"<title>{_x(_('Step flow of {agent}').format(agent=name) if name else _('Step flow'))}</title>",
        f'<rect x="{_n(area.x)}" y="{_n(area.y)}" {size} fill="{palette["canvas"]}"/>',
    ]
    return "\n".join([*head, *body, "</svg>", ""])


def _nodes(
    flow: Flow, layout: Layout, cards: Mapping[str, Card], marks: Mapping[str, StepMarks], picture: "_Picture"
) -> Iterator[str]:
    headed = False
    for node, box in layout.boxes.items():
        if node.kind == "end":
            yield picture.end(box)
        elif node.kind == "ghost":
            yield picture.ghost(node, box)
        else:
            step = flow.steps[node.name]
            if step.is_section and not headed:
                headed = True
                yield _text(box.x, box.y - 12, _("Prompt sections"), KIND_SIZE, picture.palette["muted"], weight=600)
            yield picture.step(step, box, cards[node.name], marks.get(node.name, StepMarks()))


class _Picture:
    """Draws the parts."""

    def __init__(self, palette: Palette, run: RunMarks) -> None:
        self.palette = palette
        self.run = run

    def edge(self, route: Route) -> str:
        times = self.run.taken.get((route.source, route.target), 0)
        colour = self.palette["active" if times else "error" if route.kind == "ghost" else "edge"]
        width = _LINE + 0.8 if times else _LINE
        dash = ' stroke-dasharray="5 4"' if route.kind == "ghost" else ""
        *before, last = route.bends
        short = last._replace(x=last.x - last.dx * 6, y=last.y - last.dy * 6)
        path = "".join(
            (f"M{_n(a[0])} {_n(a[1])}" if number == 0 else "")
            + f"C{_n(b[0])} {_n(b[1])} {_n(c[0])} {_n(c[1])} {_n(d[0])} {_n(d[1])}"
            for number, (a, b, c, d) in enumerate(curves([*before, short]))
        )
        line = f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{_n(width)}"{dash}/>'
        return line + _arrow(last.x, last.y, atan2(last.dy, last.dx), colour)

    def label(self, route: Route) -> str:
        times = self.run.taken.get((route.source, route.target), 0)
        box = route.label_box
        text = f"{route.label} ×{times}" if times > 1 else route.label
        colour = self.palette["active" if times else "error" if route.kind == "ghost" else "muted"]
        across = max(box.width, text_width(text, _LABEL_SIZE) + 10)
        chip = f'<rect x="{_n(box.middle - across / 2)}" y="{_n(box.y)}" width="{_n(across)}" height="{_n(box.height)}"'
        chip += f' rx="4" fill="{self.palette["canvas"]}"/>'
        return chip + _text(box.middle, box.y + 13, text, _LABEL_SIZE, colour, anchor="middle")

    def entry(self, mark: EntryMark) -> str:
        first, last = mark.bends
        x, y = mark.dot
        edge, accent = self.palette["edge"], self.palette["accent"]
        return (
            _text(mark.box.right, mark.box.y + 13, mark.label, _LABEL_SIZE, self.palette["text"], anchor="end")
            + f'<circle cx="{_n(x)}" cy="{_n(y)}" r="7" fill="{accent}"/>'
            + f'<path d="M{_n(first.x)} {_n(first.y)}H{_n(last.x - 6)}" stroke="{edge}" stroke-width="{_n(_LINE)}"/>'
            + _arrow(last.x, last.y, 0.0, edge)
        )

    def end(self, box: Box) -> str:
        x, y, radius = _n(box.middle), _n(box.y + box.height / 2), box.width / 2
        colour = self.palette["closure"]
        return (
            f'<circle cx="{x}" cy="{y}" r="{_n(radius - 1)}" fill="{self.palette["canvas"]}" stroke="{colour}"'
            f' stroke-width="2"><title>{_x(_("End"))}</title></circle>'
            f'<circle cx="{x}" cy="{y}" r="{_n(radius * 0.6)}" fill="{colour}"/>'
        )

    def ghost(self, node: NodeId, box: Box) -> str:
        colour = self.palette["error"]
        shown = visible(node.name)
        title = _("There is no step “{step}”").format(step=shown)
        name = elided(shown, box.width - 16, ID_SIZE, mono=True)
        return (
            f"<g><title>{_x(title)}</title>"
            + _rect(box.grown(-0.5), _CORNER, self.palette["canvas"], colour, dash="4 3")
            + _id_text(box.middle, box.y + box.height / 2 + 4, name, colour, "middle")
            + "</g>"
        )

    def step(self, step: Step, box: Box, card: Card, marks: StepMarks) -> str:
        palette = self.palette
        parts = [
            f'<g transform="translate({_n(box.x)} {_n(box.y)})"><title>{_x(_described(step, card, marks))}</title>'
        ]
        frame = Box(0.5, 0.5, card.width - 1, HEIGHT - 1)
        if step.id == self.run.active:
            ring = Box(0, 0, card.width, HEIGHT).grown(_RING_GAP)
            parts.append(_rect(ring, _CORNER + _RING_GAP, "none", palette["active"], width=3))
        quiet = step.is_section
        fill = palette.mix("active", "surface", 0.08) if marks.visits else palette["surface"]
        parts.append(_rect(frame, _CORNER, palette["canvas"] if quiet else fill, palette["line"]))
        kind = palette[card.kind] if card.kind else palette["muted"]
        parts.append(f'<path d="{_band()}" fill="{kind}"/>')
        parts.append(_text(LEFT, TITLE_BASE, card.title, TITLE_SIZE, palette["muted" if quiet else "text"], weight=600))
        parts.append(_id_text(LEFT, ID_BASE, card.caption, palette["muted"]))
        if card.kind:
            parts.append(_icon(f"kind-{card.kind}", card.kind_x, card.kind_base - 11, kind))
            parts.append(_text(card.kind_x + ICON + 4, card.kind_base, card.kind, KIND_SIZE, kind, weight=600))
        if marks.visits > 1:
            x, text = card.width - RIGHT, f"×{marks.visits}"
            parts.append(_text(x, PILL_TOP + 13, text, KIND_SIZE, palette["active"], anchor="end", weight=600))
        parts += [self._pill(pill.text, pill.x, pill.width, broken=pill.intent in marks.broken) for pill in card.pills]
        parts.append(self._badge(card.width, marks))
        parts.append("</g>")
        return "".join(parts)

    def _pill(self, text: str, x: float, width: float, *, broken: bool) -> str:
        colour = self.palette["error" if broken else "text"]
        box = Box(x + 0.5, PILL_TOP + 0.5, width - 1, PILL_HEIGHT - 1)
        frame = _rect(box, PILL_HEIGHT / 2, "none", colour if broken else self.palette["edge"], "3 2" if broken else "")
        return frame + _text(box.middle, PILL_TOP + 13, text, PILL_SIZE, colour, anchor="middle")

    def _badge(self, width: float, marks: StepMarks) -> str:
        # The form says the severity too: round for errors, square for warnings.
        count = marks.errors or marks.warnings
        if not count:
            return ""
        text = str(count) if count < 100 else "99+"
        box = Box(width - 9 - 3 * (len(text) - 1), -9, 18 + 6 * (len(text) - 1), 18)
        colour = self.palette["error" if marks.errors else "warning"]
        return _rect(box, 9 if marks.errors else 4, colour, colour) + _text(
            box.middle, 4, text, 11, self.palette["onmark"], anchor="middle", weight=700
        )


def _described(step: Step, card: Card, marks: StepMarks) -> str:
    parts = [visible(step.id), card.kind]
    parts += [f"{rule.intent} → {rule.target.value}" for rule in step.transitions if rule.target]
    if marks.errors:
        parts.append(_("errors: {count}").format(count=marks.errors))
    if marks.warnings:
        parts.append(_("warnings: {count}").format(count=marks.warnings))
    return ", ".join(visible(part) for part in parts if part)


def _band() -> str:
    """The strip at the left of a card, following its corners."""
    inner = _n((_CORNER**2 - (_CORNER - BAND) ** 2) ** 0.5)
    top, bottom = _n(_CORNER - float(inner)), _n(HEIGHT - _CORNER + float(inner))
    corner = f"A{_n(_CORNER)} {_n(_CORNER)} 0 0 "
    return f"M{_n(BAND)} {top}{corner}0 0 {_n(_CORNER)}V{_n(HEIGHT - _CORNER)}{corner}0 {_n(BAND)} {bottom}Z"


def _icon(name: str, x: float, y: float, colour: str) -> str:
    shapes = icon_shapes(name).replace("currentColor", colour)
    pen = f'fill="none" stroke="{colour}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"'
    return f'<g transform="translate({_n(x)} {_n(y)}) scale({_n(ICON / 16)})" {pen}>{shapes}</g>'


def _arrow(x: float, y: float, angle: float, colour: str) -> str:
    length, half = _ARROW
    back_x, back_y = x - length * cos(angle), y - length * sin(angle)
    aside_x, aside_y = -sin(angle) * half, cos(angle) * half
    return (
        f'<path d="M{_n(x)} {_n(y)}L{_n(back_x + aside_x)} {_n(back_y + aside_y)}'
        f'L{_n(back_x - aside_x)} {_n(back_y - aside_y)}Z" fill="{colour}"/>'
    )


def _rect(box: Box, corner: float, fill: str, stroke: str, dash: str = "", width: float = 1) -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<rect x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}" height="{_n(box.height)}" rx="{_n(corner)}"'
        f' fill="{fill}" stroke="{stroke}" stroke-width="{_n(width)}"{dashed}/>'
    )


def _text(x: float, y: float, text: str, size: float, colour: str, *, anchor: str = "start", weight: int = 400) -> str:
    bold = f' font-weight="{weight}"' if weight != 400 else ""
    place = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" fill="{colour}"{bold}{place}>{_x(text)}</text>'


def _id_text(x: float, y: float, text: str, colour: str, anchor: str = "start") -> str:
    return f'<g font-family="{_MONO}">{_text(x, y, text, ID_SIZE, colour, anchor=anchor)}</g>'


def _x(text: str) -> str:
    return escape(visible(text))


def _n(number: float) -> str:
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
