"""What was closed, the last first, to be opened again."""

from pathlib import Path
from typing import NamedTuple

_MOST = 30


class ClosedTab(NamedTuple):
    """An agent that was closed, or one of its files whose text was."""

    agent: Path
    file: Path | None = None


class ClosedTabs:
    """Of the whole program, as long as it runs."""

    def __init__(self) -> None:
        self._tabs: list[ClosedTab] = []

    def add(self, tab: ClosedTab) -> None:
        """Something was closed."""
        self._tabs = [*(each for each in self._tabs if each != tab), tab][-_MOST:]

    def take(self) -> ClosedTab | None:
        """What was closed last and is still there, once; None where there is nothing."""
        while self._tabs:
            tab = self._tabs.pop()
            if tab.agent.exists() and (tab.file is None or tab.file.exists()):
                return tab
        return None
