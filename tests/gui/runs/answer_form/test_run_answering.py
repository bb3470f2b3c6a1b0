"""The form and the model's words as pages of the run panel."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.runs.answering import RunAnswering
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import use_language
from stepflow_gui.run.machine.state import Answered
from stepflow_gui.run.responders.anthropic_progress import AttemptStarted, Delta
from stepflow_gui.run.session import Run


class Bench:
    """A run panel with the two pages, and a run by hand."""

    def __init__(self, document: Document, panel: RunPanel) -> None:
        self.panel = panel
        self.given: list[Answered] = []
        self.answering = RunAnswering(panel, document, lambda: Theme(dark=False), self.given.append)
        self.run = Run(document.last_valid.flow)
        self.run.start("initial.issue")

    def show(self, *, busy: bool = False, asks_model: bool = False) -> bool:
        return self.answering.show(self.run, asks_model=asks_model, busy=busy)

    def seen(self) -> list[str]:
        named = {self.answering.form: "form", self.answering.model: "model"}
        found = []
        for part, name in named.items():
            self.panel.answer.open(part)
            if part.isVisible():
                found.append(name)
        return found


@pytest.fixture
def bench(qtbot: QtBot, checkout: Path, tmp_path: Path) -> Iterator[Bench]:
    root = tmp_path / "project"
    shutil.copytree(checkout / "resources" / "examples" / "issue-flow", root)
    document = Document.open(root)
    assert isinstance(document, Document)
    panel = RunPanel(Theme(dark=False))
    for shown in (panel, panel.right):
        qtbot.addWidget(shown)
        shown.resize(1000, 500)
        shown.show()
    bench = Bench(document, panel)
    yield bench
    bench.answering.detach()
    document.close()


def test_the_form_is_a_page_while_the_run_waits_for_an_answer(bench: Bench) -> None:
    assert not bench.seen()
    assert bench.show()
    assert bench.seen() == ["form"]
    for word in ("next", "handoff", "closing"):
        bench.run.answer({"next_action": {"action": word}})
    assert not bench.show(), "now validators run"
    assert not bench.seen()


def test_what_is_answered_in_the_form_is_given_to_the_run(bench: Bench) -> None:
    bench.show()
    bench.answering.open_form()
    assert bench.answering.form.isVisible()
    draft = bench.answering.form.widget.draft
    assert draft is not None
    draft.set("/summary", "done")
    bench.answering.form.widget._give()
    answer = bench.given[0].answer
    assert isinstance(answer, dict)
    assert answer["summary"] == "done"


def test_the_form_keeps_what_is_written_while_the_run_goes_on_by_itself(bench: Bench) -> None:
    bench.show()
    assert bench.answering.form.widget.draft is None, "it was never shown"
    bench.answering.open_form()
    draft = bench.answering.form.widget.draft
    assert draft is not None
    draft.write("{")
    bench.show(busy=True)
    bench.show()
    assert bench.answering.form.widget.draft is draft
    assert draft.text == "{"


def test_a_models_words_have_a_page_of_their_own(bench: Bench, qtbot: QtBot) -> None:
    bench.show(asks_model=True)
    assert bench.seen() == ["form", "model"]
    bench.answering.receive(AttemptStarted("initial.issue", "claude-x", "format", 1, 5))
    bench.answering.receive(Delta("json", "{}"))
    qtbot.wait(80)
    assert bench.answering.model.widget._text.toPlainText() == "{}"
    bench.answering.begin()
    assert bench.answering.model.widget._text.toPlainText() == ""


def test_look_and_language_follow(bench: Bench) -> None:
    bench.show()
    use_language("ja")
    bench.answering.refresh(Theme(dark=True))
    assert bench.answering.form.widget._answer.text() == "回答"
    assert not bench.answering.model.isVisible()
