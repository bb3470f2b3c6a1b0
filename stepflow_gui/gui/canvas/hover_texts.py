"""The texts for what the pointer is over: the line in the status bar, and tooltips."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from stepflow_gui.flow.model import Step, is_dynamic
from stepflow_gui.gui.canvas.canvas_messages import stale_text
from stepflow_gui.gui.canvas.drag_texts import drag_texts
from stepflow_gui.gui.canvas.gestures import NEW_INTENT
from stepflow_gui.gui.canvas.items.edge_item import EdgeItem
from stepflow_gui.gui.canvas.items.node_item import NEAR, PORTS, NodeItem
from stepflow_gui.gui.canvas.items.transition_badges import transition_notes
from stepflow_gui.gui.canvas.metrics import one_line
from stepflow_gui.gui.canvas.port import CanvasPort
from stepflow_gui.lint.report.counts import counted
from stepflow_gui.messages import _


def status_text(view: CanvasPort, step: NodeItem | None, edge: EdgeItem | None, intent: str | None) -> str:
    """What the status bar shows while the pointer is over a step, one of its intents, or an edge."""
    if step is not None and intent is not None:
        if view.text_broken:
            return stale_text()
        if view.can_connect is None:
            return ""
        if intent == NEW_INTENT:
            return drag_texts(view.graph.flow).plus
        if is_dynamic(step.step, intent):
            return jump_text(view, step.step)
        return drag_texts(view.graph.flow).port.format(intent=intent)
    if step is not None:
        return view.graph.accessible_name(step.step.id)
    return " · ".join(_edge_lines(edge)) if edge is not None else ""


def show_tooltip(view: CanvasPort, event: QHelpEvent) -> None:
    """Show what is too long or too small to be read where the pointer rests."""
    text = tooltip(view, event.pos())
    if text:
        QToolTip.showText(event.globalPos(), text, view.viewport())
    else:
        QToolTip.hideText()


def tooltip(view: CanvasPort, at: QPoint) -> str:
    """What is too long or too small to be read at a point of the viewport."""
    step = view.step_item_at(at)
    if step is not None:
        return _step_tooltip(view, step, at)
    card = view.graph.groups.cards.get(view.group_at(at) or "")
    if card is not None:
        return "\n".join([one_line(card.group.name), card.counts, *card.directions()])
    edge = view.edge_item_at(at)
    return "\n".join(_edge_lines(edge)) if edge is not None else ""


def jump_text(view: CanvasPort, step: Step) -> str:
    """The possible targets of a jump whose target the answer names."""
    field = step.gate.target_field.value if step.gate is not None and step.gate.target_field is not None else ""
    targets = view.messages.jump_targets(step) if view.messages.jump_targets is not None else None
    if targets is None:
        return _("“jump” goes to the step that the answer names in “{field}”").format(field=field)
    named = _(", ").join(targets) or "–"
    text = _("“jump” goes to the step that the answer names in “{field}”: {steps}")
    return text.format(field=field, steps=named)


def _step_tooltip(view: CanvasPort, item: NodeItem, at: QPoint) -> str:
    shape, step = item.measured, item.step
    pill = item.pill_at(view.mapToScene(at))
    if pill is not None and view.zoom >= PORTS:
        if pill.intent is not None and is_dynamic(step, pill.intent):
            return jump_text(view, step)
        hidden = shape.hidden if pill.intent is None else (pill.intent,) if pill.text != pill.intent else ()
        loop = view.graph.edges.get((item.node, item.node._replace(word=pill.intent or "")))
        return "\n".join([*(one_line(intent) for intent in hidden), *(_edge_lines(loop) if loop is not None else ())])
    short = shape.title != one_line(step.title) or shape.caption != one_line(step.id)
    lines = [one_line(step.title), step.id] if short or view.zoom < NEAR else []
    lines += counted(*item.counts)
    return "\n".join(dict.fromkeys(lines))


def _edge_lines(edge: EdgeItem) -> list[str]:
    """A line for each transition that the edge stands for, then what is special about them."""
    moves, target, step = edge.route.moves, edge.route.target, edge.route.source.name
    names = dict.fromkeys(move.intent if move.case is None else f"{move.intent}: {move.case}" for move in moves)
    if target.kind == "end" and not target.word:
        lines = [_("{intents}: {step} → end").format(intents=one_line(name), step=step) for name in names]
    else:
        text, end = _("{intents}: {step} → {target}"), target.word or target.name
        lines = [text.format(intents=one_line(name), step=step, target=end) for name in names]
    return [*lines, *transition_notes(edge.route)]
