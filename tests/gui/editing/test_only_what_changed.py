"""After a key only what changed is worked out and filled again."""

from collections import Counter

import pytest
from PySide6.QtWidgets import QListWidget

from stepflow_gui.flow.model import Step
from stepflow_gui.gui.document.contract_errors import ContractErrors
from stepflow_gui.project.step_contract import StepContract
from stepflow_gui.text.edit import difference
from tests.gui.editing.conftest import Desk


class Counting:
    """Works contracts out and counts the steps that it is asked for."""

    def __init__(self, desk: Desk) -> None:
        self.asked: Counter[str] = Counter()
        self._contract = desk.window.on_canvas._contract
        self.broken = ContractErrors(desk.document, self)

    def __call__(self, step: Step) -> StepContract:
        self.asked[step.id] += 1
        return self._contract(step)

    def since(self) -> set[str]:
        """The steps that were asked for since the last time."""
        asked = set(self.asked)
        self.asked.clear()
        return asked


def change(desk: Desk, old: str, new: str, name: str = "") -> None:
    """Replace the first text of a file by another."""
    path = desk.document.path if not name else next(desk.document.path.parent.rglob(name))
    text = desk.text(path)
    desk.document.apply({path: difference(text, text.replace(old, new, 1))}, "change", "test")
    desk.settle()


def test_contracts_are_worked_out_for_changed_steps_only(desk: Desk) -> None:
    counting = Counting(desk)
    assert counting.broken.found() == set()
    everything = counting.since()
    assert everything == set(desk.document.last_valid.flow.steps)
    counting.broken.found()
    assert counting.since() == set()
    change(desk, '"Work on the issue"', '"Go on"')
    counting.broken.found()
    assert counting.since() == {"continuation.issue"}
    change(desk, '"allowedIntents": ["next", "repeat", "handoff"]', '"allowedIntents": ["next", "repeat"]')
    assert counting.broken.found() == {("continuation.issue", "handoff")}
    assert counting.since() == {"continuation.issue"}
    desk.undo_all()
    assert counting.broken.found() == set()


@pytest.mark.parametrize("file", ["", "issue.schema.json"])
def test_a_change_all_contracts_depend_on_rebuilds_all(desk: Desk, file: str) -> None:
    counting = Counting(desk)
    counting.broken.found()
    counting.since()
    if file:
        change(desk, '"handoff"', '"other"', file)
    else:
        change(desk, '"version": "1.0.0"', '"version": "1.0.1"')
    counting.broken.found()
    assert counting.since() == set(desk.document.last_valid.flow.steps)


def test_a_schema_that_changed_on_disk_counts(desk: Desk) -> None:
    counting = Counting(desk)
    assert counting.broken.found() == set()
    path = next(desk.document.path.parent.rglob("issue.schema.json"))
    path.write_text(path.read_text("utf-8").replace('"handoff"', '"other"'), "utf-8")
    desk.document.check_disk()
    desk.settle()
    assert ("continuation.issue", "handoff") in counting.broken.found()


def test_the_outline_keeps_unchanged_rows(desk: Desk) -> None:
    rows = desk.window.outline.findChild(QListWidget)
    assert rows is not None
    first = rows.item(0)
    change(desk, '"usesStdin": false', '"usesStdin": true')
    assert rows.item(0) is first
    change(desk, '"Work on the issue"', '"Go on"')
    assert "Go on" in rows.item(1).toolTip()


def test_the_minimap_is_painted_once_things_rest(desk: Desk) -> None:
    canvas = desk.canvas
    canvas.zoom_to(2.0)
    canvas.minimap.grab()
    before = canvas.minimap._picture
    assert before is not None
    rest = canvas.minimap._later.interval()
    canvas.minimap._later.setInterval(60_000)  # however slow the edits are
    for _time in range(3):
        change(desk, '"Work on the issue"', '"Work  on the issue"')
        desk.document.undo()
        desk.settle()
    assert canvas.minimap._later.isActive()
    assert canvas.minimap._picture is before
    canvas.minimap._later.setInterval(rest)
    desk.qtbot.waitUntil(lambda: canvas.minimap._picture is not before)
