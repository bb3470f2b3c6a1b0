"""What is found in a file, with the releases for which it is so."""

from typing import NamedTuple

from stepflow_gui.formats.takt.releases.sets import ALL, NONE, Releases, Row, key_row, row, since, value_row
from stepflow_gui.text.json.tree import JsonValue

Path = tuple[str | int, ...]


class ReleaseNote(NamedTuple):
    """Something in a file that some releases refuse, or drop silently.

    `reason` is a short fixed word or the key; of what is dropped, `dropped` or `no_effect` (with all beside it).
    A `mistake` is wrong in every release that reads the place, so it doesn't tell which release the file is for.
    """

    reason: str
    path: Path
    releases: Releases
    mistake: bool = False


class Surroundings(NamedTuple):
    """What a project lets its files do, as far as loaders ask. None of `option_files`: which there are isn't known."""

    mcp_servers: bool = False
    command_gates: bool = False
    prepare_scripts: bool = False
    option_files: frozenset[str] | None = None  # names in .takt/provider-options/


UNKNOWN_KEY, FORM = "unknown", "form"  # the reasons of a key that no release knows, and of the form of a value
PLACEMENT = "placement"  # the reason of a key that can't stand beside others of its step
GIVEN_TWICE = "given_twice"  # the reason of a key without effect, as its other name says the same
UNKNOWN = Surroundings()
"""A project of which nothing is known allows nothing, as TAKT has it."""


class Notes:
    """The notes on one file, as they are found. Notes on a place apply to releases that read the place."""

    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self.refused: list[ReleaseNote] = []
        self.dropped: list[ReleaseNote] = []

    def refuse(self, reason: str, path: Path, releases: Releases) -> None:
        """Those releases don't load the file."""
        if releases:
            self.refused.append(ReleaseNote(reason, path, releases))

    def mistake(self, reason: str, path: Path, releases: Releases) -> None:
        """Those releases don't load the file, nor does any other that reads the place."""
        if releases:
            self.refused.append(ReleaseNote(reason, path, releases, mistake=True))

    def drop(self, path: Path, releases: Releases, *, mistake: bool = False) -> None:
        """Those releases don't read what is there."""
        if releases:
            self.dropped.append(ReleaseNote("dropped", path, releases, mistake))

    def note_repeated(self, path: Path, releases: Releases) -> None:
        """Those releases read another word of the same value, too."""
        self.dropped.append(ReleaseNote(GIVEN_TWICE, path, releases))

    def key(self, level: str, key: str, path: Path, active: Releases, form: str = "") -> Releases:
        """Note the row of a key, or of the form of its value; return the releases that read it."""
        found = row(level, form or key) or (row("step", form or key) if level == "sub" else None)
        if found is None:
            return self.by_row(row(level, "*") or Row(NONE, ALL, NONE), path, active, UNKNOWN_KEY)
        if not form:
            return self.by_row(found, path, active, key)
        every = key_row(level, key) or key_row("step", key) or found  # what has nothing to do with the form
        self.refuse(key, path, found.refused & every.refused & active)
        return self.by_row(found._replace(refused=found.refused & ~every.refused), path, active, FORM)

    def by_row(self, found: Row, path: Path, active: Releases, reason: str) -> Releases:
        """Note a row; return the releases that read it."""
        if found.read:
            self.refuse(reason, path, found.refused & active)
        else:
            self.mistake(reason, path, found.refused & active)
        self.drop(path, found.dropped & active, mistake=not found.read)
        return found.read & active

    def options(self, rows: dict[str, Row], path: Path, active: Releases) -> None:
        """Note the results of rows for settings of one object. If a release drops all, the object has no effect."""
        dropping = active if rows else NONE
        for found in rows.values():
            dropping &= found.dropped
        for key, found in rows.items():
            self.by_row(found, (*path, key), active & ~dropping, key)
            if dropping:
                self.dropped.append(ReleaseNote("no_effect", (*path, key), dropping))

    def value(self, key: str, value: JsonValue, path: Path, reading: Releases) -> None:
        """Note a value that not all releases that read its key take."""
        found = value_row(key, value) if isinstance(value, str) else None
        if found is None:
            self.mistake("value", path, reading)
        else:
            self.refuse("value", path, reading & ~found.read)


T_036, T_037, T_050, T_051, T_053 = (since(name) for name in ("0.36.0", "0.37.0", "0.50.0", "0.51.0", "0.53.0"))
