"""Scripts and traces as files: who answers by them, how a run by them begins, and a run written down as one."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.gui.runs.setup_model import CantAnswer, Setup
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.problem_text import describe
from stepflow_gui.run.effects import Commands, Responder
from stepflow_gui.run.host.host import HostEvent
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import Start
from stepflow_gui.run.session import Run
from stepflow_gui.text.files.store import ReadProblem, read, reason_of
from stepflow_gui.text.json.tree import JsonValue

if TYPE_CHECKING:
    from stepflow_gui.run.scripts.script_file import Script
    from stepflow_gui.run.traces.trace import Trace


class RunStart(NamedTuple):
    """How a run starts. None: as the user or the registry specifies."""

    start: Start
    era: str
    max_iterations: int | None = None
    prompts: bool = True  # as in the setup


def beginning_of(setup: Setup, entry: str | None, args: Mapping[str, JsonValue]) -> RunStart:
    """How a run starts as it was set up; the settings of the script or trace come first."""
    usual = RunStart(Start(entry, args), setup.era, None, setup.prompts)
    if setup.who == "replay":
        trace = _trace(setup)
        if isinstance(trace, CantAnswer):
            return usual
        head = trace.header
        era = head.era if head.era in ERAS else setup.era
        return RunStart(Start(head.entry, head.args), era, head.max_iterations, setup.prompts and trace.has_prompts)
    if setup.who == "script":
        script = _script(setup)
        if isinstance(script, CantAnswer):
            return usual
        start = Start(script.entry or entry, {**args, **script.args}, {}, script.input_text)
        return RunStart(start, script.era or setup.era, script.max_iterations, setup.prompts)
    return usual


def responder_of_file(setup: Setup, machine: Machine, commands: Commands) -> tuple[Responder, Commands] | CantAnswer:
    """Who answers by the script or trace that was chosen, or why it can't be used."""
    if setup.who == "replay":
        return _by_trace(setup, machine)
    from stepflow_gui.run.responders.scripted import ScriptResponder
    from stepflow_gui.run.scripts.script_file import misfits

    script = _script(setup)
    if isinstance(script, CantAnswer):
        return script
    assert setup.file is not None
    wrong = misfits(script, machine.flow)
    if wrong:
        return CantAnswer(f"{setup.file.name}: {wrong[0].message}")
    responder = ScriptResponder(script.lines, machine.flow, machine.era, commands, setup.file.name)
    return responder, responder


def save_trace(run: Run, agent: AgentFolder, path: Path) -> str | None:
    """Write a run down, up to where it is; why that can't be done, None where it is."""
    from stepflow_gui.run.traces.trace import TraceProblem
    from stepflow_gui.run.traces.trace_writing import header_of, open_trace

    states = run.states
    first = states[1].last if len(states) > 1 else None
    start = first.event if first is not None and isinstance(first.event, Start) else Start()
    shadow = run.shadow_era.name if run.shadow_era is not None else None
    writer = open_trace(path, header_of(agent, run.machine, start, shadow), agent.root)
    if isinstance(writer, TraceProblem):
        return writer.message
    with writer:
        for state in states[1:]:
            assert state.last is not None
            writer.write(HostEvent(state.last, state, ()))
    return writer.problem.message if writer.problem is not None else None


def _by_trace(setup: Setup, machine: Machine) -> tuple[Responder, Commands] | CantAnswer:
    from stepflow_gui.run.responders.replay import ReplayResponder, why_not_of

    trace = _trace(setup)
    if isinstance(trace, CantAnswer):
        return trace
    other = why_not_of(trace, machine.flow)
    if other is not None:
        return CantAnswer(other.message)
    responder = ReplayResponder(trace, machine.flow)
    return responder, responder


def _script(setup: Setup) -> "Script | CantAnswer":
    from stepflow_gui.run.responders.script import ScriptProblem
    from stepflow_gui.run.scripts.script_file import read_script_file

    if setup.file is None:
        return CantAnswer(_("Choose a script first."))
    try:
        text = setup.file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else _("it is not text in UTF-8")
        return CantAnswer(_("“{file}” can't be read: {reason}").format(file=setup.file.name, reason=reason))
    script = read_script_file(text, setup.file.name)
    return CantAnswer(f"{setup.file.name}: {script.message}") if isinstance(script, ScriptProblem) else script


def _trace(setup: Setup) -> "Trace | CantAnswer":
    from stepflow_gui.run.traces.trace import TraceProblem, read_trace

    if setup.file is None:
        return CantAnswer(_("Choose a trace first."))
    source = read(setup.file)
    if isinstance(source, ReadProblem):
        return CantAnswer(describe(source))
    trace = read_trace(source.text)
    return CantAnswer(f"{setup.file.name}: {trace.message}") if isinstance(trace, TraceProblem) else trace
