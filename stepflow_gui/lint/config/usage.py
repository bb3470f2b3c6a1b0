"""Findings of a run about the configuration itself: patterns without files, suppressions unused or without a reason."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from stepflow_gui.lint.config.config import Config, ConfigPattern, Configs
from stepflow_gui.lint.config.globs import Glob
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import diagnostic_of, findings_afterwards, judged
from stepflow_gui.lint.rule import CONFIG, SUPPRESSION
from stepflow_gui.lint.suppressions.suppressing import Suppression
from stepflow_gui.project.finding.find import scan
from stepflow_gui.text.files.presence import is_file, is_folder
from stepflow_gui.text.source import Source

_SKIPPED = frozenset({".git", "node_modules", ".venv"})


def config_diagnostics(configs: Configs, registries: Iterable[Path]) -> Iterator[tuple[Diagnostic, Source]]:
    """After a run over registries: the diagnostics, each with the text of the configuration it points into."""
    linted = list(registries)
    for config in configs.all():
        if config.file is None:
            continue
        unmet = [pattern for pattern in config.patterns if not _meets_some(pattern.glob, linted)]
        for suppression in config.suppressions:
            if not suppression.used and not _was_asked_everywhere(suppression, config, linted, unmet):
                suppression.used = True  # it isn't known whether it is used
        found = [*findings_afterwards(CONFIG, unmet), *findings_afterwards(SUPPRESSION, config.suppressions)]
        settings = config.settings(config.file.path, None)
        for each in found:
            diagnostic = judged(diagnostic_of(each, config.file.document, None), settings)
            if diagnostic:
                yield diagnostic, config.file.document.source


def _meets_some(glob: Glob, linted: Iterable[Path]) -> bool:
    """Whether a file meets a pattern: one of the run, else any on disk."""
    if any(glob.meets(path) for path in linted):
        return True
    if not is_folder(glob.start):
        return is_file(glob.start) and glob.meets(glob.start)
    for folder, folders, files in os.walk(glob.start):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        if any(glob.meets(Path(folder, name)) for name in files):
            return True
    return False


def _was_asked_everywhere(
    suppression: Suppression, config: Config, linted: Iterable[Path], unmet: Iterable[ConfigPattern]
) -> bool:
    """Whether the run saw all registries that a suppression may be for, with its rule on."""
    assert config.file
    if any(pattern.glob is suppression.files for pattern in unmet):
        return False  # that is reported by itself
    found = scan(config.file.path.parent)
    named = [path for path in found.registries if suppression.files and suppression.files.meets(path)]
    asked = set(linted)
    meant = named or found.registries
    return (
        not found.problems
        and asked.issuperset(meant)
        and all(config.choice.verdict(suppression.code, [path]).on for path in meant)
    )
