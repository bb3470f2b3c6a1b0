"""Which files differ from a git revision, asked of git in a way that lets no repository start a program."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.project.belonging import Owners

_MOST_SECONDS = 120
_SETTINGS = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.quotePath", "false"),
    ("protocol.allow", "never"),
    ("submodule.recurse", "false"),
)
_LEFT_OUT = {"GIT_EXTERNAL_DIFF", "GIT_CONFIG_PARAMETERS", "GIT_TRACE", "GIT_PAGER"}


class ChangeProblem(NamedTuple):
    """Why git can't tell, in one line."""

    message: str


def owned_by_changed(revision: str, folder: Path) -> Callable[[Path], bool] | ChangeProblem:
    """Tells of registries whether one of their files differs from a revision."""
    changed = changed_since(revision, folder)
    if isinstance(changed, ChangeProblem):
        return changed
    owners = Owners()
    found = {os.path.realpath(registry) for path in changed for registry in owners.of(path)}
    return lambda registry: os.path.realpath(registry) in found


class _GitError(Exception):
    pass


def changed_since(revision: str, folder: Path) -> frozenset[Path] | ChangeProblem:
    """The files (absolute) of the whole work tree that differ from a revision, gone and untracked ones among them.

    A renamed file counts under both names. What git ignores doesn't count.
    """
    program = shutil.which("git")
    if program is None or not Path(program).is_absolute():
        return ChangeProblem(_("--since needs git, and there is none on the path"))
    git = _Git(program, folder)
    try:
        top = git.top()
        if top is None:
            return ChangeProblem(_("--since needs a git work tree, and {path} is in none").format(path=folder))
        commit = git.commit(revision)
        if commit is None:
            return ChangeProblem(_("git knows no revision “{revision}” here").format(revision=revision))
        git.pass_over_filters()
        options = ("--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--no-relative")
        names = git.names("diff", "--name-only", "-z", *options, commit, "--", folder=top)
        names += git.names("ls-files", "-z", "--others", "--exclude-standard", "--full-name", folder=top)
    except _GitError as failed:
        return ChangeProblem(_("git can't tell what has changed ({reason})").format(reason=failed))
    return frozenset(top / os.fsdecode(name) for name in names)


class _Git:
    """Runs git in a folder: no hooks, monitors, filters, pagers or downloads."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.settings = list(_SETTINGS)

    def top(self) -> Path | None:
        """The top of the work tree, spelled as the folder is where both lie below one another."""
        done = self._run("rev-parse", "--show-cdup")
        if done.returncode:
            if b"not a git repository" in done.stderr or b"must be run in a work tree" in done.stderr:
                return None
            raise _GitError(_reason(done))
        return Path(os.path.normpath(self.folder / os.fsdecode(done.stdout.rstrip(b"\n"))))

    def commit(self, revision: str) -> str | None:
        if not revision or "\0" in revision:
            return None
        done = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        return done.stdout.decode("ascii").strip() if done.returncode == 0 else None

    def pass_over_filters(self) -> None:
        """Switch off the programs that a repository sets to turn files into what git stores."""
        done = self._run("config", "--null", "--name-only", "--get-regexp", r"^filter\..*\.(clean|smudge|process)$")
        keys = {os.fsdecode(key) for key in done.stdout.split(b"\0") if key}
        for key in sorted(keys):
            self.settings += [(key, ""), (f"{key.rpartition('.')[0]}.required", "false")]

    def names(self, *arguments: str, folder: Path) -> list[bytes]:
        done = self._run(*arguments, folder=folder)
        if done.returncode:
            raise _GitError(_reason(done))
        return [name for name in done.stdout.split(b"\0") if name]

    def _run(self, *arguments: str, folder: Path | None = None) -> "subprocess.CompletedProcess[bytes]":
        try:
            return subprocess.run(  # noqa: S603 - git by its absolute path, the arguments a list
                [self.program, "--no-pager", *arguments],
                cwd=folder or self.folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_MOST_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise _GitError(str(error)) from error

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
        own = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
        own["GIT_CONFIG_COUNT"] = str(len(self.settings))
        for number, (key, value) in enumerate(self.settings):
            own[f"GIT_CONFIG_KEY_{number}"] = key
            own[f"GIT_CONFIG_VALUE_{number}"] = value
        return {**kept, **own}


def _reason(done: "subprocess.CompletedProcess[bytes]") -> str:
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[0] if lines else str(done.returncode)
