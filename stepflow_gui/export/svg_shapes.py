"""The shapes that pictures consist of, as text of an SVG file."""

from math import cos, sin
from xml.sax.saxutils import escape

from stepflow_gui.export.card import ICON, ID_SIZE
from stepflow_gui.export.palette import icon_shapes
from stepflow_gui.flow.layout import Box
from stepflow_gui.flow.layout.captions import visible

_MONO = "monospace"
_ARROW = (9.0, 4.0)  # length, half width


def icon(name: str, x: float, y: float, colour: str) -> str:
    """An icon by its name, its top left corner there."""
    shapes = icon_shapes(name).replace("currentColor", colour)
    pen = f'fill="none" stroke="{colour}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"'
    return f'<g transform="translate({num(x)} {num(y)}) scale({num(ICON / 16)})" {pen}>{shapes}</g>'


def arrow(x: float, y: float, angle: float, colour: str) -> str:
    """A filled arrow head that points along an angle (radians) with its tip there."""
    length, half = _ARROW
    back_x, back_y = x - length * cos(angle), y - length * sin(angle)
    aside_x, aside_y = -sin(angle) * half, cos(angle) * half
    return (
        f'<path d="M{num(x)} {num(y)}L{num(back_x + aside_x)} {num(back_y + aside_y)}'
        f'L{num(back_x - aside_x)} {num(back_y - aside_y)}Z" fill="{colour}"/>'
    )


def rect(box: Box, corner: float, fill: str, stroke: str = "", dash: str = "", width: float = 1) -> str:
    """A rectangle with round corners."""
    line = f' stroke="{stroke}" stroke-width="{num(width)}"{dash}' if stroke else ""
    return (
        f'<rect x="{num(box.x)}" y="{num(box.y)}" width="{num(box.width)}" height="{num(box.height)}"'
        f' rx="{num(corner)}" fill="{fill}"{line}/>'
    )


def dashed(width: float) -> str:
    """The dash pattern of the canvas, which is in widths of the pen."""
    return f' stroke-dasharray="{num(4 * width)} {num(3 * width)}"'


def text_line(
    x: float, y: float, text: str, size: float, colour: str, *, anchor: str = "start", weight: int = 400
) -> str:
    """A line of text, its base line there."""
    bold = f' font-weight="{weight}"' if weight != 400 else ""
    place = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return (
        f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}" fill="{colour}"{bold}{place}>{escaped(text)}</text>'
    )


def id_text(x: float, y: float, text: str, colour: str, anchor: str = "start") -> str:
    """An id, in the monospaced font."""
    return f'<g font-family="{_MONO}">{text_line(x, y, text, ID_SIZE, colour, anchor=anchor)}</g>'


def escaped(text: str) -> str:
    """A text of a file for markup."""
    return escape(visible(text))


def num(number: float) -> str:
    """A number with two decimals at most."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
