"""The person's settings, each declared once: look, language, window layout."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QByteArray, QSettings

from stepflow_gui.messages import LANGUAGES
from stepflow_gui.project.trust import FILE
from stepflow_gui.project.user_folders import state_folder

_MOST_RECENT = 10
_BETWEEN = "  "  # of an action's shortcuts; none holds two spaces
LOOKS = ("system", "light", "dark")
OPENINGS = ("layout", "sentence", "banner", "lines", "hints")  # what shows by itself, unless it is switched off
SCALES = (0, 80, 90, 100, 110, 125, 150, 175, 200)  # percent; 0: as the system has it


class Settings:
    """Kept in the user's configuration folder, or in the file given (tests). Broken values count as absent."""

    def __init__(self, file: Path | None = None) -> None:
        self._trust_file = None if file is None else file.with_name(FILE)
        self._state_folder = state_folder() if file is None else file.parent
        if file is None:
            self._store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "stepflow", "stepflow")
        else:
            self._store = QSettings(str(file), QSettings.Format.IniFormat)

    @property
    def look(self) -> str:
        """One of `LOOKS`."""
        value = self._store.value("look", "system")
        return value if isinstance(value, str) and value in LOOKS else "system"

    @look.setter
    def look(self, look: str) -> None:
        self._store.setValue("look", look)

    @property
    def language(self) -> str | None:
        """The language picked in the window; None where none was."""
        value = self._store.value("language")
        return value if isinstance(value, str) and value in LANGUAGES else None

    @language.setter
    def language(self, language: str) -> None:
        self._store.setValue("language", language)

    @property
    def scale(self) -> int:
        """How large everything is, one of `SCALES`."""
        value = str(self._store.value("scale", "0"))
        return int(value) if value.isdecimal() and int(value) in SCALES else 0

    @scale.setter
    def scale(self, percent: int) -> None:
        self._store.setValue("scale", str(percent))

    @property
    def announced_keys(self) -> list[str] | None:
        """The moved keys that were announced; None: the person never used others."""
        value = self._store.value("announced_keys")
        return None if value is None else [key for key in str(value).split(_BETWEEN) if key]

    @announced_keys.setter
    def announced_keys(self, keys: Sequence[str]) -> None:
        self._store.setValue("announced_keys", _BETWEEN.join(keys))

    def opens(self, opening: str) -> bool:
        """Whether one of `OPENINGS` shows by itself."""
        return self._store.value(f"opens/{opening}", "true") in {True, "true"}

    def set_opens(self, opening: str, on: bool) -> None:
        """Have one of `OPENINGS` show by itself, or not."""
        self._store.setValue(f"opens/{opening}", "true" if on else "false")

    def take_hint(self, hint: str) -> bool:
        """Whether a hint is to be shown now: once, and never where hints are switched off."""
        key = f"hints/{hint}"
        if not self.opens("hints") or self._store.value(key) is not None:
            return False
        self._store.setValue(key, "shown")
        return True

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever kept here."""
        return not self._store.allKeys()

    @property
    def follow(self) -> bool:
        """Whether the canvas follows the active step."""
        return self._store.value("follow", "true") in {True, "true"}

    @follow.setter
    def follow(self, on: bool) -> None:
        self._store.setValue("follow", "true" if on else "false")

    @property
    def validation_layer(self) -> bool:
        """Whether the canvas shows what follows where a step closes."""
        return self._store.value("validation_layer", "true") in {True, "true"}

    @validation_layer.setter
    def validation_layer(self, on: bool) -> None:
        self._store.setValue("validation_layer", "true" if on else "false")

    @property
    def minimap(self) -> bool:
        """Whether a minimap is shown where the graph is larger than the canvas."""
        return self._store.value("minimap", "true") in {True, "true"}

    @minimap.setter
    def minimap(self, on: bool) -> None:
        self._store.setValue("minimap", "true" if on else "false")

    @property
    def loop_edges(self) -> bool:
        """Whether transitions of steps to themselves are edges of the picture, too."""
        return self._store.value("loop_edges", "false") in {True, "true"}

    @loop_edges.setter
    def loop_edges(self, on: bool) -> None:
        self._store.setValue("loop_edges", "true" if on else "false")

    @property
    def problem_grouping(self) -> Literal["", "rule", "file", "step"]:
        """By what the problems are listed in groups; "": by nothing."""
        value = self._store.value("problem_grouping")
        return value if value in ("rule", "file", "step") else ""

    @problem_grouping.setter
    def problem_grouping(self, by: str) -> None:
        self._store.setValue("problem_grouping", by)

    @property
    def word_wrap(self) -> bool:
        """Whether lines of the source that are longer than it is wide go on in the next."""
        return self._store.value("word_wrap", "false") in {True, "true"}

    @word_wrap.setter
    def word_wrap(self, on: bool) -> None:
        self._store.setValue("word_wrap", "true" if on else "false")

    @property
    def tour_seen(self) -> bool:
        """Whether the person took the tour, or ended it."""
        return self._store.value("tour_seen", "false") in {True, "true"}

    def see_tour(self) -> None:
        """The tour was taken."""
        self._store.setValue("tour_seen", "true")

    @property
    def reduced_motion(self) -> bool | None:
        """Whether things stand still; None where the person leaves that to the desktop."""
        value = self._store.value("reduced_motion")
        return None if value is None else value in {True, "true"}

    @reduced_motion.setter
    def reduced_motion(self, on: bool) -> None:
        self._store.setValue("reduced_motion", "true" if on else "false")

    @property
    def keys(self) -> dict[str, list[str]]:
        """The shortcuts that the person chose, by action; an empty list is none at all."""
        self._store.beginGroup("keys")
        found = {action: str(self._store.value(action, "")) for action in self._store.childKeys()}
        self._store.endGroup()
        return {action: [key for key in keys.split(_BETWEEN) if key] for action, keys in found.items()}

    @keys.setter
    def keys(self, chosen: Mapping[str, Sequence[str]]) -> None:
        self._store.remove("keys")
        for action, keys in chosen.items():
            self._store.setValue(f"keys/{action}", _BETWEEN.join(keys))

    @property
    def recent(self) -> list[Path]:
        """The registries that were opened last, the last first; they may no longer exist."""
        return self._paths("recent")

    def add_recent(self, path: Path) -> None:
        """A registry was opened."""
        self._keep_paths("recent", [path, *(each for each in self.recent if each != path)][:_MOST_RECENT])

    def forget_recent(self, path: Path | None = None) -> None:
        """Take one out of the recent ones, or all."""
        self._keep_paths("recent", [each for each in self.recent if path is not None and each != path])

    @property
    def open_agents(self) -> list[Path]:
        """The registries that were open when the program ended."""
        return self._paths("open")

    @open_agents.setter
    def open_agents(self, paths: Sequence[Path]) -> None:
        self._keep_paths("open", paths)

    @property
    def open_project(self) -> Path | None:
        """The project that was shown when the program ended."""
        return next(iter(self._paths("project")), None)

    @open_project.setter
    def open_project(self, root: Path | None) -> None:
        self._keep_paths("project", [] if root is None else [root])

    @property
    def run_points(self) -> str:
        """The breakpoints and watches of all agents, as JSON; "" where none were kept."""
        value = self._store.value("run_points", "")
        return value if isinstance(value, str) else ""

    @run_points.setter
    def run_points(self, points: str) -> None:
        self._store.setValue("run_points", points)

    @property
    def groupings(self) -> str:
        """How the person groups the steps of flows, and what is folded, as JSON; "" where nothing was chosen."""
        value = self._store.value("groupings", "")
        return value if isinstance(value, str) else ""

    @groupings.setter
    def groupings(self, groupings: str) -> None:
        self._store.setValue("groupings", groupings)

    @property
    def layouts(self) -> str:
        """How the panels of each layout stand, as JSON; "" where none was arranged."""
        value = self._store.value("layouts", "")
        return value if isinstance(value, str) else ""

    @layouts.setter
    def layouts(self, layouts: str) -> None:
        self._store.setValue("layouts", layouts)

    @property
    def trust_file(self) -> Path | None:
        """Where trusted folders are kept beside the settings given; None: in the user's own place."""
        return self._trust_file

    @property
    def state_folder(self) -> Path:
        """Where the program keeps what it remembers by itself, such as texts that aren't saved."""
        return self._state_folder

    def bytes_of(self, name: str) -> QByteArray | None:
        """A saved window geometry or state."""
        value = self._store.value(f"window/{name}")
        return value if isinstance(value, QByteArray) else None

    def keep_bytes(self, name: str, value: QByteArray) -> None:
        """Save a window geometry or state."""
        self._store.setValue(f"window/{name}", value)

    def _paths(self, name: str) -> list[Path]:
        value = self._store.value(name)
        listed = value if isinstance(value, list) else [value]  # a list of one comes back as the one
        return [Path(each) for each in listed if isinstance(each, str) and each]

    def _keep_paths(self, name: str, paths: Sequence[Path]) -> None:
        self._store.setValue(name, [str(path) for path in paths])

    def sync(self) -> None:
        """Write to disk now."""
        self._store.sync()
