"""Looks through all texts of an agent or a folder, texts that aren't saved in place of their files. Knows no widget.

It is work for a thread: it tells how far it is, ends when it is asked to, and what it found so far can be read anytime.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.gui.source.finding.search import Hit, Search, SearchQuery
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.agent_listing import listing_of
from stepflow_gui.project.finding.find import files_below
from stepflow_gui.text.files.presence import real_path
from stepflow_gui.text.files.store import ReadProblem, read
from stepflow_gui.text.source import Source

MOST = 5_000  # hits in all files together
_OWN = ".stepflow"  # where Stepflow keeps places of steps
_BETWEEN = 0.05  # seconds between two reports


class SearchScope(NamedTuple):
    """Where to look: the agent of a registry, or every text in and below a folder."""

    path: Path
    whole_folder: bool = False


class FileHits(NamedTuple):
    """What was found in a file, in the text that it had then."""

    path: Path
    source: Source
    hits: tuple[Hit, ...]


class FileSearch:
    """One search; `unsaved` are the texts of open files. It is called with how to report and how to ask for the end."""

    def __init__(self, query: SearchQuery, scope: SearchScope, unsaved: Mapping[Path, Source]) -> None:
        self.query = query
        self.scope = scope
        self.found: list[FileHits] = []
        self.hard: list[Path] = []  # where a pattern took too long
        self.reason = ""  # why a pattern is none
        self.capped = self.cancelled = False
        self._unsaved = {real_path(path): source for path, source in unsaved.items()}
        self._count = 0

    def __call__(self, report: Callable[[int, int], None], asked: Callable[[], bool]) -> "FileSearch":
        """Look through the files."""
        test = Search(Source(""), self.query)
        self.reason = test.reason
        if not self.query.text or test.trouble:
            return self
        paths: dict[Path, Path] = {}
        for path in self._paths():
            if path.parent.name == _OWN:
                continue
            paths.setdefault(real_path(path), path)  # of several links to a file the first
            if asked():
                self.cancelled = True
                return self
        reported = time.perf_counter()
        for number, (real, path) in enumerate(paths.items(), 1):
            self._look(path, self._unsaved.get(real) or read(path), asked)
            if self.capped or self.cancelled or asked():
                self.cancelled = not self.capped
                break
            if time.perf_counter() - reported > _BETWEEN:
                reported = time.perf_counter()
                report(number, len(paths))
        return self

    def _paths(self) -> Iterator[Path]:
        if self.scope.whole_folder:
            yield from files_below(self.scope.path)
            inside = real_path(self.scope.path)
            yield from (path for path in self._unsaved if path.is_relative_to(inside))
            return
        agent = open_agent(self.scope.path, self._unsaved)
        if isinstance(agent, ReadProblem):
            yield self.scope.path
            return
        yield from dict.fromkeys(sorted(_texts_of(agent)))

    def _look(self, path: Path, source: Source | ReadProblem, asked: Callable[[], bool]) -> None:
        if isinstance(source, ReadProblem) or "\0" in source.text:
            return  # not a text
        search = Search(source, self.query)
        while not search.done and len(search.hits) < MOST:
            if asked():
                self.cancelled = True
                return
            search.more()
        if search.trouble:
            self.hard.append(path)
        room = MOST - self._count
        hits = tuple(search.hits[:room])
        self._count += len(hits)
        self.capped = len(search.hits) > room
        if hits:
            self.found.append(FileHits(path, source, hits))


def _texts_of(agent: AgentFolder) -> set[Path]:
    """The files of an agent: those that it names, and, where it has a folder of its own, all in there."""
    listed = {file.path for file in listing_of(agent).files if file.there}
    return listed | set(files_below(agent.folder)) if agent.agent_document is not None else listed
