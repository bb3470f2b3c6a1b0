"""Front matter and variables of prompts against upstream's own functions."""

from pathlib import Path
from typing import Any

from stepflow_gui.formats.climpt.prompts import Unfilled, body_start, fill
from tests.conformance.cases import case_file

ERRORS = {"needed": "missing_required_uv", "used": "uv_not_provided", "input": "missing_input_text"}


def test_prompts_are_filled_in_as_upstream_does(conformance: Path) -> None:
    looked = 0
    for case in case_file(conformance, "misc.json")["cases"]:
        if case["fn"] not in {"frontmatter", "promptSubstitute"}:
            continue
        looked += 1
        assert _observed(case["fn"], case["input"]) == case["expect"], case["id"]
    assert looked >= 12


def _observed(function: str, given: dict[str, Any]) -> Any:
    if function == "frontmatter":
        text = given["text"]
        return text[body_start(text) :].strip() if body_start(text) else text
    variables, step = given["variables"], given["step"]
    found = fill(
        given["content"],
        variables.get("uv", {}),
        step["uvVariables"],
        input_text=variables.get("inputText"),
        needs_input=step["usesStdin"],
    )
    return {"error": ERRORS[found.kind]} if isinstance(found, Unfilled) else found
