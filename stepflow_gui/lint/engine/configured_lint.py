"""Lints one registry by its configuration: a window or an editor shows the same findings as the command line."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from stepflow_gui.lint.config.config import Config, Configs
from stepflow_gui.lint.diagnostic import Diagnostic, order
from stepflow_gui.lint.engine.engine import OnFailure, lint
from stepflow_gui.lint.engine.outcome import sources_of
from stepflow_gui.lint.fixing import Choosing, Fixed, fix_all
from stepflow_gui.lint.suppressions.suppressing import Suppressed
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source

if TYPE_CHECKING:
    from stepflow_gui.lint.engine.memory import LintMemory


def lint_as_configured(
    path: Path,
    unsaved: Mapping[Path, Source] | None = None,
    on_failure: OnFailure | None = None,
    memory: "LintMemory | None" = None,
    suppressed: list[Suppressed] | None = None,
    bases: dict[Path, Source | None] | None = None,
) -> list[Diagnostic] | ReadProblem:
    """The findings about the agent at a path (absolute), those that its baseline holds left out.

    What in the configuration had no effect is among them; what is invalid in it is `Config.problems`. Those that
    a suppression keeps back are added to `suppressed`. A fix that harms a release of TAKT isn't offered. `bases` gets
    the texts that the offsets of fixes count in, None for files that don't exist.
    """
    configs = Configs(unsaved=unsaved)
    config = configs.of(path)
    opened = memory.open if memory is not None else open_agent
    folder = opened(path, unsaved, config.format(path))
    if isinstance(folder, ReadProblem):
        return folder
    found = _findings(folder, config, on_failure, memory, suppressed)
    for each in found:
        for fix in each.fixes:
            fix.work_out()
    if folder.registry.is_yaml:
        from stepflow_gui.lint.release_guard import without_harmful_fixes  # registries are of other formats

        found = without_harmful_fixes(found, folder.registry, config.runtime(path, folder.format))
    if config.patterns or config.suppressions:
        from stepflow_gui.lint.config.usage import config_diagnostics

        of_config = [diagnostic for diagnostic, _source in config_diagnostics(configs, [folder.registry.path])]
        found = sorted([*found, *of_config], key=order)
    if bases is not None:
        for file in {edit.file for each in found for fix in each.fixes for edit in fix.edits}:
            read = folder.content(file)
            bases[file] = None if isinstance(read, ReadProblem) else read.source
    return found


def fix_all_as_configured(
    path: Path, choosing: Choosing, unsaved: Mapping[Path, Source] | None = None
) -> Fixed | ReadProblem:
    """What `stepflow lint --fix` would make of the agent at a path with its unsaved texts. Nothing is written."""
    config = Configs(unsaved=unsaved).of(path)
    folder = open_agent(path, unsaved, config.format(path))
    if isinstance(folder, ReadProblem):
        return folder
    return fix_all(
        [folder],
        lambda agent: _findings(agent, config, None),
        choosing,
        unsaved,
        lambda piece: config.runtime(piece, "takt"),
    )


def _findings(
    folder: AgentFolder,
    config: Config,
    on_failure: OnFailure | None,
    memory: "LintMemory | None" = None,
    suppressed: list[Suppressed] | None = None,
) -> list[Diagnostic]:
    settings = config.settings(folder.registry.path, folder.format)
    found = lint(folder, settings, on_failure, memory=memory, suppressed=suppressed)
    if config.baseline is None or not found:
        return found
    from stepflow_gui.lint.suppressions.baseline import Baseline, read_baseline

    baseline = read_baseline(config.baseline)
    return baseline.split(found, sources_of(folder, found)).new if isinstance(baseline, Baseline) else found
