"""`stepflow test PIECE.yaml`: runs the scripts in `flow_tests/NAME` beside a TAKT piece, and reports failures."""

from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.run.configured import configured_era
from stepflow_gui.cli.run.options import UsageError, report_usage_error
from stepflow_gui.cli.run.unparsable import REFUSED, refuses
from stepflow_gui.formats.takt.runners import EXAMPLE, RUNNER_NAMES, RUNNERS
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.takt.opening import runner_of
from stepflow_gui.run.takt.scripts.piece_tests import PieceTested, files_of, run_piece_test

PASSED, FAILED = 0, 1
NAME = "stepflow test"


def test_piece(agent: AgentFolder, arguments: Sequence[str]) -> int:
    """Run them: 0 where all passed, 1 where one failed, 2 for a wrong command line or where there are none."""
    parser = Parser(NAME, _("Run every script in flow_tests/NAME beside a TAKT piece."))
    parser.words.add_argument("piece", nargs="?", metavar=_("PIECE"), help=_("the YAML file of a piece or workflow"))
    options = parser.options
    options.add_argument(
        *("--era", "--runtime"),
        choices=RUNNER_NAMES,
        metavar=_("ERA"),
        help=_("the runner that is imitated: {eras}, or a release such as {release}").format(
            eras=", ".join(RUNNERS), release=EXAMPLE
        ),
    )
    options.add_argument("--only", metavar=_("PATTERN"), help=_("only scripts whose name has this in it"))
    options.add_argument("--quiet", "-q", action="store_true", help=_("say only what failed, and the summary"))
    add_language(parser)
    chosen = parser.parse_args(arguments)
    if refuses(agent):
        return REFUSED
    folder, files = files_of(agent.registry.path)
    files = [file for file in files if not chosen.only or chosen.only in file.name]
    if not files:
        error = UsageError(_("{path}: there are no scripts here to run").format(path=shown_path(folder, Path.cwd())))
        return report_usage_error(NAME, error)
    runner = runner_of(agent, chosen.era) if chosen.era else None
    usual = runner_of(agent, configured_era(agent))
    done = [run_piece_test(agent, file, runner, usual) for file in files]
    for test in done:
        _print_result(test, folder, quiet=chosen.quiet)
    failed = sum(bool(test.failures) for test in done)
    texts = [ngettext("{count} passed", "{count} passed", len(done) - failed).format(count=len(done) - failed)]
    if failed:
        texts.append(ngettext("{count} failed", "{count} failed", failed).format(count=failed))
    taken, every = _covered(done)
    texts.append(_("{count} of {all} rules are taken.").format(count=taken, all=every))
    print(", ".join(texts))
    return FAILED if failed else PASSED


def _print_result(test: PieceTested, folder: Path, *, quiet: bool) -> None:
    name = shown_path(test.file, folder)
    if not test.failures:
        if not quiet:
            print(printable(_("passed  {name}: {end}").format(name=name, end=test.outcome)))
        return
    print(printable(_("FAILED  {name}").format(name=name)))
    where = shown_path(test.file, Path.cwd())
    for failure in test.failures:
        print(printable(f"  {where}:{failure.line}: {failure.message}"))


def _covered(done: list[PieceTested]) -> tuple[int, int]:
    """How many rules of movements the scripts take together, of how many."""
    taken = {rule for test in done for rule in test.taken}
    return len(taken), max((test.rules for test in done), default=0)
