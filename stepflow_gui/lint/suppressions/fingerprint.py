"""What a finding is known by, however the lines move: its rule, file, step, place in the structure, and the word there.

Nothing of it depends on line numbers, on the wording of messages or on their language.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import Diagnostic, Range
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Source

LONGEST = 80  # characters of a word that distinguishes findings


class Fingerprint(NamedTuple):
    """`pointer` has `*` for indices of lists; `word` is what is at the place, or beside it, if that is short.

    Texts are empty for what a finding doesn't have.
    """

    file: str
    code: str
    step: str
    pointer: str
    word: str


def fingerprint(found: Diagnostic, folder: Path, sources: Mapping[Path, Source]) -> Fingerprint:
    """The fingerprint of a finding; its file counts from `folder`; `sources` are the texts pointed into."""
    word = _word(found.pointer, sources.get(found.file), found.range)
    for related in found.related[:1]:
        word = word or _word(related.pointer, sources.get(related.file), related.range)
    return Fingerprint(
        shown_path(found.file, folder), found.code, found.step or "", _without_indices(found.pointer or ""), word
    )


def _without_indices(pointer: str) -> str:
    return join("", *("*" if key.isdecimal() else key for key in split(pointer)))


def _word(pointer: str | None, source: Source | None, where: Range) -> str:
    """The text at the place of an element of a list; a member is known by its key."""
    if source is None or pointer is None or not pointer.rpartition("/")[2].isdecimal():
        return ""
    text = source.text[where.start.offset : where.end.offset]
    return text if len(text) <= LONGEST and "\n" not in text else ""
