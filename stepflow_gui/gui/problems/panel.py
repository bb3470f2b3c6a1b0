"""The problems panel: what the linter found, where it is, and what can be done about it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from stepflow_gui.gui.desk import Feature
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.selection import Selection
from stepflow_gui.gui.document.step_terms import has_movements
from stepflow_gui.gui.problems.config_notice import ConfigNotice
from stepflow_gui.gui.problems.config_watch import ConfigWatch
from stepflow_gui.gui.problems.details import Page, ProblemDetails
from stepflow_gui.gui.problems.empty_text import EmptyPage
from stepflow_gui.gui.problems.filter import FilterRow
from stepflow_gui.gui.problems.fix_all_job import FixAllJob
from stepflow_gui.gui.problems.list import ProblemList, mark_of
from stepflow_gui.gui.problems.menu import copy, fill_here, fill_row
from stepflow_gui.gui.problems.model import DIAGNOSTIC, SUPPRESSED, Grouping, ProblemModel
from stepflow_gui.gui.problems.offers import SuppressPlace, offer_of, offer_of_all, suppress, suppress_places
from stepflow_gui.gui.problems.places import excerpt_of, is_at, line_span, shown_place
from stepflow_gui.gui.problems.suppress_form import SuppressionInput
from stepflow_gui.gui.problems.suppressed_rows import reveal, take_back_offer
from stepflow_gui.gui.widgets.frame.lazy import LazyWidget
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.config.file import ConfigProblem
from stepflow_gui.lint.diagnostic import Diagnostic, Fix
from stepflow_gui.lint.fixing import Fixed
from stepflow_gui.lint.suppressions.suppressing import Excuse, Suppressed
from stepflow_gui.messages import _
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source, Span

ORIGIN = "problems"
_WIDE = 700  # pixels from which list and details stand side by side


class ProblemsPanel(QWidget, Feature):
    """Lists a document's findings. `source_wanted` is emitted where the person goes on to the text itself.

    `front_wanted` is emitted where something in the panel is to be seen that was asked for elsewhere.
    """

    source_wanted = Signal()
    front_wanted = Signal()
    documentation_asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._theme = theme
        self._document: Document | None = None
        self._is_visited = False  # nothing else was selected since
        self._visited: Diagnostic | None = None  # gone to last
        self._subject: Diagnostic | None = None  # of the details; None while they are about many
        self._subject_quiet = False  # a suppressed one
        self._asked_all: str | None = None  # the rule whose fixes are worked out
        self._places: list[SuppressPlace] = []
        self.unfolds: Callable[[], bool] = lambda: False  # whether lines of the source are shown below a problem
        self._config: ConfigWatch | None = None
        self._model = ProblemModel()
        self._job = FixAllJob(self)
        self._job.done.connect(self._worked_out)
        self.list = ProblemList(self._model, theme)
        self.list.delegate.fix_asked.connect(self.fix)
        self.list.delegate.take_back_asked.connect(self.take_back)
        self.list.clicked.connect(lambda index: self._go(index.data(DIAGNOSTIC)))
        self.list.doubleClicked.connect(self._went)
        self.list.went.connect(self._went)
        self.list.menu_asked.connect(self._menu)
        self.list.details_asked.connect(self.details_of_chosen)
        self.list.copy_asked.connect(lambda index: copy(index.data(DIAGNOSTIC)))
        self.list.left.connect(self.close_details)
        self.list.selectionModel().currentChanged.connect(self._current_changed)
        self.filter = FilterRow()
        self.filter.changed.connect(self._narrow)
        self.filter.fix_safe_asked.connect(lambda: self.fix_all(None))
        self.notice = ConfigNotice()
        self.notice.picked.connect(self._show_config)
        self._calm = EmptyPage()
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self._calm)
        self._left = QWidget()
        self.details = LazyWidget(self._make_details)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._build()
        self.set_theme(theme)
        self.retranslate()

    @property
    def focus_widget(self) -> QWidget:
        """What takes the keyboard when the panel is gone to."""
        return self.list if self._left.isVisibleTo(self) else self.details

    def retranslate(self) -> None:
        """Show the panel in the language in use."""
        self.list.setAccessibleName(_("Problems"))
        self.filter.retranslate()
        self.details.if_built(lambda details: details.retranslate())
        self.list.relayout()
        if self._config is not None:
            self._config.again()
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = theme
        self.list.delegate.set_theme(theme)
        self.details.if_built(lambda details: details.set_theme(theme))
        self.filter.set_theme(theme)
        self.list.relayout()
        self._show()

    def set_document(self, document: Document | None) -> None:
        """Show another document's findings, or none."""
        if self._document is not None:
            self._document.diagnostics_changed.disconnect(self._show)
            self._document.selection_changed.disconnect(self._selection_changed)
        self._job.close()
        if self._config is not None:
            self._config.close()
            self._config.deleteLater()
            self._config = None
        self._document = document
        self.filter.of_movements = document is not None and has_movements(document.last_valid.flow)
        self.filter.retranslate()
        self.close_details()
        if document is not None:
            document.diagnostics_changed.connect(self._show)
            document.selection_changed.connect(self._selection_changed)
            self._config = ConfigWatch(document, self)
            self._config.changed.connect(self._show_notice)
        self._show_notice()
        self._narrow()
        self._show()

    @property
    def current_finding(self) -> Diagnostic | None:
        """The finding that the list has gone to, while nothing else was selected since."""
        found = self.list.chosen()
        return found if self._is_visited and found is not None and found is self._visited else None

    def group_by(self, grouping: Grouping) -> None:
        """List the findings in groups; "": in none."""
        chosen = self.list.chosen()
        self._model.group_by(grouping)
        self.list.relayout()
        self.list.choose(chosen)

    def step(self, by: int) -> bool:
        """Go to the next (1) or the previous (-1) problem, round the ends; False where none is listed."""
        count = len(self._model.rows)
        if not count:
            return False
        current = self.list.currentIndex()
        row = 0 if by > 0 else count - 1
        if current.isValid() and current.row() < count:  # one that is only marked is gone to first
            row = (current.row() + by) % count if self.list.chosen() is self._visited else current.row()
        self.list.setCurrentIndex(self._model.index(row))
        self._go(self._model.rows[row])
        return True

    def offer_at(self, menu: QMenu, path: Path, offset: int) -> None:
        """Add what can be done about the findings at an offset of a file to a menu."""
        if self._document is None or not self._document.linted:
            return
        fill_here(menu, [found for found in self._document.diagnostics if is_at(found, path, offset)], self)

    def _build(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._split)
        self._split.addWidget(self._left)  # before it is filled: what moves is dressed again, with all in it
        column = QVBoxLayout(self._left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.filter)
        column.addWidget(self.notice)
        column.addWidget(self._pages, 1)
        self.details.hide()
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.addWidget(self.details)

    def _make_details(self) -> ProblemDetails:
        details = ProblemDetails(self._theme)
        details.page_wanted.connect(self._turn_to)
        details.closed.connect(self.close_details)
        details.form.asked.connect(self._suppress)
        details.rule.documentation_asked.connect(self.documentation_asked)
        return details

    # What is done about findings

    def fix(self, found: Diagnostic, fix: Fix) -> None:
        """Make a safe fix at once; show first what another one would change."""
        if self._document is None:
            return
        if fix.safe:
            self._document.apply_fix(fix)
            return
        self.show_details(found, "fix", fix)

    def fix_all(self, code: str | None) -> None:
        """Work out all fixes of a rule, or all safe ones, and show what they would change."""
        document = self._document
        if document is None or not document.linted:
            return
        self._subject = None
        self._asked_all = code
        self.details.widget.preview.show_text(_("Computing fixes…"))
        self._open_details("fix")
        self._job.ask(document.snapshot(), code)

    def show_details(self, found: Diagnostic, page: Page, fix: Fix | None = None) -> None:
        """Open the pane with a finding's fixes, its rule or the form that suppresses it."""
        if self._document is None:
            return
        self._job.close()
        self._take_subject(found)
        self.list.choose(found)
        self._fill(page, fix)
        self._open_details(page)

    def take_back(self, suppressed: Suppressed) -> None:
        """Show what taking a suppression back would change."""
        self.show_details(suppressed.found, "fix")

    def go_to_excuse(self, excuse: Excuse) -> None:
        """Go to the text of a suppression."""
        if self._document is not None:
            reveal(self._document, excuse)
            self.source_wanted.emit()

    def details_of_chosen(self, page: Page) -> None:
        """Open the pane with the current row's finding, else the first one."""
        found = self.list.chosen() or next(iter(self._model.rows), None)
        if found is not None:
            self.show_details(found, page)

    def show_rule(self, code: str) -> None:
        """Open the pane with a rule's page, whether there is a finding of it or not."""
        self._job.close()
        self._subject = None
        self.details.widget.rule.show_rule(code)
        self._open_details("rule")

    def close_details(self) -> None:
        """Only the list again."""
        self._job.close()
        had_focus = self.details.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        self.details.hide()
        self._left.show()
        self._subject = None
        if had_focus:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open_details(self, page: Page) -> None:
        self.front_wanted.emit()
        self.details.widget.show_page(page)
        self._enable_pages()
        if self.details.isHidden():
            self.details.show()
            self._split.setSizes([self.width() // 2, self.width() // 2])
        self._arrange()
        self.details.widget.focus_page()
        self.list.show_current()

    def _enable_pages(self) -> None:
        for each, button in self.details.widget.buttons.items():
            of_one = self._subject is not None and not (self._subject_quiet and each == "suppress")
            button.setEnabled(each == "fix" or of_one)

    def _take_subject(self, found: Diagnostic) -> None:
        self._subject = found
        quiet = self._document.suppressed if self._document else []
        self._subject_quiet = any(each.found == found for each in quiet)

    def _fill(self, page: Page, fix: Fix | None = None) -> None:
        document, found = self._document, self._subject
        if document is None or found is None:
            return
        suppressed = self._suppressed_subject()
        if page == "rule":
            self.details.widget.rule.show_rule(found.code)
        elif suppressed is not None:
            if document.linted:
                self.details.widget.preview.show_offers([take_back_offer(document, suppressed)])
        elif page == "suppress":
            self._places = suppress_places(document, found, self._config.file if self._config else None)
            self.details.widget.form.ask_for(f"{found.code}  {found.message}", [place.name for place in self._places])
        elif not found.fixes:
            self.details.widget.preview.show_text(_("No automatic fix: you have to decide."))
        elif document.linted:
            offers = [offer_of(document, each) for each in found.fixes]
            self.details.widget.preview.show_offers(offers, found.fixes.index(fix) if fix in found.fixes else 0)

    def _suppressed_subject(self) -> Suppressed | None:
        """The details' finding, if it is a suppressed one."""
        quiet = self._document.suppressed if self._document else []
        return next((each for each in quiet if self._subject_quiet and each.found == self._subject), None)

    def _turn_to(self, page: Page) -> None:
        self._fill(page)
        self.details.widget.show_page(page)
        self.details.widget.focus_page()

    def _worked_out(self, version: int, fixed: Fixed | ReadProblem) -> None:
        document = self._document
        if document is None or self._subject is not None or not self.details.isVisibleTo(self):
            return
        if isinstance(fixed, ReadProblem):
            self.details.widget.preview.show_text(describe(fixed))
        elif version == document.version:
            self.details.widget.preview.show_offers([offer_of_all(document, fixed, self._asked_all, version)])
            self.details.widget.focus_page()
        else:
            self._job.ask(document.snapshot(), self._asked_all)

    def _suppress(self, wish: SuppressionInput) -> None:
        if self._document is not None and self._subject is not None:
            trouble = suppress(self._document, self._subject, self._places[wish.place], wish.reason, wish.until)
            self.details.widget.form.show_text(trouble)

    # What is shown

    def _show(self) -> None:
        document = self._document
        chosen = self.list.chosen()
        self._model.show(*((document.diagnostics, document.suppressed) if document else ([], [])))
        self.list.choose(chosen)
        self.filter.show_counts(self._model)
        self._show_calm()
        self._follow_subject()

    def _show_calm(self) -> None:
        document, some = self._document, bool(self._model.counts())
        some_rows = self._model.rowCount() > 0
        self._pages.setCurrentIndex(0 if some_rows else 1)
        if some_rows:
            return
        checked = document is not None and document.checked and not some
        empty = _("No agent open. Create one with File ▸ New Agent…, or open a folder.")
        text = _("No problems") if checked else _("Checking…") if document else empty
        self._calm.show_text(_("No problem matches the filter.") if some else text, self._theme, checked)

    def _follow_subject(self) -> None:
        """The details stay with their finding; where that is gone, there is nothing to show any more."""
        document = self._document
        if document is None or self.details.isHidden():
            return
        if self._subject is None:
            if not self._job.busy:
                self.close_details()
            return
        same = mark_of(self._subject)
        known = [each.found for each in document.suppressed] if self._subject_quiet else document.diagnostics
        found = next((each for each in known if mark_of(each) == same), None)
        if found is None:
            self.close_details()
        else:
            self._subject = found
            if self.details.widget.page == "fix":
                self._fill("fix")

    def _show_notice(self) -> None:
        self.notice.show_problems(self._config.problems if self._config else [])

    def _narrow(self) -> None:
        only, document = self.filter.only_step.isChecked(), self._document
        step = document.selected_step if document and only else None
        chosen = self.list.chosen()
        self._model.show_suppressed(self.filter.suppressed.isChecked())
        self._model.set_filter(self.filter.hidden_severities(), self.filter.words.text(), step)
        self.list.choose(chosen)
        self._show_calm()

    def _selection_changed(self, selection: Selection) -> None:
        if selection.origin != ORIGIN:
            self._is_visited = False
            if self.filter.only_step.isChecked():
                self._narrow()

    def _arrange(self) -> None:
        self._left.setVisible(self.details.isHidden() or self.width() >= _WIDE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    # What the person does

    def _went(self, index: QModelIndex) -> None:
        self._go(index.data(DIAGNOSTIC))
        self.source_wanted.emit()

    def _current_changed(self, index: QModelIndex) -> None:
        found = index.data(DIAGNOSTIC) if index.isValid() else None
        if found is None or self.details.isHidden() or self._subject is None:
            return
        if mark_of(found) != mark_of(self._subject):
            self._take_subject(found)
            page: Page = (
                "fix" if self._subject_quiet and self.details.widget.page == "suppress" else self.details.widget.page
            )
            self._fill(page)
            self.details.widget.show_page(page)
            self._enable_pages()

    def _go(self, found: Diagnostic) -> None:
        document = self._document
        if document is None:
            return
        self._visited = found
        self._is_visited = True
        if found.step is not None:
            document.select(found.step, ORIGIN)
        file, place = shown_place(found, document)
        document.reveal(file, Span(place.start.offset, place.end.offset))
        self.list.unfold(found, excerpt_of(document, file, place) if self.unfolds() else ())

    def show_step_of(self, found: Diagnostic) -> None:
        """List the problems of the step of one, or all where it is of none, and make it the current row."""
        if self._document is None:
            return
        self.front_wanted.emit()
        if found.step is not None:
            self._document.select(found.step, ORIGIN)
        self.filter.only_step.setChecked(found.step is not None)
        self._narrow()
        self.list.choose(found)
        self.list.show_current()

    def _show_config(self, problem: ConfigProblem) -> None:
        document = self._document
        source = document.source(problem.file) if document else None
        if document is not None and isinstance(source, Source):
            document.reveal(problem.file, line_span(source.text, problem.line or 1))
            self.source_wanted.emit()

    def _menu(self, index: QModelIndex) -> None:
        menu = QMenu(self)
        fill_row(menu, index.data(DIAGNOSTIC), index.data(SUPPRESSED), self, lambda: self._went(index))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.list.viewport().mapToGlobal(self.list.visualRect(index).center()))
