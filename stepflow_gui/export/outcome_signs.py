"""How pictures distinguish the outcomes of checks: a tick or a cross before the label, and a line of their own."""

from stepflow_gui.export.palette import Palette
from stepflow_gui.flow.layout.captions import label_width
from stepflow_gui.flow.layout.dimensions import TextWidth
from stepflow_gui.flow.layout.shapes import Route
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.step_card import Sign, has_signs, sign_of

SIGN_ROOM = 13.0  # before a label
_SIZE = 8.0


def outcome_of(flow: Flow, route: Route) -> Sign:
    """After which outcome of a check an edge is taken, that it needs the user, or is watched."""
    return sign_of(flow, route.gone)


def width_in(flow: Flow) -> TextWidth:
    """The width of labels in a picture of a flow."""
    return _signed_width if has_signs(flow) else label_width


def sign(outcome: Sign, left: float, middle: float, palette: Palette) -> str:
    """The sign, its left edge and middle there."""
    top, size = middle - _SIZE / 2, _SIZE
    if outcome == "user":
        return _person(left, top, palette["accent"])
    if outcome == "watched":
        return round_arrow(left, top, palette["monitor"])
    if outcome == "passed":
        path = f"M{left} {top + size * 0.55}l{size * 0.36} {size * 0.37}l{size * 0.64} {-size * 0.84}"
    else:
        inner = size - 1.6
        path = f"M{left + 0.8} {top + 0.8}l{inner} {inner}m0 {-inner}l{-inner} {inner}"
    colour = palette["closure" if outcome == "passed" else "verification"]
    return f'<path d="{_short(path)}" fill="none" stroke="{colour}" stroke-width="1.8"/>'


def dashes(outcome: Sign, width: float) -> str:
    """The dash pattern of the line: that of a fallback alone isn't solid."""
    if outcome != "fallback":
        return ""
    pattern = " ".join(f"{part * width:g}" for part in (7.0, 2.5, 1.2, 2.5))
    return f' stroke-dasharray="{pattern}"'


def _person(left: float, top: float, colour: str) -> str:
    head = f"M{left + 2.2:.2f} {top + 1.3:.2f}a1.8 1.8 0 1 1 3.6 0a1.8 1.8 0 1 1 -3.6 0"
    path = f"{head}M{left:.2f} {top + _SIZE + 0.5:.2f}a4 3.6 0 0 1 {_SIZE} 0"
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.4"/>'


def round_arrow(left: float, top: float, colour: str) -> str:
    """An arrow round: something comes back."""
    half = _SIZE / 2
    begin, tip = (left + half * 1.94, top + half * 1.34), (left + half * 1.64, top + half * 0.23)
    path = f"M{begin[0]:.2f} {begin[1]:.2f}A{half} {half} 0 1 1 {tip[0]:.2f} {tip[1]:.2f}"
    head = f"M{tip[0] - _SIZE * 0.42:.2f} {tip[1]:.2f}h{_SIZE * 0.42:.2f}l{-_SIZE * 0.07:.2f} {-_SIZE * 0.42:.2f}"
    return f'<path d="{path}{head}" fill="none" stroke="{colour}" stroke-width="1.4"/>'


def _signed_width(text: str) -> float:
    return label_width(text) + SIGN_ROOM


def _short(path: str) -> str:
    parts = path.replace("M", " M ").replace("l", " l ").replace("m", " m ").split()
    return "".join(part if part.isalpha() else f"{float(part):.2f} " for part in parts).strip()
