"""The files of a project at one moment: read once each, unsaved texts laid over them, nothing outside the root."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Generic, TypeVar

from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.files.presence import is_file, obstacle
from stepflow_gui.text.files.store import ReadProblem, read
from stepflow_gui.text.source import Source

Content = TypeVar("Content", ParsedFile, TextFile)

_PASSED_OVER = frozenset({".git", "node_modules", ".venv"})
_MOST = 100_000  # entries of a folder that are looked at: a prompts folder named by mistake can be a whole disk


class Files:
    """Documents by path. Links are resolved to compare files, so a file has one text under all its names."""

    __slots__ = ("_below", "_buffers", "_documents", "_keys", "_real_root", "_texts", "root")

    def __init__(self, root: Path, buffers: Mapping[Path, Source]) -> None:
        self.root = root
        self._real_root = os.path.realpath(root)
        self._keys: dict[Path, str | None] = {}
        self._documents: dict[str, _Read[ParsedFile]] = {}
        self._texts: dict[str, _Read[TextFile]] = {}
        self._below: dict[Path, frozenset[Path]] = {}
        self._buffers = self._by_key(buffers)

    def inside(self, path: Path) -> bool:
        """Whether a path, its links followed, lies in the root."""
        key = self._key(path)
        return key is not None and _is_below(key, self._real_root)

    def document(self, path: Path) -> ParsedFile | ReadProblem:
        """A file inside the root; kind `outside` for any other, which is not even read."""
        return self.read(path) if self.inside(path) else self._outside(path)

    def read(self, path: Path) -> ParsedFile | ReadProblem:
        """A file wherever it lies: for one that a person named."""
        key = self._key(path)
        if key is None:
            return ReadProblem("missing", path)
        if key not in self._documents:
            buffer = self._buffers.get(key)
            source = buffer or self._load(path)
            content = source if isinstance(source, ReadProblem) else ParsedFile.read(path, source)
            self._documents.setdefault(key, _Read(content, buffer))  # another thread may have been quicker
        return self._documents[key].content

    def documents_read(self) -> list[ParsedFile | ReadProblem]:
        """The JSON files asked for so far that could be, or couldn't be, read."""
        return [file.content for file in self._documents.values()]

    def texts_read(self) -> list[TextFile | ReadProblem]:
        """The other files asked for so far, likewise."""
        return [file.content for file in self._texts.values()]

    def text(self, path: Path) -> TextFile | ReadProblem:
        """A file inside the root that isn't JSON, such as a prompt; kind `outside` for any other."""
        if not self.inside(path):
            return self._outside(path)
        key = self._key(path)
        assert key is not None
        if key not in self._texts:
            buffer = self._buffers.get(key)
            source = buffer or self._load(path)
            content = source if isinstance(source, ReadProblem) else TextFile(path, source)
            self._texts.setdefault(key, _Read(content, buffer))
        return self._texts[key].content

    def below(self, folder: Path) -> frozenset[Path]:
        """Every file in and below a folder of the project, on disk or unsaved; none for a folder outside the root."""
        if folder not in self._below:
            self._below[folder] = frozenset(self._walk(folder)) if self.inside(folder) else frozenset()
        return self._below[folder]

    def exists(self, path: Path) -> bool:
        """Whether there is a file, on disk or unsaved."""
        key = self._key(path)
        return key is not None and (key in self._buffers or self._is_there(path))

    def obstacle(self, path: Path) -> str:
        """Why what is at a path can't be read as a file; "" for a file, on disk or unsaved, and where nothing is."""
        return "" if self._key(path) in self._buffers else obstacle(path)

    def under(self, root: Path) -> "Files":
        """The same files seen from another root."""
        return self._copy(root, self._documents, self._texts, self._buffers)

    def with_buffers(self, buffers: Mapping[Path, Source]) -> "Files":
        """The files under these unsaved texts, all of them; what was read stays where its text is the same.

        Another thread may be reading files meanwhile.
        """
        return self._under(self._by_key(buffers))

    def with_texts(self, texts: Mapping[Path, Source]) -> "Files":
        """The files under these texts and the unsaved ones of other files."""
        return self._under({**self._buffers, **self._by_key(texts)})

    def _under(self, laid: dict[str, Source]) -> "Files":
        kept = {key: file for key, file in list(self._documents.items()) if file.buffer is laid.get(key)}
        texts = {key: file for key, file in list(self._texts.items()) if file.buffer is laid.get(key)}
        below = self._below if laid.keys() == self._buffers.keys() else {}
        return self._copy(self.root, kept, texts, laid, below)

    def looked_at_again(self, buffers: Mapping[Path, Source]) -> "Files":
        """The files as they are now under these unsaved texts; documents are kept whose text is the same."""
        again = Files(self.root, buffers)
        for key, file in self._documents.items():
            buffer, content = again._buffers.get(key), file.content
            if isinstance(content, ParsedFile):
                source = buffer or self._load(content.path)
                if isinstance(source, Source) and (source.text, source.bom) == (
                    content.source.text,
                    content.source.bom,
                ):
                    again._documents[key] = _Read(content, buffer)
        return again

    def source(self, path: Path) -> Source | ReadProblem:
        """The text of a file, unsaved or on disk, wherever it lies."""
        key = self._key(path)
        return ReadProblem("missing", path) if key is None else self._buffers.get(key) or self._load(path)

    def hold(self, document: ParsedFile) -> None:
        """Give this document for its path from now on: its content is that of `source`."""
        key = self._key(document.path)
        if key is not None:
            self._documents[key] = _Read(document, self._buffers.get(key))

    def without(self, paths: Iterable[Path]) -> "Files":
        """The files, those that changed on disk to be read again; what was a file may be a link by now."""
        changed = set(paths)
        gone = {key for path in changed if (key := self._real(path)) is not None} - self._buffers.keys()
        kept = {key: file for key, file in self._documents.items() if key not in gone}
        texts = {key: file for key, file in self._texts.items() if key not in gone}
        keys = {path: key for path, key in list(self._keys.items()) if path not in changed}
        return self._copy(self.root, kept, texts, self._buffers, keys=keys)

    def _outside(self, path: Path) -> ReadProblem:
        """With the target of the link; without one if the path itself names a place outside."""
        is_link = Path(os.path.normpath(path)).is_relative_to(self.root)
        return ReadProblem("outside", path, (self._key(path) or "") if is_link else "")

    def _load(self, path: Path) -> Source | ReadProblem:
        return read(path)

    def _is_there(self, path: Path) -> bool:
        return is_file(path)

    def _copy(
        self,
        root: Path,
        documents: "dict[str, _Read[ParsedFile]]",
        texts: "dict[str, _Read[TextFile]]",
        buffers: dict[str, Source],
        below: dict[Path, frozenset[Path]] | None = None,
        keys: dict[Path, str | None] | None = None,
    ) -> "Files":
        files = Files(root, {})
        files._below = below or {}
        files._documents = documents
        files._texts = texts
        files._buffers = buffers
        files._keys = self._keys if keys is None else keys
        return files

    def _walk(self, folder: Path) -> Iterator[Path]:
        stack: list[tuple[Path, str | None]] = [(folder, self._key(folder))]
        seen: set[str] = set()
        looked = 0
        while stack and looked < _MOST:
            where, real = stack.pop()
            if real is None or real in seen or not _is_below(real, self._real_root):
                continue  # a link that goes back, or out of the project
            seen.add(real)
            try:
                with os.scandir(where) as entries:
                    for entry in entries:
                        looked += 1
                        path = where / entry.name
                        if not entry.is_dir():
                            yield path
                        elif entry.name not in _PASSED_OVER:
                            stack.append(
                                (path, self._key(path) if entry.is_symlink() else f"{real}{os.sep}{entry.name}")
                            )
            except OSError:
                continue
        real = self._key(folder)
        for key in self._buffers if real is not None else ():
            if _is_below(key, str(real)) and not os.path.lexists(key):
                yield folder / os.path.relpath(key, real)

    def _by_key(self, buffers: Mapping[Path, Source]) -> dict[str, Source]:
        return {key: source for path, source in buffers.items() if (key := self._key(path)) is not None}

    def _key(self, path: Path) -> str | None:
        if path not in self._keys:
            self._keys[path] = self._real(path)
        return self._keys[path]

    def _real(self, path: Path) -> str | None:
        try:
            return os.path.realpath(path)
        except (OSError, ValueError):
            return None  # no file can have such a name


class _Read(Generic[Content]):
    """What was read of a file, and from which unsaved text (None: from disk)."""

    __slots__ = ("buffer", "content")

    def __init__(self, content: Content | ReadProblem, buffer: Source | None) -> None:
        self.content: Content | ReadProblem = content
        self.buffer = buffer


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root if root.endswith(os.sep) else root + os.sep)
