"""The logs of an agent's or piece's real runs: where they lie, and what the beginning and end of each tell."""

import heapq
import os
import re
import stat
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.git.revision import worktrees_of
from stepflow_gui.run.logs.logged_run import EndOfRun, LogKind, LogProblem
from stepflow_gui.run.logs.opening import OpenLog
from stepflow_gui.text.files.regular_file import open_regular

MOST_LOGS = 200  # the newest
READ = 128_000  # bytes of a file's beginning, and as many of its end
_MOST_TRIED = 20  # files among which the newest log of a kind is looked for
_MOST_ENTRIES = 20_000  # of folders that are listed
_ENDINGS = (".jsonl", ".log")
_USUAL = "logs"  # climpt's own folder where agent.json names none
_ITERATION = re.compile(rb"=== Iteration (\d{1,9}) ===|\"iteration\":\s*(\d{1,9})")


class LogSummary(NamedTuple):
    """A log in the list. `cost` is that of the part that was read, which is the whole log where `whole` holds."""

    path: Path
    changed: float  # seconds since 1970
    size: int
    kind: LogKind | None = None
    name: str | None = None
    began: str | None = None
    ended: str | None = None
    end: EndOfRun = "unfinished"
    code: str | None = None
    iterations: int | None = None
    cost: float | None = None
    whole: bool = True


def log_folders(agent: AgentFolder) -> list[Path]:
    """The folders of the project in which the runner leaves its logs when it is started in the project's folder."""
    root = agent.root
    if agent.format == "takt":
        return [root / ".takt" / "logs", root / ".takt" / "runs"]
    folder = root / _named_folder(agent)
    return [folder] if agent.inside(folder) else []


def worktree_folders(agent: AgentFolder) -> list[Path]:
    """The same folders in the other worktrees of the project's git repository: a runner may work in one of them."""
    folders = []
    for other in worktrees_of(agent.root):
        folders += [other / folder.relative_to(agent.root) for folder in log_folders(agent)]
    return folders


def newest_logs(agent: AgentFolder, more: Sequence[Path] = ()) -> list[LogSummary]:
    """The newest logs of an agent, the newest first, in its own folders and in others that the user names.

    Those of other agents in the same folders are left out.
    """
    files = {path: (changed, size, path) for changed, size, path in chain(_files(agent), _files(agent, more))}
    found = heapq.nlargest(MOST_LOGS, files.values(), key=lambda each: each[0])
    summaries = []
    for changed, size, path in found:
        checkpoint()
        summary = summary_of(path, changed, size)
        if summary is not None and _is_of(summary, agent):
            summaries.append(summary)
    return summaries


def newest_log(agent: AgentFolder) -> Path | None:
    """The log that was written to last."""
    for changed, size, path in heapq.nlargest(_MOST_TRIED, _files(agent), key=lambda each: each[0]):
        if agent.format != "takt":
            return path
        summary = summary_of(path, changed, size)
        if summary is not None and _is_of(summary, agent):
            return path
    return None


def summary_of(path: Path, changed: float, size: int) -> LogSummary | None:
    """What beginning and end of a log tell; None where it isn't one that shows steps."""
    try:
        with open_regular(path) as file:
            head = file.read(READ)
            file.seek(max(len(head), size - READ))
            tail = file.read(READ)
            whole = len(head) + len(tail) >= size
    except (OSError, ValueError):
        return None
    if not whole:
        head, tail = head.rpartition(b"\n")[0] + b"\n", tail.partition(b"\n")[2]
    run = OpenLog(path, BytesIO(head + tail)).read()
    if isinstance(run, LogProblem):
        return None
    turns = run.turns
    iterations = [int(number) for found in _ITERATION.findall(tail or head) for number in found if number]
    last = max((turn.iteration for turn in turns), default=0)
    return LogSummary(
        *(path, changed, size, run.kind, run.name, run.began, run.ended, run.end.kind, run.end.code),
        *(max(iterations, default=last) or None, run.cost, whole),
    )


def session_in(folder: Path) -> Path | None:
    """The log in a folder of one run: TAKT's, or a verbose one of climpt. In a folder of logs it is the newest."""
    for place in (folder / "logs", folder):
        found = heapq.nlargest(_MOST_TRIED, _below(place, deep=False), key=lambda each: each[0])
        logs = (path for changed, size, path in found if summary_of(path, changed, size) is not None)
        first = next(logs, found[0][2] if found else None)
        if first is not None:
            return first
    return None


def log_at(path: Path) -> Path | None:
    """The log that is meant by a path: the file itself, or the one in a folder; None where that has none."""
    return session_in(path) if path.is_dir() else path


def _named_folder(agent: AgentFolder) -> str:
    """What agent.json names, in the group `runner` or, in the older layout, outside it."""
    document = agent.agent_document
    root = document.root if document is not None else None
    value = root.value if root is not None else None
    runner = value.get("runner") if isinstance(value, dict) else None
    for holder in (runner, value):
        logging = holder.get("logging") if isinstance(holder, dict) else None
        folder = logging.get("directory") if isinstance(logging, dict) else None
        if isinstance(folder, str) and folder and "\0" not in folder:
            return folder
    return _USUAL


def _is_of(summary: LogSummary, agent: AgentFolder) -> bool:
    """Whether a log is of this piece, as those of all pieces lie together; climpt's differ in their names."""
    if agent.format != "takt":
        return summary.kind == "climpt"
    names = {agent.registry.path.stem, agent.flow.agent_id.value if agent.flow.agent_id is not None else None}
    return summary.kind == "takt" and (summary.name is None or summary.name in names)


def logs_of(agent: AgentFolder, folder: Path) -> list[Path]:
    """All logs of an agent in a folder, by their names, the oldest first."""
    return [path for _changed, _size, path in sorted(_files(agent, [folder]))]


def _files(agent: AgentFolder, folders: Sequence[Path] | None = None) -> Iterator[tuple[float, int, Path]]:
    start = "" if agent.format == "takt" else f"{agent.folder.name}-"
    for folder in log_folders(agent) if folders is None else folders:
        for each in _below(folder, deep=agent.format == "takt"):
            name = each[2].name
            if name.startswith(start) and (not start or name[len(start) : len(start) + 1].isdecimal()):
                yield each


def _below(folder: Path, *, deep: bool) -> Iterator[tuple[float, int, Path]]:
    """Logs by their names: time of the last change, size, path. Links to folders aren't followed."""
    folders, looked_at = [(folder, 0)], 0
    while folders:
        place, depth = folders.pop()
        try:
            entries = list(os.scandir(place))
        except OSError:
            continue
        for entry in entries:
            checkpoint()
            looked_at += 1
            if looked_at > _MOST_ENTRIES:
                return
            try:
                if deep and depth < 2 and entry.is_dir(follow_symlinks=False):
                    if depth == 0 or entry.name == "logs":
                        folders.append((Path(entry.path), depth + 1))
                    continue
                if not entry.name.endswith(_ENDINGS):
                    continue
                known = entry.stat()
            except OSError:
                continue
            if stat.S_ISREG(known.st_mode):
                yield known.st_mtime, known.st_size, Path(entry.path)
