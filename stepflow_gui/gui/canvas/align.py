"""Aligning and spreading steps: where each goes, without Qt's scene."""

from collections.abc import Mapping
from typing import Literal

from PySide6.QtCore import QRectF

Alignment = Literal["left", "centre", "right", "top", "middle", "bottom", "across", "down"]
Position = tuple[float, float]


def aligned(frames: Mapping[str, QRectF], alignment: Alignment) -> dict[str, Position]:
    """The top left corners, in whole units, of steps that are aligned to the outermost of them or spread evenly.

    Only those that move are given.
    """
    if len(frames) < 2:
        return {}
    around = QRectF()
    for frame in frames.values():
        around = around.united(frame)
    if alignment in {"across", "down"}:
        places = _spread(frames, across=alignment == "across")
    else:
        places = {step: _placed(frame, around, alignment) for step, frame in frames.items()}
    return {
        step: (round(x), round(y))
        for step, (x, y) in places.items()
        if (round(x), round(y)) != (round(frames[step].x()), round(frames[step].y()))
    }


def _placed(frame: QRectF, around: QRectF, alignment: Alignment) -> Position:
    match alignment:
        case "left":
            return around.left(), frame.y()
        case "right":
            return around.right() - frame.width(), frame.y()
        case "centre":
            return around.center().x() - frame.width() / 2, frame.y()
        case "top":
            return frame.x(), around.top()
        case "bottom":
            return frame.x(), around.bottom() - frame.height()
        case _:
            return frame.x(), around.center().y() - frame.height() / 2


def _spread(frames: Mapping[str, QRectF], *, across: bool) -> dict[str, Position]:
    """Even gaps between the first and the last, whose places stay."""
    order = sorted(frames, key=lambda step: (frames[step].x() if across else frames[step].y(), step))
    starts = [frames[step].x() if across else frames[step].y() for step in order]
    sizes = [frames[step].width() if across else frames[step].height() for step in order]
    gap = (starts[-1] + sizes[-1] - starts[0] - sum(sizes)) / (len(order) - 1)
    places: dict[str, Position] = {}
    at = starts[0]
    for step, size in zip(order, sizes, strict=True):
        frame = frames[step]
        places[step] = (at, frame.y()) if across else (frame.x(), at)
        at += size + gap
    return places
