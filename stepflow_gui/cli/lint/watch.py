"""`stepflow lint --watch`: lints again whenever a file that the findings depend on changes.

The files are polled at short intervals. A library that is notified of changes (watchfiles) is a compiled wheel that the
light install would have to carry, and hears nothing on network and container mounts; a look at the few files of an
agent takes less than a millisecond.
"""

import stat
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.files_of_registry import CONFIGS, files_of
from stepflow_gui.project.finding.find import scan

PAUSE = 0.25  # seconds between two looks, and how long files must be at rest
_SHARE = 20  # a look may take this part of the time at most
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"

Look = Mapping[Path, tuple[int, int] | None]


def watch(paths: Iterable[Path], lint: Callable[[], Iterable[AgentFolder]], sleep: Callable[[float], None]) -> None:
    """Lint, then again after each change, until interrupted. `lint` gives the agents it checked."""
    named = list(paths)
    agents: list[AgentFolder] = []
    while True:
        if sys.stdout.isatty():
            sys.stdout.write(_CLEAR)
        before, registries = _look(named, agents), _registries(named)
        agents = list(lint())
        sys.stdout.flush()
        now = _look(named, agents)
        if _registries(named) != registries or any(now.get(path, state) != state for path, state in before.items()):
            continue  # something changed while it was linted
        print(_("Watching for changes; press Ctrl-C to stop"), file=sys.stderr, flush=True)
        _await_change(named, agents, now, sleep)


def _await_change(paths: list[Path], agents: list[AgentFolder], before: Look, sleep: Callable[[float], None]) -> None:
    """Come back once something has changed and everything is at rest again."""
    while (now := _timed_look(paths, agents, sleep)) == before:
        pass
    while (later := _timed_look(paths, agents, sleep)) != now:
        now = later


def _timed_look(paths: list[Path], agents: list[AgentFolder], sleep: Callable[[float], None]) -> Look:
    began = time.perf_counter()
    found = _look(paths, agents)
    sleep(max(PAUSE, _SHARE * (time.perf_counter() - began)))
    return found


def _look(paths: list[Path], agents: list[AgentFolder]) -> Look:
    """The signature that shows whether each file has changed; None for a missing one."""
    return {path: _state(path) for path in _watched(paths, agents)}


def _watched(paths: list[Path], agents: list[AgentFolder]) -> set[Path]:
    found = {path.absolute() for path in paths}
    for agent in agents:
        found |= files_of(agent)
        for folder in agent.prompt_folders():
            found.update(folder.rglob("*.md"))  # prompts that no step names are reported, too
    folders = {folder for file in found for folder in (file, *file.parents)}
    found.update(folder / name for folder in folders for name in CONFIGS)
    return found | _registries(paths)


def _registries(paths: list[Path]) -> set[Path]:
    return {registry for path in paths if path.is_dir() for registry in scan(path).registries}


def _state(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return (0, 0) if stat.S_ISDIR(found.st_mode) else (found.st_mtime_ns, found.st_size)
