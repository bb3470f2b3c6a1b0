"""The files of a project at one moment: read once each, unsaved texts laid over them, nothing outside the root."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from stepflow_gui.text.document import Document
from stepflow_gui.text.source import Source
from stepflow_gui.text.store import ReadProblem, read


class Files:
    """Documents by path. Links are followed to tell files apart, so a file has one text under all its names."""

    __slots__ = ("_buffers", "_documents", "_keys", "_real_root", "root")

    def __init__(self, root: Path, buffers: Mapping[Path, Source]) -> None:
        self.root = root
        self._real_root = os.path.realpath(root)
        self._keys: dict[Path, str | None] = {}
        self._documents: dict[str, _Read] = {}
        self._buffers = self._by_key(buffers)

    def inside(self, path: Path) -> bool:
        """Whether a path, its links followed, lies in the root."""
        key = self._key(path)
        return key is not None and _is_below(key, self._real_root)

    def document(self, path: Path) -> Document | ReadProblem:
        """A file inside the root; kind `outside` for any other, which is not even looked at."""
        return self.read(path) if self.inside(path) else ReadProblem("outside", path)

    def read(self, path: Path) -> Document | ReadProblem:
        """A file wherever it lies: for one that a person named."""
        key = self._key(path)
        if key is None:
            return ReadProblem("missing", path)
        if key not in self._documents:
            buffer = self._buffers.get(key)
            source = buffer or read(path)
            content = source if isinstance(source, ReadProblem) else Document.read(path, source)
            self._documents.setdefault(key, _Read(content, buffer))  # another thread may have been quicker
        return self._documents[key].content

    def exists(self, path: Path) -> bool:
        """Whether there is a file, on disk or unsaved."""
        key = self._key(path)
        return key is not None and (key in self._buffers or path.is_file())

    def under(self, root: Path) -> "Files":
        """The same files seen from another root."""
        return self._copy(root, self._documents, self._buffers)

    def with_buffers(self, buffers: Mapping[Path, Source]) -> "Files":
        """The files under these unsaved texts, all of them; what was read stays where its text is the same."""
        laid = self._by_key(buffers)
        kept = {key: file for key, file in self._documents.items() if file.buffer is laid.get(key)}
        return self._copy(self.root, kept, laid)

    def without(self, paths: Iterable[Path]) -> "Files":
        """The files, those that changed on disk to be read again."""
        gone = {key for path in paths if (key := self._real(path)) is not None} - self._buffers.keys()
        kept = {key: file for key, file in self._documents.items() if key not in gone}
        return self._copy(self.root, kept, self._buffers)

    def _copy(self, root: Path, documents: "dict[str, _Read]", buffers: dict[str, Source]) -> "Files":
        files = Files(root, {})
        files._documents = documents
        files._buffers = buffers
        files._keys = self._keys
        return files

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


class _Read:
    """What was read of a file, and from which unsaved text (None: from disk)."""

    __slots__ = ("buffer", "content")

    def __init__(self, content: Document | ReadProblem, buffer: Source | None) -> None:
        self.content = content
        self.buffer = buffer


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root if root.endswith(os.sep) else root + os.sep)
