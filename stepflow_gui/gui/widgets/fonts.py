"""The window's fonts: the system's for text, a monospace for ids and code, each with a Japanese fallback."""

from functools import lru_cache

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

_JAPANESE = ("Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic UI", "Meiryo", "VL Gothic")
_JAPANESE_MONO = ("Noto Sans Mono CJK JP", "Osaka-Mono", "MS Gothic", "VL Gothic")


def ui_font(px: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The system's text font at a size in pixels."""
    return _font("ui", px, weight)


def mono_font(px: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The system's fixed-width font at a size in pixels."""
    return _font("mono", px, weight)


@lru_cache(maxsize=64)
def _font(which: str, px: int, weight: QFont.Weight) -> QFont:
    mono = which == "mono"
    system = QFontDatabase.SystemFont.FixedFont if mono else QFontDatabase.SystemFont.GeneralFont
    font = QFontDatabase.systemFont(system)
    known = set(_families())
    spare = [family for family in (_JAPANESE_MONO if mono else _JAPANESE) if family in known]
    # A generic name such as “Sans Serif” is not a family that could stand first in a list: ask what it comes to.
    first = QFontInfo(font).family()
    if mono and not QFontDatabase.isFixedPitch(first):
        first = next((family for family in ("DejaVu Sans Mono", "Menlo", "Consolas") if family in known), first)
    font.setFamilies([first, *spare])
    font.setPixelSize(px)
    font.setWeight(weight)
    if mono:
        font.setStyleHint(QFont.StyleHint.Monospace)
    return font


@lru_cache(maxsize=1)
def _families() -> tuple[str, ...]:
    return tuple(QFontDatabase.families())
