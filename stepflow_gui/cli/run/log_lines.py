"""A log beside the flow that a command line names, its turns and its end as lines."""

from argparse import Namespace
from pathlib import Path

from stepflow_gui.cli.parser import UsageError
from stepflow_gui.cli.run.options import parameters_of
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.comparing import LogView, compare_log
from stepflow_gui.run.logs.log_text import answer_of, end_of, failed_checks_of, money, seconds_of, target_of
from stepflow_gui.run.logs.logged_run import ComparedRun, ComparedTurn, LoggedRun, LogProblem
from stepflow_gui.run.logs.opening import read_log
from stepflow_gui.text.json.tree import JsonValue

SAME, DIFFERENT = 0, 1


def log_parameters(agent: AgentFolder, options: Namespace) -> dict[str, JsonValue]:
    """The parameters of the command line, which pieces don't have."""
    return {} if agent.format == "takt" else parameters_of(agent, options.args)


def logged_run(file: Path) -> LoggedRun:
    """The run of a log. Raises UsageError where it can't be read."""
    run = read_log(file)
    if isinstance(run, LogProblem):
        raise UsageError(run.message)
    return run


def compared_log(agent: AgentFolder, run: LoggedRun, view: LogView, args: dict[str, JsonValue]) -> ComparedRun:
    """A log beside the flow of a view. Raises UsageError."""
    name = shown_path(agent.registry.path, Path.cwd())
    compared = compare_log(agent, name, run, view, args)
    if isinstance(compared, LogProblem):
        raise UsageError(compared.message)
    return compared


def line_of_turn(compared: ComparedTurn, *, is_piece: bool) -> str:
    """A turn with its line in the log."""
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


def end_line(run: LoggedRun) -> str:
    """How the run ended, with its cost."""
    line = end_of(run.end)
    return line if run.cost is None else f"{line}  {_('${cost} in all').format(cost=f'{run.cost:.2f}')}"
