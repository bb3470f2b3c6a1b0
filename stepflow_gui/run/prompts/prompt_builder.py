"""Makes the prompt of the active step: which file, which variables, which replacement (runtime-semantics 0a, 9)."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.checks.runners import CheckRules
from stepflow_gui.formats.climpt.c3_form import has_form
from stepflow_gui.formats.climpt.fallback_keys import FALLBACK_KEYS
from stepflow_gui.formats.climpt.fallback_prompt import handler_step
from stepflow_gui.formats.climpt.prompts import Unfilled, fill
from stepflow_gui.formats.climpt.runner_texts import no_fallback_prompt
from stepflow_gui.messages import _
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.state import State
from stepflow_gui.run.prompts.prompt_files import PromptShelf
from stepflow_gui.run.prompts.prompt_result import NoPrompt, PromptResult, Source, TriedPath
from stepflow_gui.run.prompts.retry_prompt import retry_prompt
from stepflow_gui.run.prompts.variables import Values, handler_values, runner_values, values_of
from stepflow_gui.text.json.values import is_true

_UNFILLED = {"needed": "PR-RESOLVE-003", "used": "PR-RESOLVE-005", "input": "PR-RESOLVE-004"}
_UNKNOWN_STEP = "PR-RESOLVE-001"
_PLACE = re.compile(r"\{\{([^{}\s]+)\}\}|\{(?:uv-)?([^{}\s]+)\}")
_NO_PROMPT = "prompt_missing"


def compose(config: RunConfig, state: State, shelf: PromptShelf) -> PromptResult | NoPrompt:
    """The prompt of the step that a state asks. Reads files through the shelf, changes nothing."""
    step = config.flow.steps.get(state.step or "")
    if config.era.checks is not None and step is not None:
        return compose_checked(step, state, shelf, config.era.checks)
    making = _Making(config, state, shelf)
    if state.retry is not None:
        made = retry_prompt(config, state.retry, making.values, shelf)
        tried = tuple(TriedPath(str(path), _("no such file")) for path in made.missed)
        return PromptResult(made.text, made.source, made.path, None, False, making.values, tried)
    if step is None:
        return NoPrompt(_UNKNOWN_STEP, _("There is no step “{step}”").format(step=state.step))
    return _PATHS[config.era.closing](making, step)


class _Making:
    """One prompt being made: what was tried so far."""

    def __init__(self, config: RunConfig, state: State, shelf: PromptShelf) -> None:
        self.config = config
        self.state = state
        self.shelf = shelf
        self.values = runner_values(config, state)
        self.tried: list[TriedPath] = []

    def own(
        self, step: Step, values: Values, adaptation: str | None = None, *, by_handler: bool = False
    ) -> PromptResult | NoPrompt:
        """A step's own file filled in; where it is missing, with the text behind its key where the era has such."""
        made = self._file(step, values, adaptation, by_handler=by_handler)
        stands_in = self.config.era.spare_prompts and self.config.era.closing != "trigger"
        if isinstance(made, NoPrompt) and made.missing and stands_in:
            return self.spare(step, values, by_handler=by_handler)
        return made

    def spare(self, step: Step, values: Values, *, by_handler: bool = False) -> PromptResult | NoPrompt:
        """The text behind a step's fallback key."""
        key = step.fallback_key.value if step.fallback_key else None
        text = self.shelf.spare.get(key or "")
        if key is None or not (key in FALLBACK_KEYS or key in self.shelf.spare or self._trusts(key)):
            message = no_fallback_prompt(key or "", step.id)
            self.tried.append(TriedPath(f"fallbackKey {key}", _("no such key")))
            return self.failed(self.config.era.missing_prompt_code, message)
        if self.config.era.needs_variables and step.raw.get("uvVariables") is None:
            self.tried.append(TriedPath(f"fallbackKey {key}", _("the step has no uvVariables")))
            return self._no_variables(step)
        if text is None:
            missing = next((name for name in self._needed(step) if not values.get(name.removeprefix("uv-"))), None)
            if missing is not None:
                return self._unfilled(step, f"fallbackKey {key}", Unfilled("needed", missing))
            return self.done(None, "fallback_key", None, key, values=values, by_handler=by_handler)
        filled = self._filled(step, text, values)
        if isinstance(filled, Unfilled):
            return self._unfilled(step, f"fallbackKey {key}", filled)
        return self.done(filled, "fallback_key", None, key, values=values, by_handler=by_handler)

    def fallback_file(self, step: Step, values: Values) -> PromptResult | NoPrompt:
        """A file in the agent's folder for missing prompts."""
        parts, era = _parts(step, None), self.config.era
        path = self.shelf.fallback_path(parts, era)
        other = path is not None and path not in self.shelf.own_paths(parts, era)
        return self._of_file(step, [path] if path and other else [], values, "fallback_dir")

    def done(
        self,
        text: str | None,
        source: Source,
        path: Path | None,
        key: str | None = None,
        *,
        values: Values,
        by_handler: bool = False,
    ) -> PromptResult:
        """The prompt, with all that was tried for it."""
        return PromptResult(text, source, path, key, by_handler, values, tuple(self.tried))

    def failed(self, code: str, message: str, *, missing: bool = False) -> NoPrompt:
        """No prompt."""
        return NoPrompt(code, message, tuple(self.tried), missing)

    def _file(
        self, step: Step, values: Values, adaptation: str | None, *, by_handler: bool = False
    ) -> PromptResult | NoPrompt:
        paths = self.shelf.own_paths(_parts(step, adaptation), self.config.era)
        if self.config.era.plain_prompts:  # the prompt engine takes the plain file where the adapted is missing
            plain = _parts(step, None) | {"adaptation": None}
            paths = [*paths, *(path for path in self.shelf.own_paths(plain, self.config.era) if path not in paths)]
        c3 = step.c3.value if step.c3 else ""
        if c3 and self.config.era.closing != "trigger" and not has_form(c3):
            self.tried += [TriedPath(str(path), _("the prompt engine doesn't accept this c3")) for path in paths]
            message = _("The prompt engine doesn't accept the c3 “{c3}” of {step}.").format(c3=c3, step=step.id)
            return self.failed(self.config.era.missing_prompt_code, message, missing=True)
        if self.config.era.closing != "procedure":
            empty = next((name for name, value in values.items() if not value), None)
            if empty is not None:  # the prompt engine takes no empty values
                why = _("the variable “{name}” is empty").format(name=empty)
                self.tried += [TriedPath(str(path), why) for path in paths]
                message = _("Empty value not allowed: uv-{name} (step: {step})").format(name=empty, step=step.id)
                return self.failed("PR-C3L-002", message, missing=True)
        return self._of_file(step, paths, values, "file", by_handler=by_handler)

    def _of_file(
        self, step: Step, paths: list[Path], values: Values, source: Source, *, by_handler: bool = False
    ) -> PromptResult | NoPrompt:
        found = self.shelf.first(paths)
        missed = [path for path in paths if found is None or path != found.path]
        self.tried += [TriedPath(str(path), _("no such file")) for path in _before(missed, paths, found and found.path)]
        if found is None or (not found.text and self.config.era.closing != "trigger"):
            message = _("{step} has no prompt file. Add one, or step back.")
            if found is not None:
                self.tried.append(TriedPath(str(found.path), _("the file is empty")))
                message = _("The prompt file of {step} is empty. Write it, or step back.")
            return self.failed(self.config.era.missing_prompt_code, message.format(step=step.id), missing=True)
        if self.config.era.needs_variables and step.raw.get("uvVariables") is None:
            self.tried.append(TriedPath(str(found.path), _("the step has no uvVariables")))
            return self._no_variables(step)
        filled = self._filled(step, found.text, values)
        if isinstance(filled, Unfilled):
            return self._unfilled(step, str(found.path), filled)
        self.tried.append(TriedPath(str(found.path)))
        return self.done(filled, source, found.path, values=values, by_handler=by_handler)

    def _filled(self, step: Step, text: str, values: Values) -> str | Unfilled:
        return fill(
            text,
            values,
            self._needed(step),
            input_text=self.state.memory.input_text,
            needs_input=self._needs_input(step),
        )

    def _needed(self, step: Step) -> list[str]:
        listed = step.raw.get("uvVariables")
        if isinstance(listed, str) and self.config.era.needs_variables:
            return list(listed)  # JavaScript goes through its letters
        return [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []

    def _needs_input(self, step: Step) -> bool:
        uses = step.raw.get("usesStdin")
        return is_true(uses) if self.config.era.needs_variables else uses is True

    def _unfilled(self, step: Step, place: str, unfilled: Unfilled) -> NoPrompt:
        if unfilled.kind == "input":
            why = _("the input text is missing")
        else:
            why = _("the variable “{name}” has no value").format(name=unfilled.name)
        self.tried.append(TriedPath(place, why))
        message = _("The prompt of {step} can't be filled in: {reason}.").format(step=step.id, reason=why)
        variable = None if unfilled.kind == "input" else unfilled.name
        return self.failed(_UNFILLED[unfilled.kind], message)._replace(variable=variable)

    def _no_variables(self, step: Step) -> NoPrompt:
        message = _("{step} has no uvVariables, without which this runner makes no prompt. Add a list, or step back.")
        return self.failed("AGENT_QUERY_ERROR", message.format(step=step.id))

    def _trusts(self, key: str) -> bool:
        """The guide's table isn't complete, so an undotted key is taken for one of upstream's."""
        return self.config.era.closing == "trigger" and "." not in key


def _guide(making: _Making, step: Step) -> PromptResult | NoPrompt:
    """Path A, path B with what the handler adds, then the folder and the key for missing prompts."""
    action = making.config.settings.closure_action
    adaptations = [action, None] if step.kind == "closure" and action != "close" else [None]
    if making.state.memory.adaptation is not None:
        adaptations = [making.state.memory.adaptation, None]
    first: NoPrompt | None = None
    for values in (making.values, handler_values(making.config, making.state) | making.values):
        for adaptation in adaptations:
            made = making.own(step, values, adaptation, by_handler=first is not None)
            if isinstance(made, PromptResult):
                return made
            first = first or made
    made = making.fallback_file(step, making.values)
    if isinstance(made, NoPrompt) and step.fallback_key is not None:
        made = making.spare(step, making.values, by_handler=True)
    if isinstance(made, PromptResult) or step.fallback_key is not None:
        return made
    assert first is not None
    return first._replace(tried=tuple(making.tried))


def _single(making: _Making, step: Step) -> PromptResult | NoPrompt:
    """Until 2026-03-31: the step's file, where it has any, else what the verdict handler makes."""
    if making.config.era.handler_only:
        return making.done(None, "built_in", None, values=making.values, by_handler=True)
    action = making.config.settings.closure_action
    made: PromptResult | NoPrompt | None = None
    if step.kind == "work":
        made = making.own(step, making.values)
    elif step.kind == "closure" and making.state.iteration > 1:
        made = making.own(step, making.values, None if action == "close" else action)
    if isinstance(made, PromptResult):
        return made
    return _by_handler(making, handler_values(making.config, making.state))


def _double(making: _Making, step: Step) -> PromptResult | NoPrompt:
    """Since then: the step's file; only for a closure the verdict handler's prompt replaces it."""
    values, queued = making.values, making.state.memory.adaptation
    if step.kind != "closure":
        return making.own(step, values, queued)
    if making.config.era.entry_pairs and making.config.only_closures:
        return _by_handler(making, handler_values(making.config, making.state) | values)
    action = making.config.settings.closure_action
    made = making.own(step, values, queued or (None if action == "close" else action))
    if isinstance(made, PromptResult):
        return made
    return _by_handler(making, handler_values(making.config, making.state) | values)


def _by_handler(making: _Making, values: Values) -> PromptResult | NoPrompt:
    """The prompt of the step that the verdict handler has for this."""
    config, early = making.config, making.config.era.closing == "word"
    verdict = config.verdict.first_member
    if verdict.type == "meta:custom":
        return making.done(None, "built_in", None, values=values, by_handler=True)
    names = [name for name in (verdict.named, verdict.type) if name is not None]
    first = early and making.state.iteration == 1
    named = handler_step(config.flow, names, pairs=config.era.entry_pairs, first=first)
    step = config.flow.steps.get(named)
    if step is None:
        message = _("The verdict handler takes its prompt from the step “{step}”, which doesn't exist.")
        code = "AGENT_QUERY_ERROR" if early else _UNKNOWN_STEP
        return making.failed(code, message.format(step=named))
    made = making.own(step, values, by_handler=True)
    if isinstance(made, PromptResult) or not early:
        return made
    if verdict.type == "detect:graph":
        return making.done(None, "built_in", None, values=values, by_handler=True)
    return made._replace(code="AGENT_QUERY_ERROR")


_PATHS: Mapping[str, Callable[[_Making, Step], PromptResult | NoPrompt]] = {
    "trigger": _guide,
    "word": _single,
    "procedure": _double,
}


def _parts(step: Step, adaptation: str | None) -> dict[str, str | None]:
    """The parts of a step's prompt path, another adaptation in place of its own."""
    texts = (step.c1, step.c2, step.c3, step.edition, step.adaptation)
    parts = {
        name: text.value if text else None
        for name, text in zip(("c1", "c2", "c3", "edition", "adaptation"), texts, strict=True)
    }
    parts["promptPath"] = step.prompt_path.value if step.prompt_path else None
    return parts if adaptation is None else parts | {"adaptation": adaptation}


def _before(missed: list[Path], paths: list[Path], found: Path | None) -> Iterator[Path]:
    """Those that were looked at in vain before the one that was found."""
    for path in missed:
        if found is None or paths.index(path) < paths.index(found):
            yield path


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
    return NoPrompt(_NO_PROMPT, message.format(step=step.id), tried)


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
