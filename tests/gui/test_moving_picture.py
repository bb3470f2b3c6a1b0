"""The moving picture of the docs is an APNG whose frames are those that were given."""

import struct
from pathlib import Path

from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

import moving_picture
from moving_picture import Frame


def picture(left: int) -> QImage:
    image = QImage(200, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    painter.fillRect(left, 10, 20, 20, QColor("#2060c0"))
    painter.end()
    return image


def frames_of(file: Path) -> list[tuple[QImage, int]]:
    """Each frame as it is shown, and how long."""
    chunks = list(moving_picture._chunks(file.read_bytes()))
    head, palette = chunks[0][1], next(data for kind, data in chunks if kind == b"PLTE")
    shown: list[tuple[QImage, int]] = []
    canvas = QImage(200, 40, QImage.Format.Format_RGB32)
    numbers = []
    for place, (kind, control) in enumerate(chunks):
        if kind != b"fcTL":
            continue
        number, width, height, x, y, stays = struct.unpack(">IIIIIH", control[:22])
        numbers.append(number)
        data = b""
        for kept, part in chunks[place + 1 :]:
            if kept == b"fcTL":
                break
            data += part if kept == b"IDAT" else part[4:] if kept == b"fdAT" else b""
            numbers += [struct.unpack(">I", part[:4])[0]] if kept == b"fdAT" else []
        parts = (
            *((b"IHDR", struct.pack(">II", width, height) + head[8:]), (b"PLTE", palette)),
            *((b"IDAT", data), (b"IEND", b"")),
        )
        png = moving_picture._SIGNATURE + b"".join(moving_picture._chunk(*each) for each in parts)
        painter = QPainter(canvas)
        painter.drawImage(x, y, QImage.fromData(png))
        painter.end()
        shown.append((canvas.copy(), stays))
    assert numbers == list(range(len(numbers)))
    return shown


def test_frames_are_those_given(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "moving.png"
    given = [Frame(picture(left), stays) for left, stays in ((0, 100), (90, 250), (90, 1000), (170, 40))]
    moving_picture.write(given, file)
    assert frames_of(file) == [(frame.image, frame.stays) for frame in given]
    assert QImage(str(file)) == picture(0).convertToFormat(QImage(str(file)).format())  # where nothing moves


def test_a_frame_holds_what_has_changed(qtbot: QtBot) -> None:
    one, other = moving_picture._in_one_palette([picture(0), picture(10)])
    area = moving_picture._changed(one, other)
    assert area.getRect() == (0, 10, 64, 20)
    assert moving_picture._changed(one, one).getRect() == (0, 0, 1, 1)
