"""What the canvas says in words: status line, notice, hint at the pointer, tooltips."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from stepflow_gui.flow.model import Step, is_dynamic
from stepflow_gui.gui.canvas.hand.gestures import NEW_INTENT, Hint
from stepflow_gui.gui.canvas.items.chips import Chip
from stepflow_gui.gui.canvas.items.edge_item import EdgeItem
from stepflow_gui.gui.canvas.items.node_item import NEAR, NodeItem
from stepflow_gui.gui.canvas.items.transition_badges import transition_notes
from stepflow_gui.gui.canvas.metrics import one_line
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.report.counts import counted
from stepflow_gui.messages import _, ngettext

if TYPE_CHECKING:
    from stepflow_gui.gui.canvas.view import GraphView


JumpTargets = Callable[[Step], Sequence[str] | None]
"""The steps that an answer may name as the target of a jump; None where it may name any."""


def stale_text() -> str:
    """Why a graph is greyed."""
    return _("The text has a mistake; this is the last graph that could be read")


class CanvasMessages:
    """The texts over and about one view."""

    def __init__(self, view: "GraphView", theme: Theme) -> None:
        self._view = view
        self._theme = theme
        self._last_text = ""
        self.about_drag = False  # whether what was said last is about a drag that is going on
        self.jump_targets: JumpTargets | None = None
        self.dismiss: Callable[[], bool] = lambda: (
            False
        )  # takes away what was said of the last refusal, if anything was
        self.notice = Chip(view, theme, "warning")
        self.pointer = Chip(view, theme, "line")

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self._theme = theme
        self.notice.set_look(theme, "warning")
        self.pointer.set_look(theme, "line")

    def place_notice(self) -> None:
        """Show or hide the notice, and keep it in the middle."""
        self.notice.say(stale_text() if self._view.stale else "")
        self.notice.at_top()

    def show_laying_out(self, steps: int) -> None:
        """Say that the graph isn't there yet; `place_notice` takes it away."""
        text = ngettext("Laying out {count} step…", "Laying out {count} steps…", steps).format(count=steps)
        self.notice.say(text)
        self.notice.at_top()

    def say(self, text: str) -> None:
        """A line for the status bar."""
        if text != self._last_text:
            self._last_text = text
            self._view.hint_changed.emit(text)

    def show_hint(self, hint: Hint | None, at: QPoint) -> None:
        """Say what a drop would do: in the status bar, and beside the pointer where it is over a node."""
        if hint is not None and hint.legal is not None:
            self.pointer.set_look(self._theme, "accent" if hint.legal else "error")
            self.pointer.say(hint.text)
            self.pointer.at_pointer(at)
        else:
            self.pointer.say("")
        self.about_drag = hint is not None
        self.say(hint.text if hint is not None else "")

    def show_reason(self, reason: str | None, field: QRect) -> None:
        """Say at a field over the canvas why what is typed there can't be; None where it can."""
        self.pointer.set_look(self._theme, "error")
        self.pointer.say(reason or "")
        self.pointer.at_field(field)

    def show_hovered(self, step: NodeItem | None, edge: EdgeItem | None, intent: str | None) -> None:
        """Say what the pointer is over."""
        self.say(self._hovered(step, edge, intent))

    def show_tooltip(self, event: QHelpEvent) -> None:
        """Show what is too long or too small to be read where the pointer rests."""
        text = self.tooltip(event.pos())
        if text:
            QToolTip.showText(event.globalPos(), text, self._view.viewport())
        else:
            QToolTip.hideText()

    def tooltip(self, at: QPoint) -> str:
        """What is too long or too small to be read at a point of the viewport."""
        step = self._view.step_item_at(at)
        if step is not None:
            return self._of_step(step, at)
        edge = self._view.edge_item_at(at)
        return "\n".join(_of_edge(edge)) if edge is not None else ""

    def _hovered(self, step: NodeItem | None, edge: EdgeItem | None, intent: str | None) -> str:
        view = self._view
        if step is not None and intent is not None:
            if view.stale:
                return stale_text()
            if view.can_connect is None:
                return ""
            if intent == NEW_INTENT:
                return _("Drag to the step that a new intent should lead to")
            if is_dynamic(step.step, intent):
                return self.jump_text(step.step)
            return _("Drag “{intent}” to the step that it should lead to").format(intent=intent)
        if step is not None:
            return view.accessible_name(step.step.id)
        return " · ".join(_of_edge(edge)) if edge is not None else ""

    def jump_text(self, step: Step) -> str:
        """Where a jump may lead whose target the answer names."""
        field = step.gate.target_field.value if step.gate is not None and step.gate.target_field is not None else ""
        targets = self.jump_targets(step) if self.jump_targets is not None else None
        if targets is None:
            return _("“jump” leads to the step that the answer names in “{field}”").format(field=field)
        named = _(", ").join(targets) or "–"
        text = _("“jump” leads to the step that the answer names in “{field}”: {steps}")
        return text.format(field=field, steps=named)

    def _of_step(self, item: NodeItem, at: QPoint) -> str:
        shape, step = item.measured, item.step
        pill = item.pill_at(self._view.mapToScene(at))
        if pill is not None and self._view.zoom >= NEAR:
            if pill.intent is not None and is_dynamic(step, pill.intent):
                return self.jump_text(step)
            hidden = shape.hidden if pill.intent is None else (pill.intent,) if pill.text != pill.intent else ()
            return "\n".join(one_line(intent) for intent in hidden)
        short = shape.title != one_line(step.title) or shape.caption != one_line(step.id)
        lines = [one_line(step.title), step.id] if short or self._view.zoom < NEAR else []
        lines += counted(*item.counts)
        return "\n".join(dict.fromkeys(lines))


def _of_edge(edge: EdgeItem) -> list[str]:
    moves, target = edge.route.moves, edge.route.target
    ways = dict.fromkeys(move.intent if move.case is None else f"{move.intent}: {move.case}" for move in moves)
    intents = _(", ").join(one_line(way) for way in ways)
    if target.kind == "end" and not target.word:
        text = _("{intents}: {step} → end").format(intents=intents, step=edge.route.source.name)
    else:
        text = _("{intents}: {step} → {target}").format(
            intents=intents, step=edge.route.source.name, target=target.word or target.name
        )
    return [text, *transition_notes(edge.route)]
