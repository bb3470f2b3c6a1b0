"""Information that a file is told once: the first place speaks, the others are shown beside it."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from stepflow_gui.lint.rule import Finding, Later, Proposal, Side
from stepflow_gui.text.document import Place

SHOWN = 20  # places beside the first: more of them tell nobody anything

Fixing = Callable[[list["Remark"]], Later | None]


class Remark(NamedTuple):
    """What there is to say at one place: `message` where it is the only one, `short` beside another."""

    message: str
    short: str
    place: Place
    step: str


def once(remarks: Iterable[Remark], several: str, title: str = "", edits: Fixing | None = None) -> Iterator[Finding]:
    """One finding for all remarks, of which there may be none.

    `several` says it where there are more than one, with placeholders `count` and `step` (that of the first). `edits`
    settles all of them at once, or gives None where that can't be done; `title` says how.
    """
    found = list(remarks)
    if not found:
        return
    first = found[0]
    message = several.format(count=len(found), step=first.step) if len(found) > 1 else first.message
    others = {(id(remark.place.document), remark.place.span): remark for remark in reversed(found)}
    others.pop((id(first.place.document), first.place.span))
    yield Finding(
        message,
        first.place.span,
        first.place.pointer,
        step=first.step,
        document=first.place.document,
        sides=[
            Side(remark.place.document, remark.place.span, remark.place.pointer, remark.short)
            for remark in list(reversed(others.values()))[:SHOWN]
        ],
        proposals=_settling(found, title, edits) if edits else (),
    )


def _settling(found: list[Remark], title: str, edits: Fixing) -> Iterator[Proposal]:
    made = edits(found)
    if made:
        yield Proposal(title, made)
