"""SF095 pattern-without-files.

What it does: reports a path or pattern of the configuration, under `per-path` or `suppress`, that no file below its
folder matches.

Why is this bad: the settings under it have no effect. Usually a folder was renamed, or the pattern is not relative to
the folder of the configuration.

Fix: correct the pattern, or remove it. `legacy/` means a folder of that name with all in it, `**` any number of
folders.
"""

from collections.abc import Iterator

from stepflow_gui.lint.config.config import ConfigPattern
from stepflow_gui.lint.rule import CONFIG
from stepflow_gui.lint.rules.prelude import WARNING, Finding, Rule, _, changed

RULE = Rule("SF095", "pattern-without-files", WARNING, looks_at=CONFIG)

BAD = changed(texts={"stepflow.toml": '[[per-path]]\npaths = ["agents/legacy/**"]\nignore = ["SF5"]\n'})
GOOD = changed(texts={"stepflow.toml": '[[per-path]]\npaths = ["steps_registry.json"]\nignore = ["SF502"]\n'})


def check(pattern: ConfigPattern) -> Iterator[Finding]:
    """No file of the run meets it, and none that the run left out."""
    yield Finding(
        _("No file matches “{pattern}” (relative to {folder}): what is set here has no effect").format(
            pattern=pattern.text, folder=pattern.document.path.parent.name or "/"
        ),
        pattern.span,
        None,
        document=pattern.document,
    )
