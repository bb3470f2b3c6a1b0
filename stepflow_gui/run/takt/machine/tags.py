"""Tags in the texts of agents and judges, and what a blocked agent asks for (takt.md 6, 7, 9)."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from stepflow_gui.run.takt.machine.piece import PieceRule

_JUDGED = re.compile(r"\[[A-Z_-]+:[0-9]+\]")
_JUDGED_ANY_NAME = re.compile(r"\[[^\[\]\n]+:[0-9]+\]")
_JUDGE_INDEX = re.compile(r"\[JUDGE:([0-9]+)\]", re.IGNORECASE)
_CANNOT = re.compile(r"判断できない|cannot\s+determine|unable\s+to\s+judge|insufficient\s+information", re.IGNORECASE)
_BLOCKED = tuple(re.compile(rf"{word}[:：][ \t]*([^\n]+)") for word in ("必要な情報", "質問", "理由", "確認"))


class TagVerdict(NamedTuple):
    """The result of a judge's reply: a tag, or why there is none."""

    tag: str | None
    why: Literal["cannot_judge", "no_tag"] | None = None


def tag_of(name: str, number: int) -> str:
    """The tag of a movement's rule, by its 1-based number."""
    return f"[{name.upper()}:{number}]"


def chosen_by_tag(text: str, name: str, *, first: bool = False) -> int | None:
    """The 0-based rule that the last tag of a movement names, or the first; None without one.

    It may be outside the rules.
    """
    found = [int(each[1]) for each in re.finditer(rf"\[{re.escape(name.upper())}:([0-9]+)\]", text, re.IGNORECASE)]
    number = found[0 if first else -1] if found else 0
    return number - 1 if number > 0 else None


def judged(reply: str, *, latin_names: bool) -> TagVerdict:
    """The first tag in a judge's reply. `latin_names`: only names of A-Z, `_` and `-` are seen."""
    found = (_JUDGED if latin_names else _JUDGED_ANY_NAME).search(reply)
    if found:
        return TagVerdict(found[0])
    return TagVerdict(None, "cannot_judge" if _CANNOT.search(reply) else "no_tag")


def judge_index(reply: str) -> int | None:
    """The 0-based position that the AI judge's first tag names; None without one."""
    found = _JUDGE_INDEX.search(reply)
    number = int(found[1]) if found else 0
    return number - 1 if number > 0 else None


def offered_tags(name: str, rules: Sequence[PieceRule], interactive: bool | None) -> Iterator[tuple[str, PieceRule]]:
    """The tags that a judge may answer with. `interactive` None: rules for a person alone are offered too."""
    for number, rule in enumerate(rules, 1):
        if interactive is not False or not rule.interactive_only:
            yield tag_of(name, number), rule


def asked_when_blocked(text: str) -> str:
    """The question of an agent that reports itself blocked; the whole text where it marks none."""
    for form in _BLOCKED:
        found = form.search(text)
        if found:
            return found[1].strip()
    return text
