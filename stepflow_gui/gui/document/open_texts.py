"""The files whose text is in the window, and how they stand to the disk. Knows no Qt."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from stepflow_gui.text.files import store
from stepflow_gui.text.files.presence import exists, real_path
from stepflow_gui.text.files.save_journal import SaveJournal
from stepflow_gui.text.files.save_together import PartlySaved, Removal, SavedTogether, Write, save_together
from stepflow_gui.text.files.staging import sweep
from stepflow_gui.text.files.store import ChangedOnDisk, ReadProblem, Saved, SaveFailed, SaveResult
from stepflow_gui.text.source import Source


class OpenText:
    """A file with its text in the window, the text that it was read or saved with, and what was last seen on disk.

    `base` is None for a new file; an empty text then means that none is wanted. A file that was
    `begun` here goes again once its text is empty.
    """

    __slots__ = ("base", "begun", "kept", "path", "seen", "source")

    def __init__(self, path: Path, source: Source, *, there: bool = True) -> None:
        self.path = path
        self.source = source
        self.begun = not there
        self.base: Source | None = source if there else None
        self.seen = self.base  # None: removed, never there, or no longer to be read
        self.kept = False  # the person wants this text, whatever is on disk

    @property
    def dirty(self) -> bool:
        """Whether the text in the window isn't the one that was last seen on disk."""
        if self.seen is None:
            return self.base is not None or bool(self.source.text)
        return self.source.text != self.seen.text

    @property
    def gone(self) -> bool:
        """Whether another program removed the file, or made it unreadable."""
        return self.seen is None and self.base is not None

    @property
    def changed_outside(self) -> bool:
        """Whether the disk has neither the text in the window nor the one that this came from."""
        return self.dirty and (self.seen and self.seen.text) != (self.base and self.base.text)

    @property
    def unsaved(self) -> bool:
        """Whether there is something in the window that the person wrote or kept, and that isn't on disk."""
        if not self.dirty:
            return False
        return self.kept or self.seen is None or self.base is None or self.source.text != self.base.text


class OpenTexts:
    """The open files. A file is the same by whatever link it is named."""

    def __init__(self) -> None:
        self._texts: dict[str, OpenText] = {}

    def __iter__(self) -> Iterator[OpenText]:
        return iter(list(self._texts.values()))

    def get(self, path: Path) -> OpenText | None:
        """The open file at a path."""
        return self._texts.get(_key(path))

    def hold(self, path: Path, source: Source) -> OpenText:
        """Open a file with the text that was read from it; the one that is open already, if it is."""
        key = _key(path)
        if key not in self._texts:
            sweep(Path(key).parent)  # of what saves left that were cut off
            self._texts[key] = OpenText(path, source)
        return self._texts[key]

    def begin(self, path: Path) -> OpenText:
        """Open a file that doesn't exist, with an empty text; it appears once there is something to save in it."""
        return self._texts.setdefault(_key(path), OpenText(path, Source(""), there=False))

    @property
    def dirty(self) -> bool:
        """Whether any is to be saved."""
        return any(text.dirty for text in self._texts.values())

    @property
    def unsaved(self) -> bool:
        """Whether closing would lose something."""
        return any(text.unsaved for text in self._texts.values())

    def keep(self) -> None:
        """Keep the texts that differ from their files, whoever made the difference."""
        for text in self:
            text.kept = text.dirty

    @property
    def size(self) -> int:
        """The characters of all texts."""
        return sum(len(text.source.text) for text in self._texts.values())

    def buffers(self) -> dict[Path, Source]:
        """The texts by file, without those of files that don't exist and aren't wanted."""
        return {text.path: text.source for text in self if text.base is not None or text.source.text}

    def save(
        self, over: Mapping[Path, Source | None], root: Path, journal: SaveJournal | None = None
    ) -> SaveResult | PartlySaved | None:
        """Write every changed text, all or none of them as far as the file system allows. None where there is none.

        Nothing is written where another program changed one of the files since it was read, but over the texts that
        `over` has of `on_disk`; and nothing through a link that points outside `root`, the project's folder.
        """
        changed = [text for text in self if text.dirty]
        if not changed:
            return None
        writes = [_write(text, over, root) for text in changed]
        result = save_together(writes, journal)
        written = _written(result)
        for text in changed:
            if text.path in written:
                gone = text.begun and not text.source.text and _removed(text.path, root)
                text.base = text.seen = None if gone else text.source
                text.kept = False
        return Saved(changed[0].path) if isinstance(result, SavedTogether) else result

    def read_again(self, needed: Path | None = None) -> dict[Path, Source] | ReadProblem:
        """What the files hold now, without those never there; with a `needed` one, without all others that are gone."""
        fresh: dict[Path, Source] = {}
        for text in self:
            read = store.read(text.path)
            if isinstance(read, ReadProblem):
                if read.kind == "missing" and (text.base is None or needed not in {None, text.path}):
                    continue
                return read
            fresh[text.path] = read
        return fresh

    def bases(self) -> dict[Path, Source | None]:
        """The text that each file was read or saved with."""
        return {text.path: text.base for text in self}

    def rebase(self, fresh: Mapping[Path, Source]) -> None:
        """From now on the texts come from these; a byte order mark comes and goes with them."""
        for text in self:
            text.seen = fresh.get(text.path)
            _base_on(text, text.seen)
            text.kept = False

    def rebase_again(self, bases: Mapping[Path, Source | None], instead_of: Mapping[Path, Source | None]) -> None:
        """Texts come from others than before, but those that were saved since; what is on disk is as last seen."""
        for text in self:
            if text.base is instead_of.get(text.path):
                _base_on(text, bases.get(text.path))
                text.kept = text.dirty

    def look(self) -> list[Path]:
        """The files whose text on disk isn't the one last seen there: each change is reported once."""
        changed = []
        for text in self:
            read = store.read(text.path)
            now = None if isinstance(read, ReadProblem) else read
            if (now and now.text) != (text.seen and text.seen.text):
                text.seen = now
                changed.append(text.path)
        return changed


def _base_on(text: OpenText, base: Source | None) -> None:
    text.base = base
    if base is not None and text.source.bom != base.bom:
        text.source = Source(text.source.text, base.bom)


def _written(result: SavedTogether | ChangedOnDisk | SaveFailed | PartlySaved) -> tuple[Path, ...]:
    match result:
        case SavedTogether(paths=paths):
            return paths
        case PartlySaved(written=written):
            return written
        case _:
            return ()


def _removed(path: Path, root: Path) -> bool:
    """Remove a file that is empty, and its folder where it was alone there."""
    if path.is_symlink():
        return False
    empty = Removal(path, Source(""), root, path.parent.parent)
    return isinstance(save_together([], None, [empty]), SavedTogether) or not path.exists()


def _write(text: OpenText, over: Mapping[Path, Source | None], root: Path) -> Write:
    read_as = over.get(text.path, text.base)
    new = read_as is None and not (text.path in over and exists(text.path))
    return Write(text.path, text.source, read_as, root, new=new)


def on_disk(path: Path) -> dict[Path, Source | None]:
    """What a file holds, to be written over if it still does then; None where it doesn't exist or can't be read."""
    found = store.read(path)
    return {path: None if isinstance(found, ReadProblem) else found}


def text_on_disk(path: Path) -> str | None:
    """What a file holds; None where it can't be read."""
    read = store.read(path)
    return None if isinstance(read, ReadProblem) else read.text


def _key(path: Path) -> str:
    return str(real_path(path))
