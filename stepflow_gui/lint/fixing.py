"""Applies fixes over several files, in rounds, until none is left to apply. Writes nothing by itself but in `save`."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from stepflow_gui.lint.diagnostic import Diagnostic, FileEdit, Fix
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.locate import REGISTRY
from stepflow_gui.text.document import YAML_ENDINGS, ParsedFile
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.files.presence import is_file, real_path
from stepflow_gui.text.files.store import ChangedOnDisk, ReadProblem, SaveFailed, read
from stepflow_gui.text.source import Source

if TYPE_CHECKING:
    from stepflow_gui.formats.takt.releases.loading import ReleaseGuard
    from stepflow_gui.text.files.save_together import Removal
    from stepflow_gui.text.yaml.tree import YamlTree

ROUNDS = 100  # a fix whose finding comes back again and again must end somewhere
_REMEMBERED = 8  # parsed texts: those of before are compared with every trial
_PARSED = (".json", *YAML_ENDINGS)

Linting = Callable[[AgentFolder], Sequence[Diagnostic]]
Choosing = Callable[[Diagnostic], Sequence[Fix]]


class Applied(NamedTuple):
    """A fix that was applied, and the finding that it settled."""

    diagnostic: Diagnostic
    fix: Fix


class FixedFile(NamedTuple):
    """What becomes of a file. `before` is None where it wasn't there. `root` is the folder of the project it is of."""

    path: Path
    before: Source | None
    after: Source
    root: Path | None = None


class Fixed(NamedTuple):
    """The agents with all fixes laid over as unsaved texts.

    `groups` are the changes, those of an agent together. `converged` is False where findings are left whose fixes
    don't settle them, or go back to where another began.
    """

    agents: list[AgentFolder]
    applied: list[Applied]
    groups: list[list[FixedFile]]
    converged: bool

    @property
    def changes(self) -> list[FixedFile]:
        """The changes by path."""
        return sorted((change for group in self.groups for change in group), key=lambda change: change.path)


def safe_fixes(diagnostic: Diagnostic) -> list[Fix]:
    """The fixes of a diagnostic that are applied without asking."""
    return [fix for fix in diagnostic.fixes if fix.safe]


def any_fixes(diagnostic: Diagnostic) -> list[Fix]:
    """The fixes of a diagnostic, the most likely first: safe ones, then the others as they are offered; no guesses."""
    return sorted((fix for fix in diagnostic.fixes if not fix.guess), key=lambda fix: not fix.safe)


def fix_all(
    agents: Sequence[AgentFolder],
    linting: Linting,
    choosing: Choosing = safe_fixes,
    unsaved: Mapping[Path, Source] | None = None,
    runtime_of: Callable[[Path], str | None] = lambda _path: None,
) -> Fixed:
    """Apply, for each finding that `linting` gives, the first of the fixes that `choosing` gives, round by round.

    Where a finding comes back after its fix, the next one is taken.

    `unsaved` are the texts that the agents were opened or laid over with; `runtime_of` is the setting for a piece.

    In a round only fixes are applied that stay clear of each other; the next one looks at what is left. A fix that
    would make a sound JSON or YAML file unsound is left out, and one after which a release of TAKT that a piece is for
    doesn't load it any more, or reads less of it.
    """
    return _Fixing(agents, linting, choosing, unsaved or {}, runtime_of).run()


def save(group: Sequence[FixedFile], removals: "Sequence[Removal]" = ()) -> list[Path] | ChangedOnDisk | SaveFailed:
    """Write changes to disk and remove files, all or none; gives the paths of those that are written.

    Where another program changed a file, nothing is done.
    """
    from stepflow_gui.project.save_journal import save_journal
    from stepflow_gui.text.files.save_together import PartlySaved, SavedTogether, Write, save_together

    writes = [Write(each.path, each.after, each.before, each.root, new=each.before is None) for each in group]
    result = save_together(writes, save_journal(), removals)
    if isinstance(result, PartlySaved):
        return SaveFailed(result.unwritten[0], result.reason)
    return list(result.paths) if isinstance(result, SavedTogether) else result


class _Fixing:
    def __init__(
        self,
        agents: Sequence[AgentFolder],
        linting: Linting,
        choosing: Choosing,
        unsaved: Mapping[Path, Source],
        runtime_of: Callable[[Path], str | None],
    ) -> None:
        self.runtime_of = runtime_of
        self.unsaved = {real_path(path): source for path, source in unsaved.items()}
        self.agents = list(agents)
        self.linting = linting
        self.choosing = choosing
        self.found: list[Sequence[Diagnostic]] = [linting(agent) for agent in agents]
        self.named: dict[Path, Path] = {}  # by the real path the one that findings name
        self.before: dict[Path, Source | None] = {}
        self.texts: dict[Path, Source] = {}
        self.guards: dict[Path, ReleaseGuard | None] = {}
        self.applied: list[Applied] = []
        self.refused: set[tuple[str, ...]] = set()
        self.elsewhere: dict[Path, bool] = {}  # by folder: of an agent that isn't to be fixed
        self.parsed = lru_cache(maxsize=_REMEMBERED)(ParsedFile.read)
        self.fewest: dict[tuple[str, ...], int] = {}  # findings of the kind when a fix was last applied

    def run(self) -> Fixed:
        for _round in range(ROUNDS):
            counts = Counter(_kind(each) for found in self.found for each in found)
            count = len(self.applied)
            changed = self._apply(self._clear_of_each_other(counts))
            if changed is None:
                break
            for each in self.applied[count:]:
                self.fewest[_identity(*each)] = counts[_kind(each.diagnostic)]
            self._lint_again(changed)
        return self._result(converged=not any(map(self.choosing, self._all_found())))

    def _all_found(self) -> Iterator[Diagnostic]:
        for found in self.found:
            yield from found

    def _chosen(self, diagnostic: Diagnostic, counts: Counter[tuple[str, Path]]) -> Fix | None:
        """The first fix that hasn't been in vain: since it was applied last, findings of the kind have become fewer."""
        for fix in self.choosing(diagnostic):
            identity = _identity(diagnostic, fix)
            if any(self._is_of_another_agent(edit.file) for edit in fix.edits):
                continue
            if identity not in self.refused and counts[_kind(diagnostic)] < self.fewest.get(identity, sys.maxsize):
                return fix
        return None

    def _is_of_another_agent(self, path: Path) -> bool:
        """Whether a file lies in the folder of an agent that isn't among those to fix: a fix would break that one."""
        folder = real_path(path).parent
        if folder not in self.elsewhere:
            own = {real_path(agent.registry.path).parent for agent in self.agents}
            roots = {real_path(agent.root) for agent in self.agents}
            upward = takewhile(lambda each: each not in roots, (folder, *folder.parents))
            agents = (each for each in upward if each in own or is_file(each / REGISTRY))
            self.elsewhere[folder] = next(agents, None) not in {None, *own}
        return self.elsewhere[folder]

    def _clear_of_each_other(self, counts: Counter[tuple[str, Path]]) -> list[Applied]:
        taken: dict[Path, list[tuple[int, int]]] = {}
        known: set[tuple[FileEdit, ...]] = set()
        clear: list[Applied] = []
        for diagnostic in self._all_found():
            fix = self._chosen(diagnostic, counts)
            if fix is None or fix.edits in known:
                continue
            places = [(real_path(edit.file), _offsets(edit)) for edit in fix.edits]
            places += [(real_path(path), (-1, -1)) for path in fix.unmarked]
            if any(_touch(place, other) for file, place in places for other in taken.get(file, ())):
                continue
            for file, place in places:
                taken.setdefault(file, []).append(place)
            if fix.edits:
                known.add(fix.edits)
            clear.append(Applied(diagnostic, fix))
        return clear

    def _apply(self, wanted: list[Applied]) -> set[Path] | None:
        """Apply fixes; those that would leave an unsound file, alone or beside the others, are left out.

        The files that changed, if any; None where nothing was left to apply.
        """
        sound = self._sound(wanted, [])
        texts = self._texts_after(sound) if sound else None
        if texts is None:
            return None
        changed = {path for path, source in texts.items() if not _same(self._text(path), source)}
        self.texts |= texts
        self.applied += sound
        if not changed:
            self.refused |= {_identity(*each) for each in sound}
        return changed

    def _sound(self, wanted: list[Applied], beside: list[Applied]) -> list[Applied]:
        """The fixes beside which each further one leaves a sound file, found by halves as nearly all of them do."""
        if not wanted:
            return beside
        if self._texts_after([*beside, *wanted]) is not None:
            return [*beside, *wanted]
        if len(wanted) > 1:
            half = len(wanted) // 2
            return self._sound(wanted[half:], self._sound(wanted[:half], beside))
        if not beside or self._texts_after(wanted) is None:
            self.refused.add(_identity(*wanted[0]))
        return beside

    def _texts_after(self, trial: Iterable[Applied]) -> dict[Path, Source] | None:
        edits: dict[Path, list[TextEdit]] = {}
        unmarked: set[Path] = set()
        for each in trial:
            for edit in each.fix.edits:
                edits.setdefault(self._key(edit.file), []).append(TextEdit(*_offsets(edit), edit.text))
            unmarked |= {self._key(path) for path in each.fix.unmarked}
        texts = {}
        for path in edits.keys() | unmarked:
            before = self._text(path)
            try:
                after = apply(before.text, edits.get(path, ()))
            except ValueError:  # the edits of one fix overlap: a bug in it
                return None
            texts[path] = Source(after, before.bom and path not in unmarked)
            if path.suffix in _PARSED and self._problems(path, texts[path]) > self._problems(path, before):
                return None
            if path.suffix in YAML_ENDINGS and self._harms_releases(path, texts[path]):
                return None
        return texts

    def _problems(self, path: Path, source: Source) -> int:
        tree = self.parsed(path, source).tree
        return len(tree.problems) + len(tree.duplicates()) + (tree.root is None)

    def _harms_releases(self, path: Path, after: Source) -> bool:
        """Whether a release of TAKT that a piece is for is worse off with the text after than with the first one."""
        from stepflow_gui.lint.release_guard import release_guard  # only YAML files are pieces

        if path not in self.guards:
            self.guards[path] = release_guard(
                self._yaml(path, self.before[path] or Source("")), self.runtime_of(self.named[path])
            )
        guard = self.guards[path]
        return guard is not None and bool(guard.harmed(self._yaml(path, after)))

    def _yaml(self, path: Path, source: Source) -> "YamlTree":
        return cast("YamlTree", self.parsed(path, source).tree)  # its path has the ending of YAML

    def _key(self, path: Path) -> Path:
        real = real_path(path)
        self.named.setdefault(real, path)
        return real

    def _text(self, path: Path) -> Source:
        if path in self.texts:
            return self.texts[path]
        if path not in self.before:
            self.before[path] = self._read(path)
        return self.before[path] or Source("")

    def _read(self, path: Path) -> Source | None:
        """The text that the findings are about: an unsaved one, else the one on disk."""
        for agent in self.agents:
            document = agent.content(path)
            if not isinstance(document, ReadProblem):
                return document.source
        found = read(path)
        return None if isinstance(found, ReadProblem) else found

    def _lint_again(self, changed: set[Path]) -> None:
        for number, agent in enumerate(self.agents):
            if _looks_at(agent, changed):
                self.agents[number] = agent.with_buffers(self.unsaved | self.texts)
                self.found[number] = self.linting(self.agents[number])

    def _result(self, converged: bool) -> Fixed:
        changes = [
            FixedFile(self.named[path], self.before[path], source, self._root(self.named[path]))
            for path, source in self.texts.items()
            if not _same(self.before[path], source)
        ]
        return Fixed(self.agents, self.applied, _groups(changes, self.agents), converged)

    def _root(self, path: Path) -> Path | None:
        roots = [agent.root for agent in self.agents if path.is_relative_to(agent.root)]
        return max(roots, key=lambda root: len(root.parts), default=None)


def _looks_at(agent: AgentFolder, changed: set[Path]) -> bool:
    """Whether an agent's findings can depend on files; what isn't JSON may be any agent's prompt."""
    if any(path.suffix != ".json" for path in changed):
        return True
    asked_for = {real_path(document.path) for document in agent.documents_read()}
    return not changed.isdisjoint(asked_for | _files_of(agent))


def _files_of(agent: AgentFolder) -> set[Path]:
    documents = [agent.registry, agent.agent_document, *agent.schema_files()]
    return {real_path(document.path) for document in documents if document is not None}


def _groups(changes: Sequence[FixedFile], agents: Iterable[AgentFolder]) -> list[list[FixedFile]]:
    """The changes, together where an agent has them together: half of what was fixed would be a mistake of its own."""
    by_path = {real_path(change.path): change for change in changes}
    group_of: dict[Path, set[Path]] = {path: {path} for path in by_path}
    for agent in agents:
        files = _files_of(agent) & group_of.keys()
        joined = set().union(*(group_of[file] for file in files))
        for file in joined:
            group_of[file] = joined
    groups = {id(group): sorted(group) for group in group_of.values()}
    return [[by_path[path] for path in group] for group in sorted(groups.values())]


def _kind(diagnostic: Diagnostic) -> tuple[str, Path]:
    return diagnostic.code, diagnostic.file


def _identity(diagnostic: Diagnostic, fix: Fix) -> tuple[str, ...]:
    """What a fix is, wherever its finding stands meanwhile: the message names what it is about."""
    return diagnostic.code, str(diagnostic.file), diagnostic.message, fix.title


def _offsets(edit: FileEdit) -> tuple[int, int]:
    return edit.range.start.offset, edit.range.end.offset


def _touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two stretches have a character or an end in common."""
    return one[0] <= other[1] and other[0] <= one[1]


def _same(before: Source | None, after: Source) -> bool:
    return before is not None and before.text == after.text and before.bom == after.bom
