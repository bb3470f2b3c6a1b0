"""Loop monitors, and the warning about a movement that runs again and again (takt.md 10)."""

from collections.abc import Sequence
from typing import NamedTuple

from stepflow_gui.run.takt.machine.piece import Monitor

_LEFT_OUT = 256  # movements that don't count between those of a cycle
_RUNS_IN_A_ROW = 10  # more of them are warned of


class MonitorFired(NamedTuple):
    """A monitor, by its 0-based place, and how often its cycle was gone through."""

    monitor: int
    rounds: int


def fired(
    monitors: Sequence[Monitor], history: Sequence[str], proposed: str | None = None, *, waits_for_return: bool = False
) -> MonitorFired | None:
    """The first monitor whose cycle ends the history often enough.

    `waits_for_return`: only where the run is about to go to the cycle's first movement (`proposed`).
    """
    for place, monitor in enumerate(monitors):
        if waits_for_return and proposed != monitor.cycle[0]:
            continue
        rounds = _rounds(monitor, history)
        if rounds >= monitor.threshold:
            return MonitorFired(place, rounds)
    return None


def seen_by(monitors: Sequence[Monitor], history: tuple[str, ...]) -> tuple[str, ...]:
    """The end of a history, as far as any monitor can look back: a run may go on for ever."""
    longest = max((len(monitor.cycle) * monitor.threshold for monitor in monitors), default=0)
    between = _LEFT_OUT if any(monitor.ignored for monitor in monitors) else 0
    return history[-2 * longest - between :] if longest else ()


def runs_in_a_row(history: Sequence[str]) -> int:
    """How often the last movement ran without another between."""
    count = 0
    for name in reversed(history):
        if name != history[-1]:
            break
        count += 1
    return count


def is_repeating(count: int) -> bool:
    """Whether so many runs in a row are warned of."""
    return count > _RUNS_IN_A_ROW


def _rounds(monitor: Monitor, history: Sequence[str]) -> int:
    """How often the cycle stands back to back at the history's end."""
    seen = 0
    for name in reversed(history):
        if name in monitor.ignored:
            continue
        if name != monitor.cycle[-1 - seen % len(monitor.cycle)]:
            break
        seen += 1
    return seen // len(monitor.cycle)
