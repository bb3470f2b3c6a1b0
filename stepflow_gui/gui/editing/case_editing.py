"""Asks for conditions and their values, and changes the transitions accordingly."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint

from stepflow_gui.formats.changes import AddCase, MakeConditional, RenameCase
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.editing.change_maker import ChangeMaker
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.gui.canvas.view import GraphView


class CaseEditing:
    """The conditions of one document's transitions."""

    def __init__(self, document: Document, canvas: "GraphView", editing: ChangeMaker) -> None:
        self._document = document
        self._canvas = canvas
        self._editing = editing

    def ask_condition(self, ref: TransitionRef) -> AskPopup:
        """Ask for the handoff value that decides, and make the transition depend on it; it keeps its old target."""
        step = self._document.last_valid.flow.steps.get(ref.step)
        known = [text.value for text in step.gate.handoff_fields] if step is not None and step.gate else []
        title = _("Make “{intent}” conditional").format(intent=ref.intent)
        return self._ask(
            ref,
            title,
            _("Handoff value that decides"),
            lambda name: self._editing.make(MakeConditional(ref.step, ref.intent, name)),
            known=known,
        )

    def ask_case(self, ref: TransitionRef) -> AskPopup:
        """Ask for one more value of a condition; it goes to the step itself until it is connected elsewhere."""
        title = _("Add a value to “{intent}”").format(intent=ref.intent)
        return self._ask(
            ref, title, _("Value"), lambda value: self._editing.make(AddCase(ref.step, ref.intent, value, ref.step))
        )

    def ask_case_name(self, ref: TransitionRef) -> AskPopup:
        """Ask for another value in place of a case's."""
        case = ref.case or ""
        title = _("Rename the value “{case}”").format(case=case)
        return self._ask(
            ref,
            title,
            _("Value"),
            lambda value: self._editing.make(RenameCase(ref.step, ref.intent, case, value)),
            text=case,
        )

    def _ask(
        self,
        ref: TransitionRef,
        title: str,
        label: str,
        act: Callable[[str], object],
        text: str = "",
        known: Sequence[str] = (),
    ) -> AskPopup:
        popup = AskPopup(self._canvas, title, label, text, known)
        popup.answered.connect(act)
        popup.open_at(self._place_of(ref))
        return popup

    def _place_of(self, ref: TransitionRef) -> QPoint:
        viewport = self._canvas.viewport()
        edge = self._canvas.graph.edge_item(ref)
        spot = viewport.rect().center()
        if edge is not None:
            label, first = edge.route.label_box, edge.route.bends[0]
            near = self._canvas.mapFromScene(*((label.x, label.bottom) if label else (first.x, first.y)))
            spot = near if viewport.rect().contains(near) else spot
        return viewport.mapToGlobal(spot)
