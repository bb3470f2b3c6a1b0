"""Lints one registry as its configuration says: what a window or an editor shows is what the command line would."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from stepflow_gui.lint.config import Configs
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine import OnFailure, lint
from stepflow_gui.lint.outcome import sources_of
from stepflow_gui.project.agent_folder import open_agent
from stepflow_gui.text.source import Source
from stepflow_gui.text.store import ReadProblem

if TYPE_CHECKING:
    from stepflow_gui.lint.memory import LintMemory


def lint_as_configured(
    path: Path,
    unsaved: Mapping[Path, Source] | None = None,
    on_failure: OnFailure | None = None,
    memory: "LintMemory | None" = None,
) -> list[Diagnostic] | ReadProblem:
    """The findings about the agent at a path (absolute), those that its baseline holds left out."""
    config = Configs().of(path)
    folder = open_agent(path, unsaved, config.format(path))
    if isinstance(folder, ReadProblem):
        return folder
    found = lint(folder, config.settings(folder.registry.path, folder.format), on_failure, memory=memory)
    if config.baseline is None or not found:
        return found
    from stepflow_gui.lint.baseline import Baseline, read_baseline

    baseline = read_baseline(config.baseline)
    return baseline.split(found, sources_of(folder, found)).new if isinstance(baseline, Baseline) else found
