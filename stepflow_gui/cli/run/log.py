"""`stepflow run AGENT --log FILE`: prints what a real run's log shows, and what the flow does with the same answers."""

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

from stepflow_gui.cli.parser import UsageError
from stepflow_gui.cli.run.options import parameters_of
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.logs.comparing import compare_log
from stepflow_gui.run.logs.listing import log_at
from stepflow_gui.run.logs.log_text import (
    answer_of,
    differences_of,
    end_of,
    failed_checks_of,
    money,
    not_read_of,
    seconds_of,
    target_of,
    title_of,
)
from stepflow_gui.run.logs.logged_run import ComparedRun, ComparedTurn, LoggedRun, LogProblem
from stepflow_gui.run.logs.opening import read_log

SAME, DIFFERENT = 0, 1


def print_log(agent: AgentFolder, options: Namespace) -> int:
    """Print it: 0 where the flow does all as the log has it, 1 where it differs. Raises UsageError."""
    named = Path(options.log)
    file = log_at(named)
    if file is None:
        raise UsageError(_("{folder} has no log of a run").format(folder=named))
    run = read_log(file)
    if isinstance(run, LogProblem):
        raise UsageError(run.message)
    name = shown_path(agent.registry.path, Path.cwd())
    args = {} if agent.format == "takt" else parameters_of(agent, options.args)
    compared = compare_log(agent, name, run, options.runtime, args)
    if isinstance(compared, LogProblem):
        raise UsageError(compared.message)
    if options.format == "json":
        print(json.dumps(_as_json(compared), ensure_ascii=False, indent=2))
    else:
        for line in _lines(compared, quiet=options.quiet):
            print(printable(line))
    return SAME if compared.first_difference is None else DIFFERENT


def _lines(compared: ComparedRun, *, quiet: bool) -> list[str]:
    run = compared.run
    title = title_of(compared)
    if run.kind == "climpt" and run.era.name is None:
        title = _("{title}; choose one with --runtime").format(title=title)
    lines = [title]
    for each in compared.turns:
        if not quiet or each.difference is not None:
            lines.append(_line_of(each, is_piece=run.kind == "takt"))
        if each.difference is not None:
            lines.append(f"    {each.difference}")
    lines += [_end_of(run), differences_of(compared)]
    return [*lines, *filter(None, [not_read_of(run)])]


def _line_of(compared: ComparedTurn, *, is_piece: bool) -> str:
    turn = compared.turn
    target = target_of(turn)
    text = (
        _("line {line}: {number}. {step} – {answer} → {target}")
        if target is not None
        else _("line {line}: {number}. {step} – {answer}")
    )
    answer = answer_of(compared, is_piece=is_piece)
    line = text.format(line=turn.line, number=turn.iteration, step=turn.step or "?", answer=answer, target=target)
    return "  ".join(filter(None, (line, seconds_of(turn), money(turn.cost), failed_checks_of(turn))))


def _end_of(run: LoggedRun) -> str:
    line = end_of(run.end)
    return line if run.cost is None else f"{line}  {_('${cost} in all').format(cost=f'{run.cost:.2f}')}"


def _as_json(compared: ComparedRun) -> dict[str, Any]:
    run = compared.run
    end = {key: value for key, value in run.end._asdict().items() if value not in (None, "")}
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
        "end": end,
        "differences": sum(each.difference is not None for each in compared.turns),
    }


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
