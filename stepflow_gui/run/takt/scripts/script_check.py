"""Whether a run of a piece did what its script expects."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.takt.machine.state import JudgeReply, Replied
from stepflow_gui.run.takt.scripts.script import PieceScript
from stepflow_gui.run.takt.scripts.scripted import path_of
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.takt.words import in_its_words


class ScriptMismatch(NamedTuple):
    """Something that is otherwise than expected, and the line of the script that expects it."""

    line: int
    message: str


def misses(run: PieceRun, script: PieceScript) -> list[ScriptMismatch]:
    """What a run that has ended did otherwise than its script expects."""
    expected = script.expected
    return [] if expected is None else [ScriptMismatch(expected.line, text) for text in _differences(run, script)]


def unused_answers(run: PieceRun, script: PieceScript) -> list[ScriptMismatch]:
    """The answers that a run to its end had no use for: nothing of that name was asked."""
    asked = {
        run.machine.named(run.moment_at(number).state, moment.event.task)
        for number, moment in enumerate(run.moments)
        if isinstance(moment.event, Replied | JudgeReply)
    }
    text = in_its_words(run.machine.piece, _("The answers for “{name}” weren't used: the run never asked it."))
    left = [name for name in script.answers if name not in asked]
    return [ScriptMismatch(script.lines.get(name, 1), text.format(name=name)) for name in left]


def _differences(run: PieceRun, script: PieceScript) -> Iterator[str]:
    expected, end = script.expected, run.state.end
    assert expected is not None
    path = path_of(run)
    if expected.path is not None and path != expected.path:
        at = next((at for at, pair in enumerate(zip(path, expected.path, strict=False)) if pair[0] != pair[1]), None)
        at = min(len(path), len(expected.path)) if at is None else at
        shown = [names[at] if at < len(names) else _("end") for names in (expected.path, path)]
        text = in_its_words(run.machine.piece, _("expected as movement {number}: {expected}; it was {found}"))
        yield text.format(number=at + 1, expected=shown[0], found=shown[1])
    seen = {
        "end": (expected.end, end.kind if end else None),
        "movement": (expected.movement, end.movement if end else None),
        "iterations": (expected.iterations, run.state.iteration),
        "reports": (expected.reports, tuple(run.state.reports)),
    }
    for name, (wanted, found) in seen.items():
        if wanted is not None and wanted != found:
            text = _("expected as {name}: {expected}; it was {found}")
            yield text.format(name=name, expected=_shown(wanted), found=_shown(found))


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value) or "–"
    return "–" if value is None else str(value)
