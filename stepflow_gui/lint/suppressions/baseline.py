"""The baseline: a file of findings that are known already and not reported."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stepflow_gui.lint.config.file import ConfigProblem, why_unread
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.suppressions.fingerprint import Fingerprint, fingerprint
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.presence import exists
from stepflow_gui.text.files.store import ReadProblem, SaveFailed, read
from stepflow_gui.text.source import Source

VERSION = 1


class Split(NamedTuple):
    """Findings that are new, and how many are known."""

    new: list[Diagnostic]
    known: int


class Baseline:
    """The known findings, each as often as it is known. Files in it count from `folder`."""

    __slots__ = ("entries", "folder")

    def __init__(self, folder: Path, entries: Counter[Fingerprint]) -> None:
        self.folder = folder
        self.entries = entries

    def split(self, found: Iterable[Diagnostic], sources: Mapping[Path, Source]) -> Split:
        """Separate new findings from known ones.

        Where a file of the baseline is no longer there, its findings are known in whatever file they are found now.
        """
        left = Counter(self.entries)
        unknown: list[tuple[Diagnostic, Fingerprint]] = []
        known = 0
        for diagnostic in found:
            mark = fingerprint(diagnostic, self.folder, sources)
            if left[mark] > 0:
                left[mark] -= 1
                known += 1
            else:
                unknown.append((diagnostic, mark))
        moved = self._of_files_that_are_gone(left) if unknown else Counter()
        new = []
        for diagnostic, mark in unknown:
            if moved[mark[1:]] > 0:
                moved[mark[1:]] -= 1
                known += 1
            else:
                new.append(diagnostic)
        return Split(new, known)

    def _of_files_that_are_gone(self, left: Counter[Fingerprint]) -> Counter[tuple[str, ...]]:
        there: dict[str, bool] = {}
        moved: Counter[tuple[str, ...]] = Counter()
        for mark, count in left.items():
            if mark.file not in there:
                there[mark.file] = exists(self.folder / mark.file)
            if not there[mark.file]:
                moved[mark[1:]] += count
        return moved


def read_baseline(path: Path) -> Baseline | ConfigProblem:
    """A baseline file."""
    source = read(path)
    if isinstance(source, ReadProblem):
        text = _("the baseline can't be read ({reason})")
        return ConfigProblem(path, None, text.format(reason=why_unread(source)))
    document = ParsedFile.read(path, source)
    content = document.root.value if document.root else None
    if not document.tree.valid or not isinstance(content, dict) or "version" not in content:
        return ConfigProblem(path, None, _("this is not a baseline; “stepflow lint --write-baseline” writes one"))
    if content["version"] != VERSION:
        text = _("the baseline has version {version}, but this Stepflow reads version {known}; write it again")
        return ConfigProblem(path, None, text.format(version=json.dumps(content["version"]), known=VERSION))
    entries: Counter[Fingerprint] = Counter()
    listed = content.get("findings")
    if not isinstance(listed, list):
        return ConfigProblem(path, None, _("the baseline has no list “findings”; write it again"))
    for number, entry in enumerate(listed):
        mark = _entry(entry)
        if mark is None:
            node = document.tree.at(f"/findings/{number}")
            line = source.position(node.start).line if node else None
            return ConfigProblem(path, line, _("this is not a finding of a baseline"))
        entries[mark] += entry.get("count", 1)
    return Baseline(path.parent, entries)


def _entry(entry: Any) -> Fingerprint | None:
    if not isinstance(entry, dict):
        return None
    count = entry.get("count", 1)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        return None
    texts = [entry.get(name, "") for name in Fingerprint._fields]
    return Fingerprint(*texts) if all(isinstance(text, str) for text in texts) and texts[0] and texts[1] else None


def write_baseline(
    path: Path, found: Iterable[Diagnostic], sources: Mapping[Path, Source]
) -> tuple[Path, int] | SaveFailed:
    """Write findings as the baseline at a path, one a line and in order; gives how many."""
    from stepflow_gui.project.finding.locate import marked_root
    from stepflow_gui.text.files.store import Saved, save

    entries = Counter(fingerprint(diagnostic, path.parent, sources) for diagnostic in found)
    lines = [
        json.dumps(_written(mark, count), ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
        for mark, count in sorted(entries.items())
    ]
    inside = "".join(f"\n    {line}," for line in lines)[:-1]
    text = f'{{\n  "version": {VERSION},\n  "findings": [{inside}{chr(10) + "  " if lines else ""}]\n}}\n'
    result = save(path, Source(text), None, marked_root(path))
    if isinstance(result, Saved):
        return path, entries.total()
    assert isinstance(result, SaveFailed)
    return result


def _written(mark: Fingerprint, count: int) -> dict[str, str | int]:
    texts: dict[str, str | int] = {name: text for name, text in mark._asdict().items() if text}
    return {**texts, "count": count} if count > 1 else texts
