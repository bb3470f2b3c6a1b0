"""A logged run as a test of its flow: a script of the logged answers with the path and end that they come to."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.logged_run import ComparedRun, LogProblem
from stepflow_gui.text.json.tree import JsonValue


class LoggedTest(NamedTuple):
    """`file`: one for it that doesn't exist yet. `turns`: how many turns of the log it has."""

    file: Path
    text: str
    turns: int


def make_test(
    agent: AgentFolder, compared: ComparedRun, turns: int, args: Mapping[str, JsonValue] | None = None
) -> LoggedTest | LogProblem:
    """The first turns of a log, as far as the log has answers and the flow goes where the log goes."""
    if agent.format == "takt":
        return _of_piece(agent, compared, turns)
    from stepflow_gui.run.exploring.recorded import recorded
    from stepflow_gui.run.logs.climpt_comparing import continued
    from stepflow_gui.run.scripts.flow_tests import new_test_file

    started, run = continued(agent, compared, turns, args)
    if run.state.error is not None and run.length == 1:  # parameters are in no log
        return LogProblem(run.state.error.message)
    visits = sum(state.last is not None and state.last.is_visit for state in run.states)
    if not visits:
        return _without_answer(compared)
    return LoggedTest(new_test_file(agent, run.state), recorded(started.machine, run.states).text, visits)


def _of_piece(agent: AgentFolder, compared: ComparedRun, turns: int) -> LoggedTest | LogProblem:
    from stepflow_gui.run.logs.takt_replay import continued_with
    from stepflow_gui.run.takt.scripts.piece_tests import new_test_file
    from stepflow_gui.run.takt.scripts.recorded import recorded

    found = continued_with(agent, compared, turns)
    if isinstance(found, LogProblem):
        return found
    run, done = found
    if not done:
        return _without_answer(compared)
    return LoggedTest(new_test_file(agent.registry.path, run.state), recorded(run), done)


def _without_answer(compared: ComparedRun) -> LogProblem:
    return LogProblem(_("{path}: the log has no answer for a test").format(path=compared.run.file))
