"""The canvas's colours, pens and brushes, made once for a theme so that painting makes none."""

from functools import cached_property

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QBrush, QColor, QPen
from PySide6.QtSvg import QSvgRenderer

from stepflow_gui.gui.widgets.theme import Theme

EDGE_WIDTH = 1.6
TAKEN_WIDTH = 2.6
FAR = 0.7  # below this zoom lines have a width in pixels
FAR_SHARE = 0.625  # a line at rest is one pixel wide then, which Qt draws eight times as fast as a wider one
_HEAT_SHARES = (0.07, 0.13, 0.2, 0.28)  # how much of `active` a step has by its level of heat
_VISITED_SHARES = (0.45, 0.6, 0.75)  # how much of `active` an edge has after one, two, three or more visits
_KINDS = ("work", "verification", "closure", "section", "movement", "parallel", "call", "system", "monitor")


def _pen(color: QColor, width: float, *, dashed: bool = False) -> QPen:
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dashed:
        pen.setDashPattern([4.0, 3.0])
    return pen


class CanvasPens:
    """What the items of one canvas paint with."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        color = theme.color
        self.canvas = color("canvas")
        self.surface = color("surface")
        self.text = color("text")
        self.muted = color("muted")
        self.edge = color("edge")
        self.accent = color("accent")
        self.active = color("active")
        self.active_text = color("activetext")
        self.error = color("error")
        self.onmark = color("onmark")
        self.closure = color("closure")
        self.kinds = {kind: color(kind) for kind in _KINDS}
        self.severities = {token: color(token) for token in ("error", "warning", "info")}
        self.surface_brush = QBrush(self.surface)
        self.canvas_brush = QBrush(self.canvas)
        self.section_brush = QBrush(theme.mix("surface", "canvas", 0.5))
        grounds = ("accent", "closure", "verification", "work")
        self.regions = [QBrush(theme.mix(token, "canvas", 0.1)) for token in grounds]
        self.visited_brush = QBrush(theme.mix("active", "surface", 0.07))
        self.heat_brushes = [QBrush(theme.mix("active", "surface", share)) for share in _HEAT_SHARES]
        self.border = _pen(color("line"), 1)
        self.hover_border = _pen(self.edge, 1)
        self.selected_border = _pen(self.accent, 2)
        self.lit_border = _pen(self.accent, 2)
        self.active_ring = _pen(self.active, 3)
        self.pill = _pen(color("muted"), 1)
        self.loop_sign = _pen(color("muted"), 1.4)
        self.pill_dynamic = _pen(color("muted"), 1, dashed=True)
        self.pill_broken = _pen(self.error, 1, dashed=True)
        self.pill_hover = _pen(self.accent, 1.5)
        self.ghost = _pen(self.error, 1.4, dashed=True)
        self.spot = _pen(self.accent, 1.4, dashed=True)
        self.guide = _pen(color("guide"), 1)
        self.guide.setCosmetic(True)
        self.rubber = _pen(self.accent, 2)
        self.end_ring = _pen(self.closure, 2)
        self.bad_end_ring = _pen(self.error, 2)
        self.entry_ring = _pen(self.accent, 2)
        self.signs = {  # of the outcomes of a check, of the user, and of watched cycles
            "passed": _pen(self.closure, 1.8),
            "failed": _pen(color("verification"), 1.8),
            "fallback": _pen(color("verification"), 1.8),
            "user": _pen(self.accent, 1.4),
            "watched": _pen(color("monitor"), 1.4),
        }
        self.wash = color("canvas", 0.62)
        self.trunk = _pen(theme.mix("edge", "canvas", 0.55), 2.4)
        self.trunk_far = _pen(self.trunk.color(), 2.0)
        self.trunk_far.setCosmetic(True)
        self._back_pens: dict[tuple[int, float, bool], QPen] = {}
        self.icons: dict[str, QSvgRenderer] = {}  # by kind

    def kind(self, kind: str) -> QColor:
        """A kind's colour; that of plain edges for steps without one."""
        return self.kinds.get(kind, self.edge)

    def own_icons(self, owner: QObject) -> None:
        """Have the kinds' icons in their colours, to be taken down by Qt with `owner`."""
        self.icons = {kind: self.theme.renderer(f"kind-{kind}", kind) for kind in _KINDS}
        for icon in self.icons.values():
            icon.setParent(owner)

    @cached_property
    def failing_pens(self) -> dict[tuple[str, str, bool], QPen]:
        """Pens of edges that a failed check takes, by outcome, look and whether they are zoomed out."""
        pens = {}
        for (look, dashed, far), pen in self.edge_pens.items():
            for outcome in () if dashed else ("failed", "fallback"):
                own = QPen(pen)
                if look == "rest":
                    own.setColor(self.theme.color("verification"))
                if outcome == "fallback":
                    own.setDashPattern([7.0, 2.5, 1.2, 2.5])
                pens[outcome, look, far] = own
        return pens

    @cached_property
    def nominal_pens(self) -> dict[tuple[str, bool], QPen]:
        """Pens of edges that are declared and never taken, by look and whether they are zoomed out."""
        pens = {}
        for (look, dashed, far), pen in self.edge_pens.items():
            if not dashed:
                own = QPen(pen)
                if look == "rest":
                    own.setColor(self.theme.mix("edge", "canvas", 0.55))
                own.setDashPattern([1.5, 3.0])
                pens[look, far] = own
        return pens

    def going_back(self, pen: QPen) -> QPen:
        """The pen of an edge that goes back up: as it is, but dashed."""
        key = (pen.color().rgba(), pen.widthF(), pen.isCosmetic())
        if key not in self._back_pens:
            self._back_pens[key] = QPen(pen)
            self._back_pens[key].setDashPattern([7.0, 4.0])
        return self._back_pens[key]

    @cached_property
    def edge_pens(self) -> dict[tuple[str, bool, bool], QPen]:
        """Pens by an edge's look (`edge_look`), whether it is dashed, and whether it is zoomed out.

        Zoomed out, lines keep a width in pixels, so they don't fade away.
        """
        looks: dict[str, tuple[QColor, float]] = {
            "rest": (self.edge, EDGE_WIDTH),
            "hover": (self.text, EDGE_WIDTH),
            "selected": (self.accent, 2.4),
            "taken": (self.active, TAKEN_WIDTH),
        }
        for at, share in enumerate(_VISITED_SHARES, 1):
            looks[f"visited{at}"] = (self.theme.mix("active", "edge", share), EDGE_WIDTH + 0.2 * at)
        pens = {}
        for look, (color, width) in looks.items():
            for dashed in (False, True):
                near = _pen(color, width, dashed=dashed)
                far = _pen(color, width * FAR_SHARE, dashed=dashed)
                far.setCosmetic(True)
                pens[look, dashed, False] = near
                pens[look, dashed, True] = far
        return pens


def edge_look(*, selected: bool, hovered: bool, taken: bool, visits: int) -> str:
    """Which of an edge's looks wins."""
    if taken:
        return "taken"
    if selected:
        return "selected"
    if visits:
        return f"visited{min(visits, len(_VISITED_SHARES))}"
    return "hover" if hovered else "rest"
