"""Mistakes put into sound JSON: one each in a member of its own, the same for the same seed."""

import re
from collections.abc import Callable
from functools import lru_cache

from benchmarks.chance import Chance
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import Member
from stepflow_gui.text.source import Source


class Spot:
    """A member that a mistake can be made in."""

    def __init__(self, text: str, member: Member, after: Member | None, chance: Chance) -> None:
        self.text = text
        self.member = member
        self.after = after  # the next member of its object
        self.chance = chance
        self.value = member.value

    @property
    def is_text(self) -> bool:
        """Whether the value is a string of plain letters."""
        return isinstance(self.value.value, str) and re.fullmatch(r"[A-Za-z][\w.-]+", self.value.value) is not None

    @property
    def is_scalar(self) -> bool:
        """Whether nothing is inside the value."""
        return self.value.kind not in ("object", "array")

    @property
    def has_line(self) -> bool:
        """Whether the member fills lines of its own."""
        before = self.text[self.text.rfind("\n", 0, self.member.key_start) + 1 : self.member.key_start]
        return (
            self.after is not None and not before.strip() and "\n" in self.text[self.value.end : self.after.key_start]
        )

    @property
    def has_plain_key(self) -> bool:
        """Whether the key would do as a name."""
        return re.fullmatch(r"[A-Za-z_]\w*", self.member.key) is not None

    @property
    def ends(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """What a mistake may touch: from the key to where the value begins, from its end to the next key."""
        start, end = self.value.start, self.value.end
        if self.is_scalar:
            start = end
        return (self.member.key_start, start + 1), (end - 1, self.after.key_end if self.after else end + 1)

    def over_value(self, text: str) -> TextEdit:
        """Another text for the value."""
        return TextEdit(self.value.start, self.value.end, text)

    def inside_value(self, text: str) -> TextEdit:
        """A text put into the value."""
        at = self.value.start + 2
        return TextEdit(at, at, text)

    def quoted(self, opening: str, closing: str) -> TextEdit:
        """The key or the value between other quotation marks."""
        if self.is_text and self.chance.below(2):
            return self.over_value(f"{opening}{self.value.value}{closing}")
        return TextEdit(self.member.key_start, self.member.key_end, f"{opening}{self.member.key}{closing}")


Mistake = Callable[[Spot], TextEdit | None]  # None where the spot has nothing to make it of


def _comment(spot: Spot) -> TextEdit | None:
    start = spot.member.key_start
    blank = spot.text[spot.text.rfind("\n", 0, start) + 1 : start]
    lines = (f"// note\n{blank}", f"# it's so\n{blank}", "/* note */ ")
    return TextEdit(start, start, spot.chance.choice(lines if spot.has_line else lines[-1:]))


def _trailing_comma(spot: Spot) -> TextEdit | None:
    return TextEdit(spot.value.end, spot.value.end, ",") if spot.after is None else None


def _missing_comma(spot: Spot) -> TextEdit | None:
    if spot.after is None:
        return None
    at = spot.text.index(",", spot.value.end)
    return TextEdit(at, at + 1, spot.chance.choice(("", " ")))


def _missing_colon(spot: Spot) -> TextEdit | None:
    at = spot.text.index(":", spot.member.key_end)
    return TextEdit(at, at + 1, spot.chance.choice((" ", " =")))


def _bare_key(spot: Spot) -> TextEdit | None:
    return TextEdit(spot.member.key_start, spot.member.key_end, spot.member.key) if spot.has_plain_key else None


def _missing_value(spot: Spot) -> TextEdit | None:
    start = spot.chance.choice((spot.value.start, spot.member.key_end))
    return TextEdit(start, spot.value.end, "") if spot.is_scalar else None


def _merge_conflict(spot: Spot) -> TextEdit | None:
    if not spot.has_line or not spot.is_scalar:
        return None
    start = spot.text.rfind("\n", 0, spot.member.key_start) + 1
    end = spot.text.index("\n", spot.value.end) + 1
    ours = spot.text[start:end]
    base = spot.chance.choice(("", f"||||||| 1a2b3c\n{ours}"))
    return TextEdit(start, end, f"<<<<<<< HEAD\n{ours}{base}=======\n{ours}>>>>>>> other\n")


def _unclosed_string(spot: Spot) -> TextEdit | None:
    ends = [spot.member.key_start, spot.member.key_end - 1]
    if spot.is_text:
        ends += [spot.value.start, spot.value.end - 1]
    at = spot.chance.choice(ends)
    return TextEdit(at, at + 1, "")


def _unclosed(kind: str) -> Mistake:
    def make(spot: Spot) -> TextEdit | None:
        whole = spot.value.kind == kind and spot.value.value and spot.has_line
        return TextEdit(spot.value.end - 1, spot.value.end, "") if whole else None

    return make


def _wrong_bracket(spot: Spot) -> TextEdit | None:
    if spot.is_scalar or not spot.value.value:
        return None
    return TextEdit(spot.value.end - 1, spot.value.end, "]" if spot.value.kind == "object" else "}")


def _unopened_object(spot: Spot) -> TextEdit | None:
    whole = spot.value.kind == "object" and spot.value.value and spot.has_line
    return TextEdit(spot.value.start, spot.value.start + 1, "") if whole else None


def _unexpected(spot: Spot) -> TextEdit | None:
    return TextEdit(spot.value.end, spot.value.end, spot.chance.choice((",", ";", " ?"))) if spot.after else None


_TRIES = 5000  # to find a member that a mistake can be made in

MISTAKES: dict[str, Mistake] = {
    "bad-escape": lambda spot: spot.inside_value(spot.chance.choice((r"\d", r"\u1z", r"\'"))) if spot.is_text else None,
    "bad-number": lambda spot: (
        spot.over_value(spot.chance.choice(("007", "+1", ".5", "0x1F", "NaN", "-Infinity"))) if spot.is_scalar else None
    ),
    "bare-key": _bare_key,
    "bare-value": lambda spot: spot.over_value(spot.value.value) if spot.is_text else None,
    "comment": _comment,
    "control-character": lambda spot: spot.inside_value(spot.chance.choice("\t\x00\n")) if spot.is_text else None,
    "curly-quotes": lambda spot: spot.quoted("“", "”"),
    "merge-conflict": _merge_conflict,
    "missing-colon": _missing_colon,
    "missing-comma": _missing_comma,
    "missing-value": _missing_value,
    "single-quotes": lambda spot: spot.quoted("'", "'"),
    "trailing-comma": _trailing_comma,
    "unclosed-array": _unclosed("array"),
    "unclosed-object": _unclosed("object"),
    "unclosed-string": _unclosed_string,
    "unescaped-quote": lambda spot: spot.inside_value('"so"') if spot.is_text else None,
    "unexpected": _unexpected,
    "unopened-object": _unopened_object,
    "wrong-bracket": _wrong_bracket,
}


def with_mistakes(text: str, kinds: list[str], seed: int = 0) -> str:
    """The text with one mistake of each kind, in members that don't touch each other.

    Raises ValueError where the text has no place left for one.
    """
    chance = Chance(seed)
    members = _members(text)
    edits: list[TextEdit] = []
    taken: list[tuple[int, int]] = []
    for kind in kinds:
        for _ in range(_TRIES):
            spot = Spot(text, *chance.choice(members), chance)
            ends = spot.ends
            if any(start - 2 <= stop and begin <= end + 2 for start, end in ends for begin, stop in taken):
                continue
            edit = MISTAKES[kind](spot)
            if edit:
                edits.append(edit)
                taken += ends
                break
        else:
            raise ValueError(f"no place for {kind}")
    return apply(text, edits)


@lru_cache(maxsize=8)
def _members(text: str) -> list[tuple[Member, Member | None]]:
    root = read_json(Source(text)).root
    assert root is not None
    found: list[tuple[Member, Member | None]] = []
    for node in root.nodes():
        members = node.members()
        found += zip(members, [*members[1:], None], strict=False)
    return found
