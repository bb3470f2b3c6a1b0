"""The moving picture of the docs: frames of the window, written as an animated PNG (APNG).

Each frame holds only what has changed since the one before, and all of them share one palette.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QIODevice, QRect, Qt
from PySide6.QtGui import QImage, QImageWriter

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOURS = 256
_STRIDE = 64  # pixels of a strip whose changes are looked for at once


class Frame(NamedTuple):
    """A picture of the window and how long it stays, in milliseconds."""

    image: QImage
    stays: int


def write(frames: Sequence[Frame], file: Path) -> None:
    """Write the frames, all of one size; the last is followed by the first again."""
    images = _in_one_palette([frame.image for frame in frames])
    head, *_rest = _chunks(_png(images[0]))
    made = [_SIGNATURE, _chunk(*head), _chunk(b"acTL", struct.pack(">II", len(frames), 0))]
    number = 0
    before: QImage | None = None
    for image, frame in zip(images, frames, strict=True):
        changed = _changed(before, image)
        made.append(_chunk(b"fcTL", _control(number, changed, frame.stays)))
        number += 1
        for kind, data in _chunks(_png(image.copy(changed))):
            if before is None:
                made += [_chunk(kind, data)] if kind in {b"PLTE", b"pHYs", b"IDAT"} else []
            elif kind == b"IDAT":
                made.append(_chunk(b"fdAT", struct.pack(">I", number) + data))
                number += 1
        before = image
    made.append(_chunk(b"IEND", b""))
    file.write_bytes(b"".join(made))


def _in_one_palette(images: Sequence[QImage]) -> list[QImage]:
    """The same with the commonest colours of all of them."""
    plain = [image.convertToFormat(QImage.Format.Format_RGB32) for image in images]
    found: Counter[int] = Counter()
    for image in plain:
        found.update(memoryview(image.constBits()).cast("I").tolist())
    table = [colour | 0xFF000000 for colour, _count in found.most_common(_COLOURS)]
    shape = QImage.Format.Format_Indexed8
    return [image.convertToFormat(shape, table, Qt.ImageConversionFlag.AvoidDither) for image in plain]


def _changed(before: QImage | None, image: QImage) -> QRect:
    """The smallest rectangle with all that differs; one pixel where nothing does."""
    if before is None:
        return image.rect()
    rows = [y for y in range(image.height()) if _row(before, y) != _row(image, y)]
    if not rows:
        return QRect(0, 0, 1, 1)
    left, right = image.width(), 0
    for y in rows:
        one, other = _row(before, y), _row(image, y)
        differing = [x for x in range(0, image.width(), _STRIDE) if one[x : x + _STRIDE] != other[x : x + _STRIDE]]
        left, right = min(left, differing[0]), max(right, differing[-1] + _STRIDE)
    return QRect(left, rows[0], min(right, image.width()) - left, rows[-1] - rows[0] + 1)


def _row(image: QImage, y: int) -> bytes:
    start = y * image.bytesPerLine()
    return bytes(memoryview(image.constBits())[start : start + image.width()])


def _control(number: int, area: QRect, stays: int) -> bytes:
    size = (area.width(), area.height(), area.x(), area.y())
    return struct.pack(">IIIIIHHBB", number, *size, stays, 1000, 0, 0)


def _png(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, b"png").write(image)
    return bytes(buffer.data().data())


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
