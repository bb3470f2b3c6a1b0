"""`stepflow trust`: allows commands of validators and closures in a project, revokes that, lists the projects."""

from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.registries import path_problem, read_problem_text
from stepflow_gui.cli.run.options import report_usage_error
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _
from stepflow_gui.project.commands import digests_below
from stepflow_gui.project.finding.locate import project_root
from stepflow_gui.project.trust import Trust, TrustProblem

DONE, NOT_TRUSTED = 0, 1
NAME = "stepflow trust"


def main(arguments: Sequence[str]) -> int:
    """Run it: 0 if it was done; with `--check` 1 where the folder isn't trusted; 2 where something is wrong."""
    options = make_parser().read(arguments)
    trust = Trust()
    if options.list:
        return _list(trust)
    named = Path(options.folder)
    unread = path_problem(named)
    if unread is not None and not options.remove:
        return report_usage_error(NAME, read_problem_text(unread))
    folder = project_root(named.absolute()) if unread is None else named.absolute()
    if options.check:
        return _check(trust, folder)
    problem = trust.remove(folder) if options.remove else trust.add(folder)
    if problem is not None:
        return report_usage_error(NAME, problem.message)
    text = _("no longer trusted: {path}") if options.remove else _("trusted: {path}")
    print(printable(text.format(path=folder)))
    return DONE


def _check(trust: Trust, folder: Path) -> int:
    state = trust.state_of(folder)
    if state == "trusted":
        state = trust.state_of(folder, digests_below(folder))
    text = {
        "trusted": _("trusted: {path}"),
        "changed": _("not trusted: {path} (commands have changed since it was trusted)"),
        "untrusted": _("not trusted: {path}"),
    }[state]
    print(printable(text.format(path=folder)))
    return DONE if state == "trusted" else NOT_TRUSTED


def make_parser() -> Parser:
    """The options of `stepflow trust`."""
    parser = Parser(
        NAME,
        _("Allow a project to run the commands of validators and closure steps. Otherwise they are simulated."),
    )
    parser.words.add_argument(
        "folder",
        metavar=_("FOLDER"),
        nargs="?",
        default=".",
        help=_("a folder in the project (default: the current folder)"),
    )
    what = parser.options.add_mutually_exclusive_group()
    what.add_argument("--remove", action="store_true", help=_("stop trusting the project"))
    what.add_argument(
        "--check", action="store_true", help=_("show whether the project is trusted; exit with 1 if it isn't")
    )
    what.add_argument("--list", action="store_true", help=_("list all trusted folders"))
    add_language(parser)
    return parser


def _list(trust: Trust) -> int:
    folders = trust.folders()
    if isinstance(folders, TrustProblem):
        return report_usage_error(NAME, folders.message)
    for each in sorted(folders, key=lambda each: each.path):
        text = str(each.path) if each.is_there() else _("{path} (gone or replaced)").format(path=each.path)
        print(printable(text))
    return DONE
