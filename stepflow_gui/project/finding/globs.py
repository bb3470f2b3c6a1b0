"""Patterns of paths as git has them, as regular expressions whose cost is bounded by path times pattern.

What a `*` or `**` matches first is never undone (an atomic group): the first place where the text after it fits is
as good as any later one, as only the last text has to reach the end. A plain translation takes exponential time.
"""

import re

_PIECE = re.compile(
    r"(?P<double>(?:\A|(?<=/))\*\*+(?=/|\Z))|(?P<stars>\*+)|(?P<one>\?)"
    r"|\[(?P<not>[!^]?)(?P<set>\]?[^\]]*)\]|\\(?P<escaped>.)|(?P<plain>.)",
    re.DOTALL,
)
LONGEST = 2_000  # characters; what takes longer to compile than it may is not a pattern
_STAR = ""  # among the expressions of a part of a path
_FOLDERS = "(?:[^/]*+/)*?"
_PART_END = r"(?=/|\Z)"

Part = list[str]
"""Expressions of one character each, and stars."""


def compile_glob(glob: str) -> re.Pattern[str] | None:
    """What fits a path (of `/`, from where the pattern counts) as a whole; None where the pattern is none."""
    if len(glob) > LONGEST:
        return None
    blocks: list[list[Part]] = [[]]
    for part in _parts(glob):
        if part is None:
            blocks.append([])
        else:
            blocks[-1].append(part)
    first, *others = blocks
    expression = _of_block(first)
    if others:
        expression += "/" if first else ""
        *between, last = others
        expression += "".join(f"(?>{_FOLDERS}{_of_block(block)}/)" for block in between if block)
        expression += f"{_FOLDERS}{_of_block(last)}" if last else ".+"
    try:
        return re.compile(expression, re.DOTALL)
    except (re.error, OverflowError, RecursionError):
        return None  # git takes such a pattern for one that matches nothing


def _parts(glob: str) -> list[Part | None]:
    """The parts of a pattern between slashes; None for one that means any number of folders."""
    parts: list[Part | None] = [[]]
    for piece in _PIECE.finditer(glob):
        kind, char = piece.lastgroup, piece["escaped"] or piece["plain"]
        if char == "/":
            parts.append([])
        elif kind == "double":
            parts[-1] = None
        else:
            part = parts[-1]
            assert part is not None  # a slash or the end follows such a one
            part.append(_of_piece(piece))
    return parts


def _of_piece(piece: re.Match[str]) -> str:
    match piece.lastgroup:
        case "stars":
            return _STAR
        case "one":
            return "[^/]"
        case "set":
            return f"(?!/){_of_set(piece['set'], negated=bool(piece['not']))}"
    return re.escape(piece["escaped"] or piece["plain"])


def _of_set(characters: str, *, negated: bool) -> str:
    """Single characters and ranges, each escaped: Python warns of signs that may become operators of sets.

    A range whose end is before its beginning has no character, as in git.
    """
    found = re.findall(r"(.)-(.)|(.)", characters, re.DOTALL)
    parts = [
        re.escape(one) if one else f"{re.escape(low)}-{re.escape(high)}" for low, high, one in found if low <= high
    ]
    if not parts:
        return "." if negated else "(?!)"
    return f"[{'^' if negated else ''}{''.join(parts)}]"


def _of_block(parts: list[Part]) -> str:
    return "/".join(map(_of_part, parts))


def _of_part(part: Part) -> str:
    texts = [[]] if not part else _between_stars(part)
    first, *others = ("".join(text) for text in texts)
    if not others:
        return first
    *between, last = others
    found = first + "".join(f"(?>[^/]*?{text})" for text in between if text)
    return found + (f"(?>[^/]*{last}{_PART_END})" if last else "[^/]*+")


def _between_stars(part: Part) -> list[list[str]]:
    texts: list[list[str]] = [[]]
    for expression in part:
        if expression == _STAR:
            texts.append([])
        else:
            texts[-1].append(expression)
    return texts
