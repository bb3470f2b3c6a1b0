"""The graph of a flow as an SVG picture that needs nothing else: no fonts, styles, scripts or files."""

from collections.abc import Iterator, Mapping, Sequence
from math import atan2

from stepflow_gui.export.card import (
    BAND,
    ICON,
    ID_BASE,
    ID_SIZE,
    KIND_SIZE,
    LEFT,
    RIGHT,
    ROW,
    ROW_PAD,
    TITLE_BASE,
    TITLE_SIZE,
    CardGeometry,
    card_of,
)
from stepflow_gui.export.options import ExportOptions
from stepflow_gui.export.outcome_signs import SIGN_ROOM, dashes, outcome_of, sign, width_in
from stepflow_gui.export.overlay import NO_OVERLAY, FindingCounts, Overlay
from stepflow_gui.export.palette import Palette
from stepflow_gui.export.pill_shape import VISITED, PillLook, loop_moves, pill_shape, visited_colour
from stepflow_gui.export.placement import picture_layout
from stepflow_gui.export.svg_shapes import arrow, dashed, escaped, icon, id_text, num, rect, text_line
from stepflow_gui.flow.entry_regions import regions
from stepflow_gui.flow.layout import Box, EntryMark, Layout, NodeId, Route, curves, lay_out
from stepflow_gui.flow.layout.captions import elided, text_width, visible
from stepflow_gui.flow.layout.dimensions import LABEL_HEIGHT, LINE_HEIGHT
from stepflow_gui.flow.model import Flow, Move, Step, is_dynamic
from stepflow_gui.flow.stages import named_areas
from stepflow_gui.formats.step_card import kind_of, sign_of
from stepflow_gui.formats.takt.card import is_good_end
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder

MARK = "<!-- Stepflow -->"

_SANS = "system-ui, sans-serif"
_MARGIN = 28.0
_CORNER = 8.0
_LABEL_SIZE = 11.0
_LINE = 1.6
_AROUND = 14.0  # a ground reaches over its step
_GROUNDS = ("accent", "closure", "verification", "work")
_SEVERITIES = ("error", "warning", "info")
_NOMINAL = ' stroke-dasharray="2.4 4.8"'
_BACK = ' stroke-dasharray="12 7"'  # against the flow


def svg_of(agent: AgentFolder, options: ExportOptions) -> str:
    """The picture of an agent as the text of an SVG file."""
    return flow_svg(
        agent.flow,
        palette=options.palette,
        overlay=options.overlay,
        verdict=agent.verdict,
        layout=picture_layout(agent, options.positions, loops=options.loops),
        scale=options.scale,
    )


def flow_svg(
    flow: Flow,
    *,
    palette: Palette | None = None,
    overlay: Overlay = NO_OVERLAY,
    verdict: str | None = None,
    layout: Layout | None = None,
    scale: float = 1.0,
) -> str:
    """The picture as the text of an SVG file, light unless the palette is another, `scale` times as large.

    `verdict` is the agent's verdict type: entries that it doesn't use are drawn muted. Without `layout` the flow is
    laid out here; one that is given must be of this flow and of `card_of` sizes.
    """
    cards = {step.id: card_of(step) for step in flow.steps.values()}
    if layout is None:
        layout = lay_out(flow, {step_id: card.size for step_id, card in cards.items()}, width_in(flow))
    name = flow.agent_id.value if flow.agent_id else ""
    picture = _Picture(flow, layout, cards, palette or Palette(dark=False), overlay)
    body = [
        *picture.bands(),
        *picture.grounds(),
        *(picture.edge(route) for route in layout.routes),
        *(picture.label(route) for route in layout.routes),
        *(picture.entry(mark, used=_is_used(flow, mark, verdict)) for mark in layout.entries),
        *picture.nodes(),
    ]
    area = layout.bounds
    for _name, band in named_areas(flow, layout.steps):
        area = area.around(band)
    return _document(picture.palette, layout, area.grown(_MARGIN), visible(name), body, scale)


def _is_used(flow: Flow, mark: EntryMark, verdict: str | None) -> bool:
    return verdict is None or flow.entry_target(verdict) == mark.target.name


def _document(palette: Palette, layout: Layout, area: Box, name: str, body: list[str], scale: float) -> str:
    if not layout.boxes:
        area = Box(0, 0, 320, 120)
        body = [text_line(160, 64, _("This registry has no steps."), 13, palette["muted"], anchor="middle")]
    size = f'width="{num(area.width)}" height="{num(area.height)}"'
    view = f"{num(area.x)} {num(area.y)} {num(area.width)} {num(area.height)}"
    shown = f'width="{num(area.width * scale)}" height="{num(area.height * scale)}"'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {shown} viewBox="{view}" role="img" font-family="{_SANS}">',
        MARK,
        f"<title>{escaped(_('Step flow of {agent}').format(agent=name) if name else _('Step flow'))}</title>",
        f'<rect x="{num(area.x)}" y="{num(area.y)}" {size} fill="{palette["canvas"]}"/>',
    ]
    return "\n".join([*head, *body, "</svg>", ""])


class _Picture:
    """Draws the parts of one flow."""

    def __init__(
        self, flow: Flow, layout: Layout, cards: Mapping[str, CardGeometry], palette: Palette, overlay: Overlay
    ) -> None:
        self.palette = palette
        self._flow = flow
        self._layout = layout
        self._cards = cards
        self._overlay = overlay
        self._taken = overlay.taken_between(layout)
        self._regions = regions(flow, [mark.target for mark in layout.entries])

    def _ground(self, step: str) -> str | None:
        """The colour of the region that a step is in, which only one of several entries reaches."""
        number = self._regions.get(step)
        return None if number is None else self.palette.mix(_GROUNDS[number % len(_GROUNDS)], "canvas", 0.1)

    def bands(self) -> Iterator[str]:
        for name, area in named_areas(self._flow, self._layout.steps):
            yield rect(area, _CORNER, self.palette.mix("surface", "canvas", 0.5), self.palette["line"])
            yield text_line(area.x + 14, area.y + 18, name, KIND_SIZE, self.palette["muted"], weight=600)

    def grounds(self) -> Iterator[str]:
        for step, box in self._layout.steps.items():
            colour = self._ground(step)
            if colour is not None:
                yield rect(box.grown(_AROUND), _CORNER + _AROUND / 2, colour)

    def nodes(self) -> Iterator[str]:
        headed = False
        sections = [box for step, box in self._layout.steps.items() if self._flow.steps[step].is_section]
        for node, box in self._layout.boxes.items():
            if node.kind == "end":
                yield self._named_end(node, box) if node.word else self._end(box)
            elif node.kind == "ghost":
                yield self._ghost(node, box)
            else:
                step = self._flow.steps[node.name]
                if step.is_section and not headed:
                    headed = True
                    x, y = min(box.x for box in sections), min(box.y for box in sections) - 12
                    yield text_line(x, y, _("Prompt sections"), KIND_SIZE, self.palette["muted"], weight=600)
                yield self._step(step, box, self._cards[node.name])

    def _look(self, route: Route) -> tuple[str, float, int]:
        """Colour and width of an edge, and how often runs took it."""
        times = self._taken.get((route.source, route.target), 0)
        if not times:
            if route.nominal:
                return self.palette.mix("edge", "canvas", 0.55), _LINE, 0
            failing = outcome_of(self._flow, route) in {"failed", "fallback"}
            return self.palette["verification" if failing else "edge"], _LINE, 0
        return visited_colour(times, self.palette), _LINE + 0.2 * min(times, len(VISITED)), times

    def _is_dead(self, moves: Sequence[Move]) -> bool:
        """Whether no answer makes these moves: the gate never lets its intents through, or their contract is broken."""
        return all(
            (move.step, move.intent) in self._overlay.broken
            or not _listed(self._flow.steps.get(move.step), move.intent)
            for move in moves
        )

    def edge(self, route: Route) -> str:
        colour, width, _times = self._look(route)
        if self._is_dead(route.moves):
            dash = dashed(width)
        else:
            dash = _NOMINAL if route.nominal else dashes(outcome_of(self._flow, route), width)
            dash = dash or (_BACK if route.back else "")
        *before, last = route.bends
        short = last._replace(x=last.x - last.dx * 6, y=last.y - last.dy * 6)
        path = "".join(
            (f"M{num(a[0])} {num(a[1])}" if number == 0 else "")
            + f"C{num(b[0])} {num(b[1])} {num(c[0])} {num(c[1])} {num(d[0])} {num(d[1])}"
            for number, (a, b, c, d) in enumerate(curves([*before, short]))
        )
        line = f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{num(width)}"{dash}/>'
        return line + arrow(last.x, last.y, atan2(last.dy, last.dx), colour)

    def label(self, route: Route) -> str:
        box = route.label_box
        colour, _width, times = self._look(route)
        if box is None or (times < 2 and self._can_be_read(route)):
            return ""
        lines = [*route.lines[:-1], f"{route.lines[-1]} ×{times}" if times > 1 else route.lines[-1]]
        outcome = outcome_of(self._flow, route)
        room = SIGN_ROOM if outcome else 0.0
        across = max(box.width, max(text_width(line, _LABEL_SIZE) for line in lines) + 10 + room)
        left = box.x if route.kind == "loop" else box.middle - across / 2
        chip = f'<rect x="{num(left)}" y="{num(box.y)}" width="{num(across)}" height="{num(box.height)}"'
        chip += f' rx="4" fill="{self.palette["canvas"]}"/>'
        shown = colour if times else self.palette["muted"]
        chip += sign(outcome, left + 5, box.y + LABEL_HEIGHT / 2, self.palette) if outcome else ""
        if len(lines) == 1:
            return chip + text_line(
                left + (across + room) / 2, box.y + 13, lines[0], _LABEL_SIZE, shown, anchor="middle"
            )
        tops = (box.y + 13 + LINE_HEIGHT * at for at in range(len(lines)))
        return chip + "".join(
            text_line(left + 5 + room, top, line, _LABEL_SIZE, shown) for top, line in zip(tops, lines, strict=True)
        )

    def _can_be_read(self, route: Route) -> bool:
        """Whether the pill that an edge begins at says all that its label does."""
        pills = self._cards[route.source.name].pills
        plain = len(route.lines) == 1 and route.kind != "loop" and not outcome_of(self._flow, route)
        return plain and route.label in {pill.text for pill in pills if pill.intent is not None}

    def entry(self, mark: EntryMark, *, used: bool) -> str:
        first, last = mark.bends
        x, y = mark.dot
        edge, accent = self.palette["edge"], self.palette["accent"]
        ground = self._ground(mark.target.name)
        plate = Box(mark.box.x - 3, mark.box.y - 1, x + 10 - mark.box.x, mark.box.height + 2)
        text = self.palette["text" if used else "muted"]
        return (
            (rect(plate, _CORNER, ground) if ground else "")
            + text_line(mark.box.right, mark.box.y + 13, mark.label, _LABEL_SIZE, text, anchor="end")
            + f'<circle cx="{num(x)}" cy="{num(y)}" r="6" fill="{accent if used else self.palette["canvas"]}"'
            + f' stroke="{accent}" stroke-width="2"/>'
            + f'<path d="M{num(first.x)} {num(first.y)}H{num(last.x - 6)}" stroke="{edge}"'
            + f' stroke-width="{num(_LINE)}"/>'
            + arrow(last.x, last.y, 0.0, edge)
        )

    def _end(self, box: Box) -> str:
        x, y, radius = num(box.middle), num(box.y + box.height / 2), box.width / 2
        colour = self.palette["closure"]
        return (
            f'<circle cx="{x}" cy="{y}" r="{num(radius - 1)}" fill="{self.palette["canvas"]}" stroke="{colour}"'
            f' stroke-width="2"><title>{escaped(_("End"))}</title></circle>'
            f'<circle cx="{x}" cy="{y}" r="{num(radius * 0.6)}" fill="{colour}"/>'
        )

    def _named_end(self, node: NodeId, box: Box) -> str:
        colour = self.palette["closure" if is_good_end(node.word) else "error"]
        inner = Box(box.x + 1, box.y + 1, box.width - 2, box.height - 2)
        text = text_line(
            box.middle, box.y + box.height / 2 + 4, node.word, KIND_SIZE, colour, anchor="middle", weight=600
        )
        return rect(inner, inner.height / 2, self.palette["canvas"], colour, width=2) + text

    def _ghost(self, node: NodeId, box: Box) -> str:
        colour = self.palette["error"]
        shown = visible(node.name)
        title = _("There is no step “{step}”").format(step=shown)
        name = elided(shown, box.width - 16, ID_SIZE, mono=True)
        return (
            f"<g><title>{escaped(title)}</title>"
            + rect(box, _CORNER, self.palette["canvas"], colour, dash=dashed(1.4), width=1.4)
            + id_text(box.middle, box.y + box.height / 2 + 4, name, colour, "middle")
            + "</g>"
        )

    def _step(self, step: Step, box: Box, card: CardGeometry) -> str:
        palette = self.palette
        found = self._overlay.found.get(step.id, FindingCounts())
        visits = self._overlay.visits.get(step.id, 0)
        parts = [
            f'<g transform="translate({num(box.x)} {num(box.y)})">',
            f"<title>{escaped(_described(step, card, found))}</title>",
        ]
        frame = Box(0.5, 0.5, card.width - 1, card.height - 1)
        quiet = step.is_section
        fill = palette.mix("active", "surface", 0.07) if visits else palette["surface"]
        parts.append(rect(frame, _CORNER, palette.mix("surface", "canvas", 0.5) if quiet else fill, palette["line"]))
        token = kind_of(step)
        kind = palette[token] if token else palette["edge"]
        parts.append(f'<path d="{_band(card.height)}" fill="{kind}"/>')
        parts.append(
            text_line(LEFT, TITLE_BASE, card.title, TITLE_SIZE, palette["muted" if quiet else "text"], weight=600)
        )
        parts.append(id_text(LEFT, ID_BASE, card.caption, palette["muted"]))
        parts += self._rows(card)
        right = card.width - RIGHT
        if card.kind:
            parts.append(icon(f"kind-{token}", card.kind_x, card.kind_base - 11, kind))
            parts.append(text_line(card.kind_x + ICON + 4, card.kind_base, card.kind, KIND_SIZE, kind, weight=600))
            if card.kind_base == ID_BASE:
                right = card.kind_x - 8
        if visits > 1:
            parts.append(
                text_line(right, ID_BASE, f"×{visits}", KIND_SIZE, palette["activetext"], anchor="end", weight=600)
            )
        shown = {pill.intent for pill in card.pills}
        hidden = any(at == step.id and intent not in shown for at, intent in self._overlay.broken)
        loops = loop_moves(step)
        for pill in card.pills:
            broken = hidden if pill.intent is None else (step.id, pill.intent) in self._overlay.broken
            loop = loops.get(pill.intent or "", []) if pill.loop else []
            dynamic = pill.intent is not None and is_dynamic(step, pill.intent)
            dead = bool(loop) and self._is_dead(loop)
            times = sum(self._overlay.taken.get((move.step, move.intent, move.case), 0) for move in loop)
            look = PillLook(broken, dynamic or dead, sign_of(self._flow, loop) if loop else "", times)
            parts.append(pill_shape(pill, card.pill_top, look, loop, palette))
        parts.append(self._badge(card.width, found))
        parts.append("</g>")
        return "".join(parts)

    def _rows(self, card: CardGeometry) -> Iterator[str]:
        palette = self.palette
        for number, row in enumerate(card.rows, 1):
            base = ID_BASE + ROW * number - 1
            left = LEFT + (ROW_PAD if row.boxed else 0.0)
            if row.boxed:
                frame = Box(LEFT + 0.5, base - 12.5, card.width - LEFT - RIGHT - 1, ROW - 4)
                yield rect(frame, 4, "none", palette["line"])
            yield icon(f"kind-{row.icon}", left, base - 11, palette[row.icon])
            yield id_text(left + ICON + 4, base, row.text, palette["text" if row.boxed else "muted"])

    def _badge(self, width: float, found: FindingCounts) -> str:
        # The shape shows the severity too: round for errors, square for warnings, hollow for infos.
        severity, count = next(
            ((token, count) for token, count in zip(_SEVERITIES, found, strict=True) if count), ("", 0)
        )
        if not severity:
            return ""
        text = str(count) if count < 100 else "99+"
        across = 18 + 6 * (len(text) - 1)
        box = Box(min(width - across / 2, width + 11 - across), -9, across, 18)
        colour = self.palette[severity]
        hollow = severity == "info"
        inner = Box(box.x + 0.75, box.y + 0.75, box.width - 1.5, box.height - 1.5)
        fill = self.palette["surface"] if hollow else colour
        shape = rect(inner, 4 if severity == "warning" else 8.25, fill, colour, width=1.5)
        ink = colour if hollow else self.palette["onmark"]
        return shape + text_line(box.middle, box.y + 13, text, KIND_SIZE, ink, anchor="middle", weight=700)


def _listed(step: Step | None, intent: str) -> bool:
    return step is None or step.gate is None or step.gate.allows(intent)


def _described(step: Step, card: CardGeometry, found: FindingCounts) -> str:
    parts = [visible(step.id), card.kind]
    parts += [f"{rule.intent} → {rule.target.value}" for rule in step.transitions if rule.target]
    if found.errors:
        parts.append(_("errors: {count}").format(count=found.errors))
    if found.warnings:
        parts.append(_("warnings: {count}").format(count=found.warnings))
    return ", ".join(visible(part) for part in parts if part)


def _band(height: float) -> str:
    """The strip at the left of a card, following its corners."""
    inner = num((_CORNER**2 - (_CORNER - BAND) ** 2) ** 0.5)
    top, bottom = num(_CORNER - float(inner)), num(height - _CORNER + float(inner))
    corner = f"A{num(_CORNER)} {num(_CORNER)} 0 0 "
    return f"M{num(BAND)} {top}{corner}0 0 {num(_CORNER)}V{num(height - _CORNER)}{corner}0 {num(BAND)} {bottom}Z"
