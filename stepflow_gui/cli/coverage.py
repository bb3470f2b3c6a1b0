"""`stepflow coverage`: what many logged runs of an agent or a piece went through, where they ended, what they cost."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from stepflow_gui.cli.output_file import write_output
from stepflow_gui.cli.parser import USAGE_ERROR, Parser, UsageError, add_format, add_language
from stepflow_gui.cli.run.log_lines import compared_log, log_parameters, logged_run
from stepflow_gui.cli.run.options import add_agent, add_args, add_runtime, check_options
from stepflow_gui.cli.streams import print_error, write_bytes
from stepflow_gui.lint.report.json_text import json_text
from stepflow_gui.lint.report.printable import printable, width
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.choosing import NotChosen, choose_agent
from stepflow_gui.run.exploring.report import edge_text
from stepflow_gui.run.logs.comparing import LogView, problem_of_other
from stepflow_gui.run.logs.listing import log_folders, logs_of, worktree_folders
from stepflow_gui.run.logs.log_coverage import LogCoverage, never_taken, totals_of
from stepflow_gui.run.logs.log_text import duration, ending_of, money
from stepflow_gui.run.logs.logged_run import ComparedRun
from stepflow_gui.text.files.store import SaveFailed
from stepflow_gui.text.json.tree import JsonValue

NAME = "stepflow coverage"


def main(arguments: Sequence[str]) -> int:
    """Run it: 0, or 2 where no log could be counted."""
    parser = make_parser()
    options = parser.read(arguments)
    agent = choose_agent(options.agent)
    if isinstance(agent, NotChosen):
        print_error(f"{NAME}: {agent.message}")
        return USAGE_ERROR
    try:
        check_options(parser, options, "takt" if agent.format == "takt" else "agent")
        coverage = _count(agent, options)
    except UsageError as error:
        print_error(f"{NAME}: {error}")
        return USAGE_ERROR
    if options.format == "json":
        text = json_text(_as_json(coverage), indent=2) + "\n"
    elif options.format == "html":
        from stepflow_gui.export.coverage_report import coverage_html

        text = coverage_html(agent, coverage)
    else:
        text = "".join(f"{printable(line)}\n" for line in _lines(coverage))
    if options.output is None:
        write_bytes(text)
        return 0
    written = write_output(Path(options.output), text)
    if isinstance(written, SaveFailed):
        reason = _("{path}: can't be written ({reason})").format(path=written.path, reason=written.reason)
        print_error(f"{NAME}: {reason}")
        return USAGE_ERROR
    return 0


def make_parser() -> Parser:
    """The options of `stepflow coverage`."""
    text = _("Count what the logs of real runs went through: transitions, ends, time and cost of each step.")
    parser = Parser(NAME, text)
    add_agent(parser)
    parser.words.add_argument(
        "logs",
        metavar=_("LOG"),
        nargs="*",
        help=_("a log, or a folder with logs of the agent (default: the folders in which its runner leaves them)"),
    )
    options = parser.options
    options.add_argument(
        "--worktrees", action="store_true", help=_("also read the log folders in the other git worktrees")
    )
    add_runtime(options)
    add_args(options)
    add_format(options, _("print a table (text, default), json, or one page of html"), ("text", "json", "html"))
    options.add_argument("-o", "--output", metavar=_("FILE"), help=_("write the result to this file"))
    parser.epilog = _("Exit code: 0, or 2 if no log could be counted, 130 after Ctrl-C.")
    add_language(parser)
    return parser


def _count(agent: AgentFolder, options: Namespace) -> LogCoverage:
    coverage = LogCoverage(agent.flow)
    args = log_parameters(agent, options)
    for file in _files(agent, options):
        try:
            coverage.add(_compared(agent, file, LogView(options.runtime), args))
        except UsageError as error:
            print_error(f"{NAME}: {error}")
    if not coverage.runs:
        raise UsageError(_("no log of this agent could be counted"))
    return coverage


def _compared(agent: AgentFolder, file: Path, view: LogView, args: dict[str, JsonValue]) -> ComparedRun:
    """A log beside the agent. Raises UsageError where it can't be read or is another agent's."""
    run = logged_run(file)
    other = problem_of_other(agent, agent.folder.name, run)
    if other is not None:
        raise UsageError(other.message)
    return compared_log(agent, run, view, args)


def _files(agent: AgentFolder, options: Namespace) -> Iterator[Path]:
    named = [Path(each) for each in options.logs] or log_folders(agent)
    if options.worktrees:
        named = [*named, *worktree_folders(agent)]
    for each in dict.fromkeys(named):
        if not each.is_dir():
            yield each
            continue
        found = logs_of(agent, each)
        if not found and options.logs:
            print_error(f"{NAME}: {_('{folder} has no log of a run').format(folder=each)}")
        yield from found


def _lines(coverage: LogCoverage) -> Iterator[str]:
    yield ", ".join(totals_of(coverage))
    rows = [(_("Step"), _("Visits"), _("Time"), _("Cost"), _("Differences"))]
    rows += [
        (
            name,
            str(each.visits),
            duration(each.seconds),
            money(each.cost or None),
            str(each.differences or ""),
        )
        for name, each in coverage.steps.items()
    ]
    yield ""
    yield from _table(rows)
    yield ""
    transitions = [(_("Transition"), _("Taken"))]
    yield from _table(transitions + [(edge_text(edge), str(count)) for edge, count in coverage.counted.items()])
    for move, count in coverage.gone.items():
        text = _("{step}: {answer} → {target} (no transition of this flow)  {count}")
        target = move.to if move.to is not None else _("the end")
        yield text.format(step=move.step, answer=move.answer, target=target, count=count)
    yield ""
    yield from _table(
        [(_("End"), _("Step"), _("Runs"))]
        + [(ending_of(end.kind, end.code), end.step or "", str(count)) for end, count in coverage.ends.most_common()]
    )
    if coverage.never:
        yield ""
        yield never_taken(coverage)


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(width(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        cells = [text + " " * (widths[at] - width(text)) for at, text in enumerate(row)]
        yield "  ".join(cells).rstrip()


def _as_json(coverage: LogCoverage) -> dict[str, Any]:
    return {
        "version": 1,
        "runs": coverage.runs,
        "seconds": round(coverage.seconds, 3),
        "cost": round(coverage.cost, 6),
        "steps": [{"step": name, **each._asdict()} for name, each in coverage.steps.items()],
        "transitions": [{**edge._asdict(), "taken": count} for edge, count in coverage.counted.items()],
        "notInFlow": [{**move._asdict(), "taken": count} for move, count in coverage.gone.items()],
        "ends": [{**end._asdict(), "runs": count} for end, count in coverage.ends.most_common()],
    }
