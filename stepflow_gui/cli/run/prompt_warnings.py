"""Warns on the terminal of prompts that can't be made where the run goes on, and says what helps where it doesn't."""

from collections.abc import Mapping
from pathlib import Path

from stepflow_gui.cli.streams import print_error
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.host.host import HostEvent
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.text.files.presence import is_folder
from stepflow_gui.text.json.tree import JsonValue


class PromptWarnings:
    """Warns once a cause, in however many runs; `silent`: never. `command` begins each line."""

    def __init__(self, command: str, agent: AgentFolder, *, silent: bool) -> None:
        self._command = command
        self._folder = None if any(map(is_folder, agent.prompt_folders())) else agent.prompt_folders()[0]
        self._parameters = [each.name for each in agent.agent.parameters] if agent.agent else []
        self._silent = silent
        self._known: set[object] = set()

    def watch(self, happened: HostEvent) -> None:
        """Listen to a run."""
        request = happened.request
        failure = request.prompt.failure if request is not None and not self._silent else None
        if request is None or failure is None:
            return
        text, cause = failure.message, (request.query.step, request.query.check)
        if self._folder is not None:
            cause = ("", False)
            text = _("there is no prompts folder ({path}), so steps have no prompts")
            text = text.format(path=shown_path(self._folder, Path.cwd()))
        elif failure.variable in self._parameters:
            cause = (failure.variable, False)
            text = _("the parameter “{name}” has no value, so prompts that use it can't be filled in; use {option}")
            text = text.format(name=failure.variable, option=f"--arg {failure.variable}=…")
        if cause not in self._known:
            self._known.add(cause)
            self._print(_("warning: {message}").format(message=text))

    def advise(self, error: RunError, args: Mapping[str, JsonValue]) -> None:
        """Name the options that help, where a prompt has stopped a run with these parameters."""
        if error.kind != "prompt" or self._silent:
            return
        missing = [name for name in self._parameters if args.get(name) is None]
        if missing and error.code in {"PR-RESOLVE-003", "PR-RESOLVE-005", "AGENT_QUERY_ERROR"}:
            options = " ".join(f"--arg {name}=…" for name in missing)
            self._print(_("use {option} to set the parameters without a value").format(option=options))
        self._print(_("use {option} to run without prompts").format(option="--no-prompts"))

    def _print(self, text: str) -> None:
        print_error(f"{self._command}: {text}")
