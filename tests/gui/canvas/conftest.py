"""Flows and views to try the canvas with."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.registry import read_registry
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

ShowView = Callable[..., GraphView]


def flow_of(steps: dict[str, Any], **root: Any) -> Flow:
    """A flow read from a registry with these steps."""
    text = json.dumps({"agentId": "a", "version": "1.0.0", "steps": steps, **root}, ensure_ascii=False)
    return read_registry(ParsedFile.read(Path("steps_registry.json"), Source(text)), "closing")


def step(c2: str, name: str, **transitions: str | dict[str, Any] | None) -> dict[str, Any]:
    """A step whose gate allows just what its transitions name; a dict is a whole conditional rule."""
    rules = {
        intent: target if isinstance(target, dict) else {"target": target} for intent, target in transitions.items()
    }
    return {
        "name": name,
        "c2": c2,
        "structuredGate": {"allowedIntents": list(transitions)},
        "transitions": rules,
    }


def issue_flow() -> Flow:
    """Three steps in a row, each with a loop, and the end."""
    return flow_of(
        {
            "initial.issue": step("initial", "Issue Initial", next="continuation.issue", repeat="initial.issue"),
            "continuation.issue": step(
                "continuation",
                "Issue Continuation",
                next="continuation.issue",
                repeat="continuation.issue",
                handoff="closure.issue",
            ),
            "closure.issue": step("closure", "Issue Closure", closing=None, repeat="closure.issue"),
        },
        entryStepMapping={"poll:state": "initial.issue"},
    )


def chain(count: int) -> Flow:
    """Many steps: each goes to the next and repeats itself."""
    steps = {
        f"continuation.s{at}": step(
            "continuation", f"Step {at}", next=f"continuation.s{at + 1}", repeat=f"continuation.s{at}"
        )
        for at in range(count - 1)
    }
    steps[f"continuation.s{count - 1}"] = step("closure", "Last", closing=None)
    return flow_of(steps, entryStep="continuation.s0")


def corpus_flow(corpus: Path, registry: str) -> Flow:
    """A real registry's flow."""
    from stepflow_gui.formats.detect import detect

    path = corpus / "climpt" / registry / "steps_registry.json"
    document = ParsedFile.read(path, Source.decode(path.read_bytes()))
    return read_registry(document, detect(document) or "closing")


def picture(view: GraphView) -> QImage:
    """What the view shows."""
    return view.grab().toImage()


@pytest.fixture
def show(qtbot: QtBot) -> ShowView:
    """Show a flow in a window of its own."""

    def shown(flow: Flow, size: tuple[int, int] = (1100, 800), *, dark: bool = False) -> GraphView:
        view = GraphView(Theme(dark), lambda _step, _intent, _target: None)
        qtbot.addWidget(view)
        view.resize(*size)
        with qtbot.waitExposed(view):
            view.show()
        view.show_flow(flow, keep_positions=False, verdict="poll:state")
        qtbot.waitUntil(lambda: not view.is_building)
        return view

    return shown
