"""`stepflow test`: runs the scripts of an agent's `flow_tests` folder, reports failures and coverage."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.flow_tests.options import NAME, make_parser, minimums_of
from stepflow_gui.cli.flow_tests.results import print_result
from stepflow_gui.cli.output_file import write_output
from stepflow_gui.cli.parser import AGENT, PIECE, UsageError
from stepflow_gui.cli.run.configured import configured_era, configured_prompts
from stepflow_gui.cli.run.lines import end_of
from stepflow_gui.cli.run.options import check_options, commands_for, report_usage_error
from stepflow_gui.cli.run.prompt_warnings import PromptWarnings
from stepflow_gui.cli.run.unparsable import REFUSED, refuses
from stepflow_gui.cli.streams import print_error
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.choosing import NotChosen, broken_agent_file, choose_agent
from stepflow_gui.run.agent_run import AgentRun, RunOptions
from stepflow_gui.run.exploring.report import edge_text, share_text
from stepflow_gui.run.scripts.coverage import KINDS, Coverage, kind_name, totals_of
from stepflow_gui.run.scripts.coverage_minimums import CoverageShortfall, shortfalls
from stepflow_gui.run.scripts.flow_tests import FOLDER, Tested, flow_test_files, run_flow_test
from stepflow_gui.text.files.store import SaveFailed

PASSED, FAILED = 0, 1
TAKT = "takt"


def main(arguments: Sequence[str]) -> int:
    """Run it: 0 where all passed, 1 where one failed or too little is covered, 2 for a wrong command line."""
    parser = make_parser()
    options = parser.read(arguments)
    agent = choose_agent(options.agent)
    if isinstance(agent, NotChosen):
        return report_usage_error(NAME, agent.message)
    kind = PIECE if agent.format == TAKT else AGENT
    try:
        check_options(parser, options, kind)
    except UsageError as error:
        return report_usage_error(NAME, error)
    if refuses(agent):
        return REFUSED
    if kind == PIECE:
        from stepflow_gui.cli.flow_tests.pieces import test_piece

        return test_piece(agent, options)
    if broken := broken_agent_file(agent):
        print_error(f"{NAME}: {broken}")
    try:
        return _run(agent, options)
    except UsageError as error:
        return report_usage_error(NAME, error)


def _run(agent: AgentFolder, options: Namespace) -> int:
    minimums = {kind: percent for kind, percent in minimums_of(options, KINDS).items() if kind in KINDS}
    folder = agent.folder / FOLDER
    files = [
        file
        for file in flow_test_files(agent)
        if not options.only or options.only in file.relative_to(folder).as_posix()  # as it is shown
    ]
    if not files:
        raise UsageError(_("{path}: no scripts found").format(path=shown_path(folder, Path.cwd())))
    run_options = RunOptions(
        era=options.runtime,
        max_iterations=options.max_iterations,
        default_era=configured_era(agent),
        spare_prompts=configured_prompts(agent),
        needs_prompts=False if options.no_prompts else None,
    )
    prompts = PromptWarnings(NAME, agent, silent=options.no_prompts)
    machine = AgentRun(agent, run_options).machine
    coverage = Coverage(totals_of(machine.flow, machine.era, machine.verdict))
    done: list[Tested] = []
    for file in files:
        commands, real = commands_for(agent, options)
        done.append(run_flow_test(agent, file, commands, run_options._replace(fresh=real), prompts.watch))
        coverage.add_run(done[-1].entries)
        end = end_of(done[-1].ran) if done[-1].ran is not None else ""
        print_result(file, folder, [(each.line, each.message) for each in done[-1].failures], end, options)
    short = shortfalls(coverage, minimums)
    _print_summary(done, coverage, short, listing=options.coverage)
    if options.junit:
        from stepflow_gui.cli.flow_tests.junit import junit

        saved = write_output(Path(options.junit), junit(agent, done, short, folder))
        if isinstance(saved, SaveFailed):
            raise UsageError(_("{path}: can't be written ({reason})").format(path=options.junit, reason=saved.reason))
    return FAILED if short or any(test.failures for test in done) else PASSED


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
