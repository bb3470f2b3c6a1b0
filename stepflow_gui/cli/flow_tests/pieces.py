"""`stepflow test PIECE.yaml`: runs the scripts in `flow_tests/NAME` beside a TAKT piece, and reports failures."""

from argparse import Namespace
from pathlib import Path

from stepflow_gui.cli.flow_tests.options import NAME, minimums_of
from stepflow_gui.cli.flow_tests.results import print_result
from stepflow_gui.cli.parser import UsageError
from stepflow_gui.cli.run.configured import configured_era
from stepflow_gui.cli.run.options import report_usage_error
from stepflow_gui.formats.takt.runners import TaktRunner
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.scripts.coverage import Share
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.scripts.piece_coverage import PIECE_KINDS, PieceCoverage, coverage_of
from stepflow_gui.run.takt.scripts.piece_tests import PieceTested, files_of, run_piece_test

PASSED, FAILED = 0, 1


def test_piece(agent: AgentFolder, options: Namespace) -> int:
    """Run them: 0 where all passed, 1 where one failed, 2 where there are none."""
    folder, files = files_of(agent.registry.path)
    files = [file for file in files if not options.only or options.only in file.relative_to(folder).as_posix()]
    if not files:
        error = UsageError(_("{path}: no scripts found").format(path=shown_path(folder, Path.cwd())))
        return report_usage_error(NAME, error)
    try:
        minimums = minimums_of(options, PIECE_KINDS)
    except UsageError as error:
        return report_usage_error(NAME, error)
    runner = runner_of(agent, options.runtime) if options.runtime else None
    usual = runner_of(agent, configured_era(agent))
    done = [run_piece_test(agent, file, runner, usual) for file in files]
    for test in done:
        print_result(test.file, folder, [(each.line, each.message) for each in test.failures], test.outcome, options)
    failed = sum(bool(test.failures) for test in done)
    texts = [ngettext("{count} passed", "{count} passed", len(done) - failed).format(count=len(done) - failed)]
    if failed:
        texts.append(ngettext("{count} failed", "{count} failed", failed).format(count=failed))
    covered = _covered(agent, runner or usual, done)
    short: list[str] = []
    if covered is not None:
        texts += [f"{covered.named(kind)} {_share(covered.share(kind))}" for kind in PIECE_KINDS]
        short = list(covered.shortfalls(minimums))
    print(", ".join(texts))
    for line in short:
        print(line)
    for name in covered.missing() if covered is not None and options.coverage else ():
        print(printable(_("not covered: {name}").format(name=name)))
    return FAILED if failed or short else PASSED


def _covered(agent: AgentFolder, runner: TaktRunner, done: list[PieceTested]) -> PieceCoverage | None:
    """What the scripts cover together; None where the piece can't be run."""
    piece = piece_in(agent, runner)
    if isinstance(piece, PieceRefusal):
        return None
    visited = (name for test in done for name in test.visited)
    return coverage_of(piece, visited, (rule for test in done for rule in test.taken))


def _share(share: Share) -> str:
    return f"{share.covered}/{share.total} ({int(share.percent)} %)"
