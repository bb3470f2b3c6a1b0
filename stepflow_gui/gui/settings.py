"""The person's settings, each declared once: look, language, window layout."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from stepflow_gui.messages import LANGUAGES
from stepflow_gui.project.trust import FILE
from stepflow_gui.project.user_folders import state_folder

LOOKS = ("system", "light", "dark")


class Settings:
    """Kept in the user's configuration folder, or in the file given (tests). Broken values count as absent."""

    def __init__(self, file: Path | None = None) -> None:
        self._trust_file = None if file is None else file.with_name(FILE)
        self._journal_folder = (state_folder() if file is None else file.parent) / "unsaved"
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
    def trust_file(self) -> Path | None:
        """Where trusted folders are kept beside the settings given; None: in the user's own place."""
        return self._trust_file

    @property
    def journal_folder(self) -> Path:
        """Where texts are kept that aren't saved, for the case that the program dies."""
        return self._journal_folder

    def bytes_of(self, name: str) -> QByteArray | None:
        """A saved window geometry or state."""
        value = self._store.value(f"window/{name}")
        return value if isinstance(value, QByteArray) else None

    def keep_bytes(self, name: str, value: QByteArray) -> None:
        """Save a window geometry or state."""
        self._store.setValue(f"window/{name}", value)

    def sync(self) -> None:
        """Write to disk now."""
        self._store.sync()
