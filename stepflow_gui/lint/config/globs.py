"""Patterns of file paths: those of `.gitignore` files, counted from a folder."""

from pathlib import Path

from stepflow_gui.project.finding.ignore import pattern_of


class Glob:
    """A pattern that means files: by itself, or as a folder with all in it."""

    __slots__ = ("_folder", "_patterns", "text")

    def __init__(self, text: str, folder: Path) -> None:
        self.text = text
        self._folder = folder
        plain = text.removeprefix("./")
        inside = plain.removesuffix("/")
        inside = f"{inside}/**" if "/" in inside else f"**/{inside}/**"
        found = (pattern_of(inside), None if plain.endswith("/") else pattern_of(plain))
        self._patterns = [pattern.matches for pattern in found if pattern]

    def meets(self, file: Path) -> bool:
        """Whether a file is meant."""
        if not file.is_relative_to(self._folder):
            return False
        below = file.relative_to(self._folder).as_posix()
        return any(pattern.fullmatch(below) for pattern in self._patterns)

    @property
    def start(self) -> Path:
        """The deepest folder below which all that is meant lies, or the file itself."""
        text = self.text.removeprefix("./")
        if "/" not in text.removesuffix("/"):
            return self._folder
        fixed = []
        for part in text.removeprefix("/").split("/"):
            if any(char in part for char in "*?[\\"):
                break
            fixed.append(part)
        return self._folder.joinpath(*fixed)
