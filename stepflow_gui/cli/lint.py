"""`stepflow lint`: checks registries and says what is wrong, for people or for programs."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.registries import Gathered, gather
from stepflow_gui.cli.streams import colorful, complain, show_trace, write_bytes
from stepflow_gui.lint.diagnostic import ERROR
from stepflow_gui.lint.engine import RuleFailure
from stepflow_gui.lint.outcome import Outcome, judge
from stepflow_gui.messages import _

CLEAN, ERRORS, TROUBLE = 0, 1, 2
FORMATS = ("text", "json")


def main(arguments: Sequence[str]) -> int:
    """Run it: 0 without errors, 1 with, 2 where something couldn't be looked at."""
    options = _parser().parse_args(arguments)
    gathered = gather(Path(path) for path in options.paths or ["."])
    failures: list[RuleFailure] = []
    outcome = judge(gathered.agents, gathered.undecodable, on_failure=failures.append)
    if gathered.agents or gathered.undecodable or options.format == "json":
        _report(outcome, options.format)
    for problem in outcome.unread:
        gathered.complain(problem)
    _complain(gathered, failures)
    if gathered.complaints or failures:
        return TROUBLE
    return ERRORS if outcome.count(ERROR) else CLEAN


def _parser() -> Parser:
    parser = Parser(
        "stepflow lint",
        _("Check registries and the agent.json, schemas and prompts around them. Nothing is changed, nothing is run."),
    )
    parser.words.add_argument(
        dest="paths",
        nargs="*",
        metavar=_("PATH"),
        help=_("registries, or folders to search for them (default: the current folder)"),
    )
    parser.options.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        metavar=_("FORMAT"),
        help=_("what the report looks like: text (default) or json"),
    )
    add_language(parser)
    parser.epilog = _("Exit code: 0 without errors, 1 with errors, 2 where something could not be looked at.")
    return parser


def _report(outcome: Outcome, form: str) -> None:
    folder = Path(os.path.normpath(Path.cwd()))
    if form == "json":
        from stepflow_gui.lint.report.json import json_report

        write_bytes(json_report(outcome, folder) + "\n")
        return
    from stepflow_gui.lint.report.full import FullReport

    for line in FullReport(outcome, folder, color=colorful()).lines():
        print(line)


def _complain(gathered: Gathered, failures: Iterable[RuleFailure]) -> None:
    for line in gathered.complaints:
        complain(f"stepflow lint: {line}")
    for failure in failures:
        show_trace(failure.error)
        complain(
            _(
                "stepflow lint: rule {code} failed on {file} ({error}); this is a bug in it, its other findings stand"
            ).format(code=failure.code, file=failure.file, error=f"{type(failure.error).__name__}: {failure.error}")
        )
