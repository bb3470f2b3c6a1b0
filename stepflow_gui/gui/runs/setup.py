"""How a run is to be led: who answers, in which era, with which shadow, and what becomes of its commands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.gui.runs.files import responder_of_file
from stepflow_gui.gui.runs.setup_model import CantAnswer, Setup
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.effects import BY_HAND, Commands, NoAnswer, Responder
from stepflow_gui.run.host.host import Host
from stepflow_gui.run.machine.state import Answered, ProgramEnded, RunProgram, RunValidator, State, Validated
from stepflow_gui.run.validators.command_result import CommandResult
from stepflow_gui.text.json.tree import JsonValue

if TYPE_CHECKING:
    from stepflow_gui.run.effects import ResponderQuery
    from stepflow_gui.run.responders.anthropic_progress import Progress


def eras() -> list[str]:
    """The eras that a run can imitate, by their public names, the default first."""
    return list(ERAS)


def arguments_of(text: str) -> dict[str, JsonValue]:
    """The agent's parameters of a line such as `issue=42 repository=a/b`; values are JSON where they can be."""
    found: dict[str, JsonValue] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not name or not equals:
            continue
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


class ByHand:
    """Leaves every answer to the person."""

    costs_money = False

    @property
    def name(self) -> str:
        """What users call it."""
        return _("me")

    def answer(self, _asked: "ResponderQuery", _state: State) -> Answered | NoAnswer:
        """None: the window shows what can be picked."""
        return NoAnswer(BY_HAND, "", retryable=True)


class AskPerson:
    """Leaves validators and programs to the person."""

    def preset_result(self, _request: RunValidator, _state: State) -> Validated | CommandResult | NoAnswer | None:
        """None: the window asks."""
        return NoAnswer(BY_HAND, "", retryable=True)

    def command(self, _text: str) -> CommandResult | NoAnswer:
        """The same."""
        return NoAnswer(BY_HAND, "", retryable=True)

    def exists(self, _path: str) -> bool | NoAnswer:
        """The same."""
        return NoAnswer(BY_HAND, "", retryable=True)

    def program(self, _request: RunProgram) -> ProgramEnded | NoAnswer:
        """The same."""
        return NoAnswer(BY_HAND, "", retryable=True)


class Untrusted(AskPerson):
    """In a folder that isn't trusted nothing is run: the user enters the result."""

    def preset_result(self, _request: RunValidator, _state: State) -> NoAnswer:
        """The reason, with what can be done."""
        message = _("This folder isn't trusted, so nothing is run. Enter the result, or trust the folder.")
        return NoAnswer("untrusted", message, retryable=True)

    def program(self, request: RunProgram) -> NoAnswer:
        """The same."""
        del request
        message = _("This folder isn't trusted, so nothing is run. Enter the result, or trust the folder.")
        return NoAnswer("untrusted", message, retryable=True)


def commands_for(setup: Setup, folder: Path, trusted: bool) -> Commands:
    """What carries out a run's commands. Simulated they pass; in manual mode the user decides."""
    if setup.real:
        if not trusted:
            return Untrusted()
        from stepflow_gui.run.host.real_commands import RealCommands

        return RealCommands(folder)
    if setup.who == "me":
        return AskPerson()
    from stepflow_gui.run.host.simulated import Simulated

    return Simulated()


def responder_for(
    setup: Setup, host: Host, agent: AgentFolder, commands: Commands, on_progress: "Callable[[Progress], None]"
) -> tuple[Responder, Commands] | CantAnswer:
    """Who answers a run, and who carries out its commands: a script may speak of those as well.

    `receive` is called with a model's answer while it arrives, on another thread.
    """
    match setup.who:
        case "script" | "replay":
            return responder_of_file(setup, host.machine, commands)
        case "random":
            from stepflow_gui.run.responders.random_answers import RandomResponder

            random = RandomResponder(host.machine, setup.seed, commands, fails=not setup.real)
            return random, random
        case "anthropic":
            return _anthropic(setup, agent, commands, on_progress)
    return ByHand(), commands


def _anthropic(
    setup: Setup, agent: AgentFolder, commands: Commands, on_progress: "Callable[[Progress], None]"
) -> tuple[Responder, Commands] | CantAnswer:
    try:
        from stepflow_gui.run.responders.anthropic_agent import model_for
        from stepflow_gui.run.responders.anthropic_settings import SettingsProblem
    except ImportError:
        return CantAnswer(_('The Anthropic library isn\'t installed. Add it with: pip install "stepflow-gui[llm]"'))
    made = model_for(agent, args=arguments_of(setup.args), listener=on_progress, max_cost=setup.max_cost, apart=True)
    return CantAnswer(made.message) if isinstance(made, SettingsProblem) else (made, commands)
