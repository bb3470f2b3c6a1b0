"""How wide a text is without a window: a table of advances for a common sans serif and a monospace."""

import unicodedata

_WIDTHS = {
    **dict.fromkeys("ijlI'", 0.29),
    **dict.fromkeys(" .,:;|/\\!", 0.34),
    **dict.fromkeys('ftr()[]-"', 0.4),
    **dict.fromkeys("csz?*_`", 0.54),
    **dict.fromkeys("kvxyFLJ", 0.59),
    **dict.fromkeys("ABCKRVXZ", 0.69),
    **dict.fromkeys("DGHNOQU&", 0.77),
    **dict.fromkeys("wM#+<=>^~", 0.85),
    **dict.fromkeys("mW%@", 0.98),
}  # of DejaVu Sans, which is wide: what fits there fits in others
_OTHER = 0.63
_MONO = 0.605
_BOLD = 1.145


def text_width(text: str, size: float, *, mono: bool = False, bold: bool = False) -> float:
    """The width in pixels of one line at a font size in pixels; full-width characters count their full square."""
    width = 0.0
    for character in text:
        if character > "\u02ff" and unicodedata.combining(character):
            continue
        if character > "\u02ff" and unicodedata.east_asian_width(character) in "WF":
            width += 1.0
        else:
            width += _MONO if mono else _WIDTHS.get(character, _OTHER)
    return width * size * (_BOLD if bold and not mono else 1.0)


def label_width(text: str) -> float:
    """The width of an edge's or entry's label (11 px sans serif)."""
    return text_width(text, 11)


def visible(text: str) -> str:
    """The text on one line: characters that can't be shown, or that would turn the line around, as a picture."""
    return text if text.isprintable() else "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return "\ufffd" if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"} else character


def elided(text: str, width: float, size: float, *, mono: bool = False, bold: bool = False) -> str:
    """The text, with its middle left out where it is wider than `width` pixels."""
    if text_width(text, size, mono=mono, bold=bold) <= width:
        return text
    room = width - text_width("…", size, mono=mono, bold=bold)
    head, tail = "", ""
    front, back = 0, len(text) - 1
    while front <= back:
        from_front = len(head) <= len(tail)
        character = text[front] if from_front else text[back]
        room -= text_width(character, size, mono=mono, bold=bold)
        if room < 0:
            break
        if from_front:
            head, front = head + character, front + 1
        else:
            tail, back = character + tail, back - 1
    return f"{head}…{tail}"
