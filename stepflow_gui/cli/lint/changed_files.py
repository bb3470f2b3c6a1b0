"""Which files differ from a git revision."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.project.finding.files_of_registry import RegistryOwners
from stepflow_gui.project.git.git import Git, GitError, git_program


class ChangeProblem(NamedTuple):
    """Why git failed, in one line."""

    message: str


def owned_by_changed(revision: str, folder: Path) -> Callable[[Path], bool] | ChangeProblem:
    """A function that tests whether a file of a registry differs from a revision."""
    changed = changed_since(revision, folder)
    if isinstance(changed, ChangeProblem):
        return changed
    owners = RegistryOwners()
    found = {os.path.realpath(registry) for path in changed for registry in owners.of(path)}
    return lambda registry: os.path.realpath(registry) in found


def changed_since(revision: str, folder: Path) -> frozenset[Path] | ChangeProblem:
    """The files (absolute) of the whole work tree that differ from a revision, gone and untracked ones among them.

    A renamed file counts under both names. What git ignores doesn't count.
    """
    program = git_program()
    if program is None:
        return ChangeProblem(_("--since needs git, which was not found on PATH"))
    git = Git(program, folder)
    try:
        top = git.top()
        if top is None:
            return ChangeProblem(_("--since needs a git work tree; {path} is not in one").format(path=folder))
        commit = git.commit(revision)
        if commit is None:
            return ChangeProblem(_("unknown git revision “{revision}”").format(revision=revision))
        options = ("--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--no-relative")
        names = git.names("diff", "--name-only", "-z", *options, commit, "--", folder=top)
        names += git.names("ls-files", "-z", "--others", "--exclude-standard", "--full-name", folder=top)
    except GitError as failed:
        return ChangeProblem(_("git can't list the changes ({reason})").format(reason=failed))
    return frozenset(top / os.fsdecode(name) for name in names)
