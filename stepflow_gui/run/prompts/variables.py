"""The variables of a prompt: the agent's parameters, what the run counts, what earlier steps left (semantics 9)."""

import json
from collections.abc import Mapping

from stepflow_gui.run.javascript.values import text_of
from stepflow_gui.run.machine.handlers import HandlerMemory
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.state import State
from stepflow_gui.run.machine.step_inputs import InputError, variables_of_inputs
from stepflow_gui.run.machine.verdict import DEFAULT_CHECKS, entry_of
from stepflow_gui.text.json.tree import JsonValue

Values = dict[str, str]


def runner_values(config: RunConfig, state: State) -> Values:
    """What the runner itself gives the prompt of the active step; a parameter wins over all else."""
    era, settings = config.era, config.verdict.config
    args = values_of(state.memory.args)
    found: Values = {"iteration": str(state.iteration)}
    if state.iteration > 1:
        found["completed_iterations"] = str(state.iteration - 1)
    _copy(found, "completion_keyword", settings.get("verdictKeyword"))
    if era.closing == "word":
        _copy(found, "issue_number", state.memory.args.get("issue"))
    step = config.flow.steps.get(state.step or "")
    if era.counts_in_prompts and step is not None and (step.kind != "closure" or era.closing == "trigger"):
        found["max_iterations"] = str(config.limit)
        found["remaining"] = str(max(0, config.limit - state.iteration))
        if "maxChecks" in settings:
            found["max_checks"] = text_of(settings["maxChecks"])
            found["check_count"] = str(state.iteration)
        summary = summary_of(state.memory.reported)
        if summary or era.closing != "trigger":  # the guide refuses empty values, and knows none of this one
            found["previous_summary"] = summary
    inputs = variables_of_inputs(config.inputs.get(state.step or ""), state.context, era)
    if not isinstance(inputs, InputError):
        found |= inputs
    return found | args


def handler_values(config: RunConfig, state: State) -> Values:
    """What a verdict handler gives the prompts that it builds; that of a composite is its first member's."""
    verdict, args = config.verdict.first_member, state.memory.args
    found: Values = {}
    step = config.flow.steps.get(state.step or "")
    if verdict.type == "detect:graph":
        entry = entry_of(config.flow, verdict)
        step = config.flow.steps.get(entry or "")
        if step is not None:
            found |= {"step_id": step.id, "step_name": step.title}
    if verdict.type == "poll:state":
        _copy(found, "issue", args.get("issue"))
        _copy(found, "issue_number", args.get("issue"))
        found["repository"] = text_of(args["repository"]) if args.get("repository") is not None else ""
    if verdict.type == "count:iteration":
        found["max_iterations"] = str(config.limit)
    if verdict.type == "count:check":
        found["max_checks"] = str(verdict.number("maxChecks", DEFAULT_CHECKS))
    _copy(found, "completion_keyword", verdict.config.get("verdictKeyword"))
    if state.iteration > 1:
        found["iteration"] = str(state.iteration - 1)
        found["previous_summary"] = summary_of(state.memory.reported)
    return found


def values_of(args: Mapping[str, JsonValue]) -> Values:
    """Parameters as texts; those without a value are left out."""
    return {name: text_of(value) for name, value in args.items() if value is not None}


def summary_of(reported: HandlerMemory) -> str:
    """The last answer in short, for the next prompt."""
    text = "\n\n".join(text for text in reported.texts if text)
    return text or ("" if reported.answer is None else json.dumps(reported.answer, ensure_ascii=False))


def _copy(found: Values, name: str, value: JsonValue) -> None:
    if value is not None:
        found[name] = text_of(value)
