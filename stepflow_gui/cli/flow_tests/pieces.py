"""`stepflow test PIECE.yaml`: runs the scripts in `flow_tests/NAME` beside a TAKT piece, and reports failures."""

from argparse import Namespace
from pathlib import Path

from stepflow_gui.cli.flow_tests.options import NAME
from stepflow_gui.cli.flow_tests.results import print_result
from stepflow_gui.cli.parser import UsageError
from stepflow_gui.cli.run.configured import configured_era
from stepflow_gui.cli.run.options import report_usage_error
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.takt.opening import runner_of
from stepflow_gui.run.takt.scripts.piece_tests import PieceTested, files_of, run_piece_test

PASSED, FAILED = 0, 1


def test_piece(agent: AgentFolder, options: Namespace) -> int:
    """Run them: 0 where all passed, 1 where one failed, 2 where there are none."""
    folder, files = files_of(agent.registry.path)
    files = [file for file in files if not options.only or options.only in file.relative_to(folder).as_posix()]
    if not files:
        error = UsageError(_("{path}: no scripts found").format(path=shown_path(folder, Path.cwd())))
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
    taken, every = _covered(done)
    texts.append(_("{count} of {all} rules are taken.").format(count=taken, all=every))
    print(", ".join(texts))
    return FAILED if failed else PASSED


def _covered(done: list[PieceTested]) -> tuple[int, int]:
    """How many rules of movements the scripts take together, of how many."""
    taken = {rule for test in done for rule in test.taken}
    return len(taken), max((test.rules for test in done), default=0)
