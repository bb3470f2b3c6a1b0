"""The flow as it was when a logged run began: of git, or as TAKT has stored it with the run."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.git.revision import RevisionProblem, commit_before, revision_of
from stepflow_gui.run.logs.logged_run import LoggedRun, LogProblem
from stepflow_gui.text.document import YAML_ENDINGS
from stepflow_gui.text.files.store import ReadProblem

THEN = "then"  # in place of a revision: when the run began
_BUNDLE = "workflow-bundle"
_MOST = 200  # files of a bundle that are opened
_SHORT = 10  # characters of a commit's name that are shown


class EarlierFlow(NamedTuple):
    """An agent or piece as it was, and what that is called."""

    agent: AgentFolder
    title: str


def flow_at(agent: AgentFolder, run: LoggedRun, revision: str) -> EarlierFlow | LogProblem:
    """The agent at a git revision, or `THEN`: when the run began. Nothing is checked out or changed."""
    if revision == THEN:
        stored = _stored_with(run) if agent.format == "takt" else None
        if stored is not None:
            return EarlierFlow(stored, _("the workflow stored with the run"))
        began = _time_of(run)
        if began is None:
            return LogProblem(_("{path}: the log doesn't show when the run began").format(path=run.file))
        found = commit_before(agent.root, began)
        title = _("the commit of that time, {commit}")
    else:
        found = revision_of(agent.root, revision)
        title = _("{revision} ({commit})")
    if isinstance(found, RevisionProblem):
        return LogProblem(found.message)
    title = title.format(revision=revision, commit=found.commit[:_SHORT])
    earlier = found.agent(agent.registry.path)
    if isinstance(earlier, RevisionProblem):
        return LogProblem(earlier.message)
    if isinstance(earlier, ReadProblem):
        text = _("{path} doesn't exist in commit {commit}")
        return LogProblem(text.format(path=agent.registry.path, commit=found.commit[:_SHORT]))
    return EarlierFlow(earlier, title)


def _time_of(run: LoggedRun) -> datetime | None:
    try:
        time = datetime.fromisoformat(run.began or "")
    except ValueError:
        return None
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def _stored_with(run: LoggedRun) -> AgentFolder | None:
    """The workflow in the folder of a run of TAKT, by the name that the log has."""
    folder = run.file.parent.parent / _BUNDLE
    for path in islice(_yaml_below(folder), _MOST):
        found = open_agent(path)
        if not isinstance(found, AgentFolder) or found.format != "takt":
            continue
        name = found.flow.agent_id
        if run.name is None or (name is not None and name.value == run.name):
            return found
    return None


def _yaml_below(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(place) / name
            if name.endswith(YAML_ENDINGS) and path.is_file() and not path.is_symlink():
                yield path
