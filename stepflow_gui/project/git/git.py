"""Asks git about a repository so that the repository can't start a program, and changes nothing there.

Whatever its configuration says: no hooks, monitors, filters, diff and merge programs, pagers or transports.
All that asks git goes through here.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from stepflow_gui.messages import _

_MOST_SECONDS = 120
_SETTINGS = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.quotePath", "false"),
    ("submodule.recurse", "false"),
    ("maintenance.auto", "false"),
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",  # git 2.39.4, 2.45 and later
    "GIT_ALLOW_PROTOCOL": "",  # none; overrules every `protocol.*` of a repository, in every git
    "LC_ALL": "C",
}
_LEFT_OUT = {"GIT_EXTERNAL_DIFF", "GIT_CONFIG_PARAMETERS", "GIT_TRACE", "GIT_PAGER"}
# The settings under names of a repository's own choice whose value is a program.
_PROGRAMS = r"^(filter\..*\.(clean|smudge|process)|diff\..*\.(command|textconv)|diff\.external|merge\..*\.driver)$"
_FILE_MODES = {b"100644", b"100755"}
_WITHOUT_OBJECT = re.compile(
    rb"not a (tree|valid) object|bad (tree )?object|missing (blob|tree|commit)|unable to read|object info|"
    rb"invalid object"
)


class GitError(Exception):
    """An error reported by git, or by starting it."""


def git_program() -> str | None:
    """The git to run; None where there is none on the path."""
    program = shutil.which("git")
    return program if program is not None and Path(program).is_absolute() else None


class Git:
    """Runs git in a folder, with none of the programs that the repository names. Methods raise GitError."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self._settings = list(_SETTINGS)
        self._is_tamed = False

    def top(self) -> Path | None:
        """The top of the work tree, spelled as the folder is where both lie below one another; None outside of one."""
        done = self._run("rev-parse", "--show-cdup")
        if done.returncode:
            if b"not a git repository" in done.stderr or b"must be run in a work tree" in done.stderr:
                return None
            raise GitError(_reason(done))
        return Path(os.path.normpath(self.folder / os.fsdecode(done.stdout.rstrip(b"\n"))))

    def commit(self, revision: str) -> str | None:
        """The commit that a revision means; None where git knows none. Raises for one that a partial clone left out."""
        if not revision or "\0" in revision:
            return None
        found = self._named(f"{revision}^{{commit}}")
        if found is None and (name := self._named(revision)) and not self.contents([name]):
            raise GitError(_("the object {name} isn't in this clone").format(name=name))
        return found

    def commit_before(self, time: datetime) -> str | None:
        """The newest commit of the current branch that isn't younger than a time; None where there is none."""
        done = self._run("rev-list", "-1", f"--before={time.isoformat(timespec='seconds')}", "HEAD")
        if done.returncode:
            raise GitError(_reason(done))
        return done.stdout.decode("ascii").strip() or None

    def worktrees(self) -> list[Path]:
        """The folders of all worktrees of the repository that exist."""
        lines = self.names("worktree", "list", "--porcelain", "-z", folder=self.folder)
        folders = (
            Path(os.fsdecode(line.removeprefix(b"worktree "))) for line in lines if line.startswith(b"worktree ")
        )
        return [folder for folder in folders if folder.is_dir()]

    def is_shallow(self) -> bool:
        """Whether the clone has only the newest part of the history."""
        return self._run("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"

    def _named(self, revision: str) -> str | None:
        done = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", revision)
        return done.stdout.decode("ascii").strip() if done.returncode == 0 else None

    def names(self, *arguments: str, folder: Path) -> list[bytes]:
        """The output of a command that ends each of its words with NUL."""
        done = self._run(*arguments, folder=folder)
        if done.returncode:
            raise GitError(_reason(done))
        return [name for name in done.stdout.split(b"\0") if name]

    def files_of(self, commit: str, top: Path, below: str = "") -> dict[str, str]:
        """The files of a commit, or of one of its folders: path from the top, name of the blob. Links are none."""
        found = {}
        where = ["--", below] if below else []
        for line in self.names("ls-tree", "-r", "-z", "--full-tree", commit, *where, folder=top):
            about, _tab, path = line.partition(b"\t")
            mode, _kind, name = about.split()
            if mode in _FILE_MODES:
                found[os.fsdecode(path)] = name.decode("ascii")
        return found

    def contents(self, blobs: Iterable[str]) -> dict[str, bytes]:
        """The contents of blobs by their names, as git stores them; those that don't exist are left out."""
        wanted = list(dict.fromkeys(blobs))
        if not wanted:
            return {}
        done = self._run("cat-file", "--batch", stdin="".join(f"{name}\n" for name in wanted).encode("ascii"))
        if done.returncode:
            raise GitError(_reason(done))
        return dict(_batch(done.stdout))

    def _run(
        self, *arguments: str, folder: Path | None = None, stdin: bytes | None = None
    ) -> "subprocess.CompletedProcess[bytes]":
        if not self._is_tamed:
            self._switch_off_programs()
            self._is_tamed = True
        return self._run_with_settings(arguments, folder or self.folder, stdin)

    def _switch_off_programs(self) -> None:
        """Overrule the programs that the repository sets; reading its settings runs none."""
        done = self._run_with_settings(("config", "--null", "--name-only", "--get-regexp", _PROGRAMS), self.folder)
        for key in sorted({os.fsdecode(key) for key in done.stdout.split(b"\0") if key}):
            self._settings.append((key, ""))
            if key.startswith("filter."):
                self._settings.append((f"{key.rpartition('.')[0]}.required", "false"))

    def _run_with_settings(
        self, arguments: Sequence[str], folder: Path, stdin: bytes | None = None
    ) -> "subprocess.CompletedProcess[bytes]":
        try:
            return subprocess.run(  # noqa: S603 - git by its absolute path, the arguments a list
                [self.program, "--no-pager", *arguments],
                cwd=folder,
                env=self._environment(),
                input=stdin or b"",
                capture_output=True,
                timeout=_MOST_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise GitError(str(error)) from error

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
        settings = {"GIT_CONFIG_COUNT": str(len(self._settings))}
        for number, (key, value) in enumerate(self._settings):
            settings[f"GIT_CONFIG_KEY_{number}"] = key
            settings[f"GIT_CONFIG_VALUE_{number}"] = value
        return {**kept, **_ENVIRONMENT, **settings}


def _batch(output: bytes) -> Iterable[tuple[str, bytes]]:
    """The answers of `cat-file --batch`: a line of name, type and size, then the content and a line feed."""
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        words = output[at:end].split()
        at = end + 1
        if len(words) == 3 and words[2].isdigit():
            size = int(words[2])
            yield words[0].decode("ascii"), output[at : at + size]
            at += size + 1


def _reason(done: "subprocess.CompletedProcess[bytes]") -> str:
    """That an object is missing, else the first line that isn't a mere warning."""
    if _WITHOUT_OBJECT.search(done.stderr):
        return _("objects of this revision aren't in this clone; “git fetch” may get them, “git fsck” lists them")
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    errors = [line for line in lines if not line.startswith("warning:")] or lines
    return errors[0] if errors else str(done.returncode)
