"""A logged run beside an agent or a piece as it is now, whichever the two are."""

from collections.abc import Mapping
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.logged_run import ComparedRun, LoggedRun, LogProblem
from stepflow_gui.text.json.tree import JsonValue


class LogView(NamedTuple):
    """What a log is compared with.

    `runtime` None: the one that the log points to, of a piece the one that it is for. `revision` None: the flow as it
    is now; else a git revision, or `THEN` for the flow as it was when the run began.
    """

    runtime: str | None = None
    revision: str | None = None


CURRENT_FLOW = LogView()


def compare_log(
    agent: AgentFolder,
    name: str,
    run: LoggedRun,
    view: LogView = CURRENT_FLOW,
    args: Mapping[str, JsonValue] | None = None,
) -> ComparedRun | LogProblem:
    """Give the logged answers to the flow, or why they aren't of such a flow. `name` is what the agent is called."""
    if view.revision is not None and (run.kind == "takt") == (agent.format == "takt"):
        from stepflow_gui.run.logs.earlier_flow import flow_at

        earlier = flow_at(agent, run, view.revision)
        if isinstance(earlier, LogProblem):
            return earlier
        then = compare_log(earlier.agent, name, run, view._replace(revision=None), args)
        return then if isinstance(then, LogProblem) else then._replace(flow=earlier.title)
    is_piece = agent.format == "takt"
    if (run.kind == "takt") != is_piece:
        text = (
            _("{path}: a log of climpt, and {agent} is a piece of TAKT")
            if is_piece
            else _("{path}: a log of TAKT, and {agent} is an agent of climpt")
        )
        return LogProblem(text.format(path=run.file, agent=name))
    if not is_piece:
        from stepflow_gui.run.logs.climpt_comparing import compare_with_agent

        return compare_with_agent(agent, run, view.runtime, args)
    from stepflow_gui.run.logs.takt_comparing import compare_with_piece
    from stepflow_gui.run.takt.loading import PieceRefusal

    compared = compare_with_piece(agent, run, view.runtime)
    return LogProblem(compared.message) if isinstance(compared, PieceRefusal) else compared


def problem_of_other(agent: AgentFolder, name: str, run: LoggedRun) -> LogProblem | None:
    """Why a log can't be shown on the graph of an agent: none of its steps is there. None where any is."""
    steps = {turn.step for turn in run.turns if turn.step is not None and "/" not in turn.step}
    if not steps or not steps.isdisjoint(agent.flow.steps):
        return None
    text = (
        _("{file} is a log of “{name}”: none of its steps is in {agent}. Open its agent or piece first.")
        if run.name is not None
        else _("{file}: none of its steps ({step}, …) is in {agent}. Open its agent or piece first.")
    )
    return LogProblem(text.format(file=run.file.name, name=run.name, agent=name, step=min(steps)))
