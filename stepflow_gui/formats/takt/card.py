"""The parts of a movement's picture: who works in it, under which policy, what it may do; and its sub-steps."""

from collections.abc import Mapping, Sequence

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.takt.eras import ABORT
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.json.tree import JsonValue

KINDS = ("movement", "parallel", "call", "system")
MOVEMENT, STEP = "movement", "step"
MOST_ROWS = 12  # of sub-steps


def caption_of(step: Step) -> str:
    """Persona, policy, editing, permission and more of a movement in one line; of another step its id.

    Of a parallel movement without any it is how many sub-steps it has: the name is shown above already.
    """
    if step.kind not in KINDS:
        return step.id
    raw = step.raw
    marks = [_persona(raw), _listed(raw.get("policy")), _editing(raw.get("edit"))]
    marks.append(_text(raw.get("permission_mode")) or _text(raw.get("required_permission_mode")))
    marks.append(_text(raw.get("call")))
    marks.append(_("asks the user") if raw.get("requires_user_input") is True else "")
    if step.kind == "parallel" and not any(marks):
        return ngettext("{count} sub-step", "{count} sub-steps", len(step.subs)).format(count=len(step.subs))
    return " · ".join(mark for mark in marks if mark) or (_("no persona") if step.kind == MOVEMENT else step.kind)


def is_plain_step(step: Step) -> bool:
    """Whether it is a step of a workflow that is of no special kind: in a piece it is a movement."""
    return step.kind == MOVEMENT and step.pointer.startswith("/steps/")


def rows_of(step: Step) -> tuple[str, ...]:
    """A line for each sub-step of a parallel movement, its persona behind the name; the last one counts the rest."""
    rows = [_row(sub) for sub in step.subs]
    rest = len(rows) - MOST_ROWS
    return (*rows[: MOST_ROWS - 1], f"+{rest + 1}") if rest > 0 else tuple(rows)


def watched(step: Step) -> tuple[str, ...]:
    """A line for each loop monitor whose cycle begins here: its path, and after how often its judge is asked."""
    found = ((tuple(text.value for text in monitor.cycle), monitor.threshold) for monitor in step.watched)
    return tuple(cycle_text(*each) for each in found)


def is_good_end(end: str) -> bool:
    """Whether an end of that name is one that a run, or a called workflow, is meant to come to."""
    return end != ABORT


def cycle_text(cycle: Sequence[str], threshold: int | None) -> str:
    """A watched cycle: its path, and after how often its judge is asked."""
    count = threshold if threshold is not None else "?"
    return _("{cycle} ×{count}, then a judge").format(cycle=" → ".join(cycle), count=count)


def _row(sub: Step) -> str:
    persona = _persona(sub.raw)
    return f"{sub.id} · {persona}" if persona and persona != sub.id else sub.id


def _persona(raw: Mapping[str, JsonValue]) -> str:
    """Who works; up to 0.7 it is called an agent."""
    return _text(raw.get("persona")) or _text(raw.get("agent"))


def _editing(value: object) -> str:
    if value is True:
        return _("edits")
    return _("edits nothing") if value is False else ""


def _text(value: object) -> str:
    return value if isinstance(value, str) and "\n" not in value else ""


def _listed(value: object) -> str:
    if isinstance(value, list):
        return "+".join(text for each in value if (text := _text(each)))
    return _text(value)
