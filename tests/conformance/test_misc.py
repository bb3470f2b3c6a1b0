"""The runner's small functions against upstream's own."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.prompts import Unfilled, body_start, fill
from stepflow_gui.run.host.permissions import command_allowed, permission_mode, tool_allowed
from stepflow_gui.run.machine.answer_text import answer_in
from stepflow_gui.run.machine.closure_checks import score, validation_key
from stepflow_gui.run.machine.handlers import NOTHING_REPORTED, HandlerMemory, is_finished, kept_verdict
from stepflow_gui.run.machine.step_inputs import InputError, variables_of_inputs
from stepflow_gui.run.machine.subprocess_closure import Unresolved, answer_of_program, filled_arguments
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.prompts.retry_prompt import fill_template
from tests.conformance.cases import case_file, each_version, report

UNFILLED = {"needed": "missing_required_uv", "used": "uv_not_provided", "input": "missing_input_text"}


def test_small_functions_do_as_upstream(conformance: Path, subtests: pytest.Subtests) -> None:
    data = case_file(conformance, "misc.json")
    report(subtests, ((label, case, partial(_observed, case, era)) for label, era, case in each_version(data)))


def _observed(case: dict[str, Any], era: Era) -> Any:
    return _FUNCTIONS[case["fn"]](case["input"], era)


def _inputs(given: dict[str, Any], era: Era) -> Any:
    found = variables_of_inputs(given["inputs"], given["outputs"], era)
    return {"error": found.kind} if isinstance(found, InputError) else found


def _arguments(given: dict[str, Any], _era: Era) -> Any:
    found = filled_arguments(given["args"], given["context"])
    return {"error": "unresolved_template"} if isinstance(found, Unresolved) else found


def _front_matter(given: dict[str, Any], _era: Era) -> Any:
    text = given["text"]
    return text[body_start(text) :].strip() if body_start(text) else text


def _prompt(given: dict[str, Any], _era: Era) -> Any:
    variables, step = given["variables"], given["step"]
    found = fill(
        given["content"],
        variables.get("uv", {}),
        step["uvVariables"],
        input_text=variables.get("inputText"),
        needs_input=step["usesStdin"],
    )
    if isinstance(found, Unfilled):
        return {"error": UNFILLED[found.kind]}
    for name, value in variables.get("custom", {}).items():  # of which no runner gives any
        found = found.replace(f"{{{name}}}", value)
    return found.strip()


def _verdicts(given: dict[str, Any], era: Era) -> Any:
    verdict, reported, finished = Verdict(given["type"], given["config"]), NOTHING_REPORTED, []
    for number, iteration in enumerate(given["iterations"], start=1):
        if verdict.type == "count:iteration":
            reported = reported._replace(iteration=number)
        reported = reported.summary(iteration.get("output"), tuple(iteration.get("texts", ()))).handed()
        finished.append(is_finished(verdict, reported, HandlerMemory(), era))
    return {"finished": finished, "verdict": kept_verdict(verdict, reported, era)}


_FUNCTIONS: dict[str, Callable[[dict[str, Any], Era], Any]] = {
    "injectParams": lambda given, _era: fill_template(given["template"], given["params"]),
    "inputsToUv": _inputs,
    "subprocessArgs": _arguments,
    "subprocessStdout": lambda given, _era: answer_of_program(given["stdout"]),
    "permissionMode": lambda given, era: permission_mode(given["step"], given["stepKind"], given["agent"], era),
    "planModeDeny": lambda given, _era: tool_allowed(given["tool"], given["mode"]),
    "bashAllowed": lambda given, _era: command_allowed(given["command"]),
    "jsonFromText": lambda given, _era: answer_in(given["text"]),
    "frontmatter": _front_matter,
    "promptSubstitute": _prompt,
    "closureStepId": lambda given, _era: validation_key(given["verdictType"]),
    "scoreKeywords": lambda given, _era: score(given["keywords"], given["corpus"]),
    "verdictSequence": _verdicts,
}
