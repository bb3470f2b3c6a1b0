"""`stepflow run AGENT --log FILE`: prints what a real run's log shows, and what the flow does with the same answers."""

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

from stepflow_gui.cli.parser import UsageError
from stepflow_gui.cli.run.options import parameters_of
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.logs.logged_run import ComparedRun, ComparedTurn, LoggedRun, LoggedTurn, LogProblem
from stepflow_gui.run.logs.opening import read_log

SAME, DIFFERENT = 0, 1
TAKT = "takt"


def print_log(agent: AgentFolder, options: Namespace) -> int:
    """Print it: 0 where the flow does all as the log has it, 1 where it differs. Raises UsageError."""
    run = read_log(Path(options.log))
    if isinstance(run, LogProblem):
        raise UsageError(run.message)
    is_piece = agent.format == TAKT
    if (run.kind == "takt") != is_piece:
        text = (
            _("{path}: a log of climpt, and {agent} is a piece of TAKT")
            if is_piece
            else _("{path}: a log of TAKT, and {agent} is an agent of climpt")
        )
        raise UsageError(text.format(path=options.log, agent=shown_path(agent.registry.path, Path.cwd())))
    compared = _compared_piece(agent, run, options) if is_piece else _compared_agent(agent, run, options)
    if options.format == "json":
        print(json.dumps(_as_json(compared), ensure_ascii=False, indent=2))
    else:
        for line in _lines(compared, quiet=options.quiet):
            print(printable(line))
    return SAME if compared.first_difference is None else DIFFERENT


def _compared_agent(agent: AgentFolder, run: LoggedRun, options: Namespace) -> ComparedRun:
    from stepflow_gui.run.logs.climpt_comparing import compare_with_agent

    return compare_with_agent(agent, run, options.runtime, parameters_of(agent, options.args))


def _compared_piece(agent: AgentFolder, run: LoggedRun, options: Namespace) -> ComparedRun:
    from stepflow_gui.run.logs.takt_comparing import compare_with_piece
    from stepflow_gui.run.takt.loading import PieceRefusal

    compared = compare_with_piece(agent, run, options.runtime)
    if isinstance(compared, PieceRefusal):
        raise UsageError(compared.message)
    return compared


def _lines(compared: ComparedRun, *, quiet: bool) -> list[str]:
    run = compared.run
    lines = [_title(compared)]
    for each in compared.turns:
        if not quiet or each.difference is not None:
            lines.append(_line_of(each, is_piece=run.kind == "takt"))
        if each.difference is not None:
            lines.append(f"    {each.difference}")
    lines.append(_end_of(run))
    count = sum(each.difference is not None for each in compared.turns)
    if count:
        text = ngettext(
            "{count} difference between the log and this flow",
            "{count} differences between the log and this flow",
            count,
        )
        lines.append(text.format(count=count))
    else:
        lines.append(_("No differences between the log and this flow"))
    if run.skipped or run.is_cut:
        lines.append(_not_read(run))
    return lines


def _title(compared: ComparedRun) -> str:
    run = compared.run
    text = (
        _("climpt log of “{name}”, {time}, compared under {runtime}")
        if run.kind == "climpt"
        else _("TAKT log of “{name}”, {time}, compared under {runtime}")
    )
    title = text.format(name=run.name or "?", time=run.began or "?", runtime=compared.era)
    if run.kind != "climpt":
        return title
    if run.era.name is None:
        return _("{title} (the log doesn’t show which version wrote it; choose one with --runtime)").format(title=title)
    if run.era.name != compared.era:
        return _("{title} (the log points to {runtime})").format(title=title, runtime=run.era.name)
    if run.era.other:
        return _("{title} ({others} fits as well)").format(title=title, others=_(", ").join(run.era.other))
    return title


def _line_of(compared: ComparedTurn, *, is_piece: bool) -> str:
    turn = compared.turn
    if turn.intent is not None and is_piece:
        text = _("rule {number} ({rule})") if compared.intent else _("rule {number}")
        answer = text.format(number=int(turn.intent) + 1, rule=compared.intent)
    elif turn.intent is not None:
        answer = turn.intent
    elif compared.intent is not None:
        answer = _("{intent} (computed)").format(intent=compared.intent)
    else:
        answer = _("no answer in the log")
    target = _("closing") if turn.closes else turn.to
    text = (
        _("line {line}: {number}. {step} – {answer} → {target}")
        if target is not None
        else _("line {line}: {number}. {step} – {answer}")
    )
    line = text.format(line=turn.line, number=turn.iteration, step=turn.step or "?", answer=answer, target=target)
    return "  ".join((line, *_measures(turn)))


def _measures(turn: LoggedTurn) -> list[str]:
    measures = []
    if turn.seconds is not None:
        measures.append(_("{seconds} s").format(seconds=f"{turn.seconds:.1f}"))
    if turn.cost is not None:
        measures.append(f"${turn.cost:.2f}")
    failed = next((each for each in turn.checks if not each.passed), None)
    if failed is not None:
        measures.append(_("validators failed: {pattern}").format(pattern=failed.pattern or "?"))
    return measures


def _end_of(run: LoggedRun) -> str:
    end = run.end
    text = {
        "unfinished": _("The log has no end: the run goes on, or was killed"),
        "finished": _("line {line}: finished: {text}"),
        "failed": _("line {line}: failed: {text}"),
        "limit": _("line {line}: stopped at the limit: {text}"),
    }[end.kind]
    line = text.format(line=end.line, text=end.text)
    line = f"{line} [{end.code}]" if end.code else line
    return line if run.cost is None else f"{line}  {_('${cost} in all').format(cost=f'{run.cost:.2f}')}"


def _not_read(run: LoggedRun) -> str:
    parts = []
    if run.skipped:
        text = ngettext(
            "{count} line isn't a log line and was skipped",
            "{count} lines aren't log lines and were skipped",
            run.skipped,
        )
        parts.append(text.format(count=run.skipped))
    if run.is_cut:
        parts.append(_("the last line is incomplete"))
    return ", ".join(parts)


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
