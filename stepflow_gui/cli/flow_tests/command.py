"""`stepflow test`: runs the scripts of an agent's `flow_tests` folder, reports failures and coverage."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.output_file import write_output
from stepflow_gui.cli.piece_argument import TAKT, piece_among
from stepflow_gui.cli.run.configured import configured_era
from stepflow_gui.cli.run.lines import end_of
from stepflow_gui.cli.run.options import UsageError, commands_for, read_test_options, report_usage_error
from stepflow_gui.cli.run.unparsable import REFUSED, refuses
from stepflow_gui.cli.streams import print_error
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.choosing import NotChosen, broken_agent_file, choose_agent
from stepflow_gui.run.agent_run import AgentRun, RunOptions
from stepflow_gui.run.exploring.report import edge_text, share_text
from stepflow_gui.run.scripts.coverage import KINDS, Coverage, Kind, kind_name, totals_of
from stepflow_gui.run.scripts.coverage_minimums import CoverageShortfall, shortfalls
from stepflow_gui.run.scripts.flow_tests import FOLDER, Tested, flow_test_files, run_flow_test
from stepflow_gui.text.files.store import SaveFailed

PASSED, FAILED = 0, 1
NAME = "stepflow test"


def main(arguments: Sequence[str]) -> int:
    """Run it: 0 where all passed, 1 where one failed or too little is covered, 2 for a wrong command line."""
    piece = piece_among(arguments)
    if piece is not None:
        return _test_piece(piece, arguments)
    options = read_test_options(arguments)
    agent = choose_agent(options.agent)
    if isinstance(agent, NotChosen):
        return report_usage_error(NAME, agent.message)
    if agent.format == TAKT:  # the only one of a folder, or found by its name
        return _test_piece(agent, arguments)
    if refuses(agent):
        return REFUSED
    if broken := broken_agent_file(agent):
        print_error(f"{NAME}: {broken}")
    try:
        return _run(agent, options)
    except UsageError as error:
        return report_usage_error(NAME, error)


def _test_piece(piece: AgentFolder, arguments: Sequence[str]) -> int:
    from stepflow_gui.cli.flow_tests.pieces import test_piece

    return test_piece(piece, arguments)


def _run(agent: AgentFolder, options: Namespace) -> int:
    minimums = dict(map(_minimum, options.coverage_min))
    files = [file for file in flow_test_files(agent) if not options.only or options.only in file.name]
    folder = agent.folder / FOLDER
    if not files:
        raise UsageError(_("{path}: there are no scripts here to run").format(path=shown_path(folder, Path.cwd())))
    run_options = RunOptions(era=options.era, max_iterations=options.max_iterations, default_era=configured_era(agent))
    machine = AgentRun(agent, run_options).machine
    coverage = Coverage(totals_of(machine.flow, machine.era, machine.verdict))
    done: list[Tested] = []
    for file in files:
        commands, real = commands_for(agent, options)
        done.append(run_flow_test(agent, file, commands, run_options._replace(fresh=real)))
        coverage.add_run(done[-1].entries)
        _print_result(done[-1], folder, quiet=options.quiet)
    short = shortfalls(coverage, minimums)
    _print_summary(done, coverage, short, listing=options.coverage)
    if options.junit:
        from stepflow_gui.cli.flow_tests.junit import junit

        saved = write_output(Path(options.junit), junit(agent, done, short, folder))
        if isinstance(saved, SaveFailed):
            raise UsageError(_("{path}: can't be written ({reason})").format(path=options.junit, reason=saved.reason))
    return FAILED if short or any(test.failures for test in done) else PASSED


def _print_result(test: Tested, folder: Path, *, quiet: bool) -> None:
    name = shown_path(test.file, folder)
    if not test.failures:
        if not quiet:
            assert test.ran is not None
            print(printable(_("passed  {name}: {end}").format(name=name, end=end_of(test.ran))))
        return
    print(printable(_("FAILED  {name}").format(name=name)))
    where = shown_path(test.file, Path.cwd())
    for failure in test.failures:
        print(printable(f"  {where}:{failure.line}: {failure.message}"))


def _print_summary(done: list[Tested], coverage: Coverage, short: list[CoverageShortfall], *, listing: bool) -> None:
    failed = sum(bool(test.failures) for test in done)
    passed = len(done) - failed
    texts = [ngettext("{count} passed", "{count} passed", passed).format(count=passed)]
    if failed:
        texts.append(ngettext("{count} failed", "{count} failed", failed).format(count=failed))
    texts += [f"{kind_name(kind)} {share_text(coverage, kind)}" for kind in KINDS]
    print(", ".join(texts))
    for each in short:
        print(each.message)
    if listing:
        missing = [
            *coverage.missing_steps,
            *map(edge_text, coverage.missing_edges),
            *coverage.missing_validators,
        ]
        for name in missing:
            print(printable(_("not covered: {name}").format(name=name)))


def _minimum(text: str) -> tuple[Kind, float]:
    name, _equals, number = text.partition("=")
    kind = next((kind for kind in KINDS if kind == name), None)
    try:
        percent = float(number)
    except ValueError:
        percent = -1.0
    if kind is None or not 0 <= percent <= 100:
        message = _("--coverage-min wants steps, edges or validators and a percentage, such as edges=100, not “{text}”")
        raise UsageError(message.format(text=text))
    return kind, percent
