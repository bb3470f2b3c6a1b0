"""The breakpoints and watches of each agent, kept in the person's settings between two starts of the program."""

import json
from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.run.debugging.breakpoints import Breakpoint, as_json, breakpoints_of
from stepflow_gui.text.json.tree import JsonValue

_MOST = 100  # agents


class StoredBreakpoints:
    """Those of one registry. They are the person's own, so no file of the project holds them."""

    def __init__(self, settings: Settings, registry: Path) -> None:
        self._settings = settings
        self._place = str(registry.absolute())
        kept = _agents(settings).get(self._place, {})
        watches = kept.get("watches")
        self.breakpoints: list[Breakpoint] = breakpoints_of(kept.get("breakpoints"))
        self.watches: list[str] = (
            [each for each in watches if isinstance(each, str)] if isinstance(watches, list) else []
        )

    def keep(self, breakpoints: Sequence[Breakpoint], watches: Sequence[str]) -> None:
        """Keep these; of more than a hundred agents those that were changed last."""
        agents = _agents(self._settings)
        agents.pop(self._place, None)
        if breakpoints or watches:
            agents[self._place] = {"breakpoints": as_json(breakpoints), "watches": list(watches)}
        newest = dict(list(agents.items())[-_MOST:])
        self._settings.run_points = json.dumps(newest, ensure_ascii=False)


def _agents(settings: Settings) -> dict[str, dict[str, JsonValue]]:
    """What is kept by the registry's path, the last changed last; nothing where it can't be read."""
    try:
        found = json.loads(settings.run_points)
    except (ValueError, RecursionError):
        return {}
    return {place: kept for place, kept in found.items() if isinstance(kept, dict)} if isinstance(found, dict) else {}
