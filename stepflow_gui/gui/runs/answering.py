"""The parts of the answer's page in which an answer is edited or arrives: the form, and the model's output."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.widgets.frame.lazy import LazyWidget
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.run.answer_form.drafts import Drafts
from stepflow_gui.run.answer_form.forecast import forecast
from stepflow_gui.run.machine.state import Answered
from stepflow_gui.run.responders.anthropic_progress import Progress
from stepflow_gui.run.session import Run, waits_for_answer

if TYPE_CHECKING:
    from stepflow_gui.gui.runs.answer_form.form import AnswerForm
    from stepflow_gui.gui.runs.panel.model_answer import ModelAnswer

FILL_IN = "fill_in"  # the key of the offer that opens the form


class RunAnswering:
    """Shows the form where the run waits for an answer. `give` takes what the person answers with it."""

    def __init__(
        self, panel: RunPanel, document: Document, theme: Callable[[], Theme], give: Callable[[Answered], None]
    ) -> None:
        self._panel = panel
        self._document = document
        self._give = give
        self._drafts = Drafts()
        self._run: Run | None = None  # that waits for an answer
        self.form = LazyWidget(lambda: self._make_form(theme()))
        self.model = LazyWidget(lambda: _make_model(theme()))
        self.form.ready.connect(self.fill)
        for part in (self.form, self.model):
            panel.answer.add(part)

    def receive(self, progress: Progress) -> None:
        """Take the progress of a model's answer, on any thread: it was opened before."""
        self.model.widget.hearing.receive(progress)

    def refresh(self, theme: Theme) -> None:
        """Take another look and language."""
        for part in (self.form, self.model):
            part.if_built(lambda each: each.set_theme(theme))
            part.if_built(lambda each: each.retranslate())

    def show(self, run: Run | None, *, asks_model: bool, busy: bool) -> bool:
        """Show the form for a run as it stands; whether there is one."""
        answer = self._panel.answer
        answer.want(self.model, on=asks_model)
        self._run = run if run is not None and not busy and waits_for_answer(run) else None
        if self._run is None:
            if not busy:  # else the form stays, to be seen again when the run waits
                self.form.if_built(lambda form: form.clear())
                answer.want(self.form, on=False)
            return False
        answer.want(self.form, on=True)
        self.fill()
        return True

    def fill(self) -> None:
        """Fill the form for the answer that is waited for, if it can be seen."""
        run = self._run
        if run is None or not self._panel.is_seen(self.form):
            return
        draft = self._drafts.of(run, self._document.last_valid)
        if draft is not None:
            machine, state = run.machine, run.state
            self.form.widget.show_draft(draft, lambda answered: forecast(machine, state, answered))

    def begin(self) -> None:
        """Another run begins: nothing has been spent on it."""
        self.model.if_built(lambda model: model.start_over())

    def open_form(self) -> None:
        """Bring the form to the front and put the keyboard there."""
        self._panel.show_page(self.form)
        self._panel.answer.open(self.form)
        self.fill()
        self.form.widget.focus_first()

    def open_model(self) -> None:
        """Bring the model's output to the front. It is there from now on to take progress."""
        assert self.model.widget
        self._panel.show_page(self.model)
        self._panel.answer.open(self.model)

    def detach(self) -> None:
        """Take the pages out of the panel."""
        self.form.if_built(lambda form: form.clear())
        for part in (self.form, self.model):
            self._panel.answer.take(part)
            part.deleteLater()

    def _make_form(self, theme: Theme) -> "AnswerForm":
        from stepflow_gui.gui.runs.answer_form.form import AnswerForm  # loaded by those who fill it in

        form = AnswerForm(theme)
        form.answered.connect(self._given)
        return form

    def _given(self, answered: Answered) -> None:
        self._give(answered._replace(verdict_reached=self._panel.condition_met))


def _make_model(theme: Theme) -> "ModelAnswer":
    from stepflow_gui.gui.runs.panel.model_answer import ModelAnswer  # loaded by those who ask a model

    return ModelAnswer(theme)
