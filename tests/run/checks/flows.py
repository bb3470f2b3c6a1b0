"""Registries with checks that the tests of this folder run: the guide's example and parts to build others."""

import shutil
from pathlib import Path
from typing import Any

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.formats.read import read_flow
from stepflow_gui.run.machine.state import Answered
from stepflow_gui.run.session import Run
from tests.formats.test_shapes import document_of
from tests.seeds.documents import CHECKS, FOLDER

Json = dict[str, Any]
CLIMPT = "climpt-2026-01-09"
NEVER = {"retry": True}


def step(on_pass: Json | None = None, on_fail: Json | None = None, least: int = 1, most: int = 1) -> Json:
    """A step; without `on_pass` and `on_fail` one without a check."""
    body: Json = {"name": "a step", "prompt": {"path": "a.md"}, "iterations": {"min": least, "max": most}}
    if on_pass is not None or on_fail is not None:
        body["check"] = {"prompt": {"path": "c.md"}, "onPass": on_pass or {}, "onFail": on_fail or {}}
    return body


def registry(**steps: Json) -> Json:
    """A registry that starts at its first step."""
    return {
        "version": "2.0.0",
        "entryStep": next(iter(steps)),
        "steps": {key: {"id": key, **body} for key, body in steps.items()},
    }


def flow(content: Json = CHECKS) -> Flow:
    """A registry as the product reads it."""
    return read_flow(document_of(content), "checks")


def started(content: Json = CHECKS, era: str | None = None) -> Run:
    """A run whose first step waits to be run."""
    run = Run(flow(content), era=ERAS[era] if era else None)
    run.start()
    return run


def check(run: Run, *results: bool | str) -> None:
    """Let steps run and answer their checks, each with a result or a text, until the run is over."""
    for result in results:
        while run.state.waits == "answer":
            run.answer(None)
        assert run.state.waits == "check"
        run.send(Answered(None, (result,)) if isinstance(result, str) else Answered({"result": result}))


def path(run: Run) -> list[str]:
    """The steps in the order in which they ran."""
    return [entry.step for entry in run.trace if entry.step is not None and entry.is_visit]


def placed(root: Path) -> Path:
    """The guide's example as an agent on disk, with a prompt for each step and each check; its folder."""
    folder = root / ".agent" / "code-improver"
    shutil.copytree(FOLDER / "checks", folder)
    for body in CHECKS["steps"].values():
        for part in (body, body["check"]):
            prompt = folder / "prompts" / Path(*part["prompt"].values()) / "f_default.md"
            prompt.parent.mkdir(parents=True, exist_ok=True)
            prompt.write_text(f"Look at {{topic}}: {part['prompt']['c1']} {body['name']}", "utf-8")
    (folder / "prompts" / "system.md").write_text("You improve code.\n", "utf-8")
    return folder
