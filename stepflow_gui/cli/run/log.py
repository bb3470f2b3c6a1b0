"""`stepflow run AGENT --log FILE`: prints what a real run's log shows, and what the flow does with the same answers."""

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stepflow_gui.cli.parser import UsageError
from stepflow_gui.cli.run.log_lines import (
    DIFFERENT,
    SAME,
    compared_log,
    end_line,
    line_of_turn,
    log_parameters,
    logged_run,
)
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.locate import marked_root
from stepflow_gui.run.debugging.comparing import RunComparison
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.logs.comparing import LogView
from stepflow_gui.run.logs.listing import log_at
from stepflow_gui.run.logs.log_runs import LogHistory, LogMoment, compare_logs
from stepflow_gui.run.logs.log_tests import make_test
from stepflow_gui.run.logs.log_text import differences_of, end_of, not_read_of, title_of
from stepflow_gui.run.logs.logged_run import ComparedRun, ComparedTurn, LoggedRun, LogProblem
from stepflow_gui.text.files.new_files import FilesNotCreated, make_files
from stepflow_gui.text.json.tree import JsonValue


def print_log(agent: AgentFolder, options: Namespace) -> int:
    """Print it: 0 where the flow, or another log, does all as the log has it, 1 where it differs. Raises UsageError."""
    if options.follow:
        from stepflow_gui.cli.run.follow_log import follow_log

        return follow_log(agent, options)
    args = log_parameters(agent, options)
    view = LogView(options.runtime, options.at)
    compared = compared_log(agent, _read(options.log), view, args)
    if options.with_log is not None:
        return _print_both(compared, compared_log(agent, _read(options.with_log), view, args), options)
    if options.save_test is not None:
        return _save_test(agent, compared, Path(options.save_test), args)
    if options.format == "json":
        print(json.dumps(_as_json(compared), ensure_ascii=False, indent=2))
    else:
        for line in _lines(compared, quiet=options.quiet):
            print(printable(line))
    return SAME if compared.first_difference is None else DIFFERENT


def _read(named: str) -> LoggedRun:
    file = log_at(Path(named))
    if file is None:
        raise UsageError(_("{folder} has no log of a run").format(folder=named))
    return logged_run(file)


def _print_both(first: ComparedRun, second: ComparedRun, options: Namespace) -> int:
    """Print where two runs begin to differ, with both entries."""
    runs = LogHistory(first), LogHistory(second)
    found = compare_logs(*runs)
    sides = [None if found.common >= run.length else run.moment_at(found.common + 1) for run in runs]
    if options.format == "json":
        print(json.dumps(_difference_as_json(first, second, found, sides), ensure_ascii=False, indent=2))
    elif found.same:
        print(_("No differences between the two runs."))
    else:
        for compared in (first, second) if not options.quiet else ():
            print(printable(title_of(compared)))
        for compared, moment in zip((first, second), sides, strict=True):
            line = _("no more entries") if moment is None else _moment_line(moment, compared)
            print(printable(f"{compared.run.file}: {line}"))
        count = max(0, found.common - 1)
        text = ngettext("The runs differ after {count} turn", "The runs differ after {count} turns", count)
        print(text.format(count=count))
    return SAME if found.same else DIFFERENT


def _moment_line(moment: LogMoment, compared: ComparedRun) -> str:
    if moment.turn is not None:
        return line_of_turn(moment.turn, is_piece=compared.run.kind == "takt")
    if moment.end is not None:
        return end_of(moment.end)
    return _("line {line}: begins at {step}").format(line=moment.line, step=moment.step or "?")


def _difference_as_json(
    first: ComparedRun, second: ComparedRun, found: RunComparison, sides: Sequence[LogMoment | None]
) -> dict[str, Any]:
    entries = []
    for compared, moment in zip((first, second), sides, strict=True):
        turn = None if moment is None or moment.turn is None else _turn_as_json(moment.turn)
        end = None if moment is None or moment.end is None else _end_as_json(compared.run)
        entries.append(
            {"log": str(compared.run.file), "line": moment.line if moment else None, "turn": turn, "end": end}
        )
    return {"version": 1, "same": found.same, "commonTurns": max(0, found.common - 1), "runs": entries}


def _save_test(agent: AgentFolder, compared: ComparedRun, file: Path, args: dict[str, JsonValue]) -> int:
    """Write the test: 0 where it has all turns of the log, 1 where the flow goes elsewhere or the log has no answer."""
    turns = len(compared.turns)
    made = make_test(agent, compared, turns, args)
    if isinstance(made, LogProblem):
        raise UsageError(made.message)
    if file.exists():
        raise UsageError(_("{path} already exists; choose another file").format(path=file))
    written = make_files({file: made.text.encode("utf-8")}, marked_root(file))
    if isinstance(written, FilesNotCreated):
        raise UsageError(_("{path}: can't be written ({reason})").format(path=written.path, reason=written.reason))
    text = _("{path}: a test of {count} of {all} turns")
    print(printable(text.format(path=file, count=made.turns, all=turns)))
    return SAME if made.turns == turns and compared.first_difference is None else DIFFERENT


def _lines(compared: ComparedRun, *, quiet: bool) -> list[str]:
    run = compared.run
    title = title_of(compared)
    if run.kind == "climpt" and run.era.name is None:
        title = _("{title}; choose one with --runtime").format(title=title)
    lines = [title]
    for each in compared.turns:
        if not quiet or each.difference is not None:
            lines.append(line_of_turn(each, is_piece=run.kind == "takt"))
        if each.difference is not None:
            lines.append(f"    {each.difference}")
    lines += [end_line(run), differences_of(compared)]
    return [*lines, *filter(None, [not_read_of(run)])]


def _as_json(compared: ComparedRun) -> dict[str, Any]:
    run = compared.run
    return {
        "version": 1,
        "log": str(run.file),
        "kind": run.kind,
        "name": run.name,
        "runtime": compared.era,
        "logRuntime": run.era.name,
        "alsoPossible": list(run.era.other),
        "began": run.began,
        "ended": run.ended,
        "lines": run.lines,
        "skipped": run.skipped,
        "cut": run.is_cut,
        "cost": run.cost,
        "turns": [_turn_as_json(each) for each in compared.turns],
        "flow": compared.flow or None,
        "end": _end_as_json(run),
        "differences": sum(each.difference is not None for each in compared.turns),
    }


def _end_as_json(run: LoggedRun) -> dict[str, Any]:
    return {key: value for key, value in run.end._asdict().items() if value not in (None, "")}


def _turn_as_json(compared: ComparedTurn) -> dict[str, Any]:
    turn = compared.turn
    value: dict[str, Any] = {
        "number": turn.number,
        "line": turn.line,
        "iteration": turn.iteration,
        "step": turn.step,
        "intent": turn.intent,
        "to": turn.to,
        "closes": turn.closes,
        "seconds": turn.seconds,
        "cost": turn.cost,
        "answer": None if turn.answer is ABSENT else turn.answer,
        "answerLine": turn.answer_line,
        "known": compared.mark,
        "flowIntent": compared.intent,
        "flowTo": compared.to,
        "flowEnds": compared.ends,
        "flowEnd": compared.end or None,
        "difference": compared.difference,
    }
    return value
