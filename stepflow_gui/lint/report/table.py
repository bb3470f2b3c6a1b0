"""The table of output formats; a format's module is loaded when it is asked for."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from stepflow_gui.lint.engine.outcome import LintOutcome

DEFAULT = "full"


class Format(NamedTuple):
    """`function(outcome, folder)` of the module gives the report, as a text or as its lines.

    Formats for people take a third argument, whether there may be colours, and are written in the terminal's encoding;
    those for programs in UTF-8.
    """

    module: str
    function: str
    for_people: bool = False

    def lines(self, outcome: LintOutcome, folder: Path, color: bool = False) -> Iterator[str]:
        """The lines of the report."""
        function: Any = getattr(import_module(f"stepflow_gui.lint.report.{self.module}"), self.function)
        made = function(outcome, folder, color) if self.for_people else function(outcome, folder)
        return iter([made]) if isinstance(made, str) else iter(made)


FORMATS = {
    "full": Format("full", "full_lines", for_people=True),
    "text": Format("full", "full_lines", for_people=True),
    "concise": Format("concise", "concise_lines", for_people=True),
    "json": Format("json", "json_report"),
    "jsonl": Format("json", "json_lines"),
    "sarif": Format("sarif", "sarif_report"),
    "github": Format("github", "github_lines"),
    "gitlab": Format("gitlab", "gitlab_report"),
    "junit": Format("junit", "junit_lines"),
    "rdjson": Format("rdjson", "rdjson_report"),
}
