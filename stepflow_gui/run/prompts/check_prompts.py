"""Makes the prompts of flows with checks: the file that a step or its check names, filled with the parameters (14)."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.checks.runners import CheckRules
from stepflow_gui.messages import _
from stepflow_gui.run.machine.state import State
from stepflow_gui.run.prompts.prompt_files import PromptShelf
from stepflow_gui.run.prompts.prompt_result import NoPrompt, PromptResult, TriedPath
from stepflow_gui.run.prompts.variables import Values, values_of

_PLACE = re.compile(r"\{\{([^{}\s]+)\}\}|\{(?:uv-)?([^{}\s]+)\}")
_NONE = "prompt_missing"


def compose_checked(step: Step, state: State, shelf: PromptShelf, rules: CheckRules) -> PromptResult | NoPrompt:
    """The prompt that a state waits for an answer to: the step's, or that of its check."""
    of_check = state.waits == "check"
    paths = shelf.named_paths(_reference(step, of_check), with_fallback=rules.fallback_folder)
    found = shelf.first(paths)
    tried = tuple(TriedPath(str(path), _("no such file")) for path in _missed(paths, found.path if found else None))
    values = values_of(state.memory.args)
    if found is not None:
        return PromptResult(
            filled(found.text, values), "file", found.path, values=values, tried=(*tried, TriedPath(str(found.path)))
        )
    if of_check:
        message = _("The check of {step} has no prompt file. Add one, or step back.")
    else:
        message = _("{step} has no prompt file. Add one, or step back.")
    return NoPrompt(_NONE, message.format(step=step.id), tried)


def filled(text: str, values: Values) -> str:
    """A prompt with the parameters in place of {{name}}, {name} and {uv-name}; what none is named by stays."""

    def value(match: re.Match[str]) -> str:
        return values.get(match[1] or match[2], match[0])

    return _PLACE.sub(value, text)


def _reference(step: Step, of_check: bool) -> Mapping[str, Any]:
    if not of_check:
        return step.raw
    check = step.raw.get("check")
    return check if isinstance(check, dict) else {}


def _missed(paths: list[Path], found: Path | None) -> list[Path]:
    """Those that were looked at in vain."""
    return paths if found is None else paths[: paths.index(found)]
