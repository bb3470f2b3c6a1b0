"""What dragging means, without a mouse: gestures as plain state, from start to drop or cancel."""

from collections.abc import Callable
from typing import NamedTuple

from stepflow_gui.flow.layout.shapes import NodeId
from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.gui.canvas.drag_texts import drag_texts
from stepflow_gui.messages import _

NEW_INTENT = ""  # in place of an intent: any that the step has not yet
WhyNot = Callable[[str, str, str | None], str | None]  # step, intent, target (None: the end) -> reason, None: allowed


class ConnectAsked(NamedTuple):
    """Asked: point the transition of that intent (and case) at a step, or at the end (None, or its word)."""

    step: str
    intent: str
    case: str | None
    target: str | None


class CreateStep(NamedTuple):
    """Asked: a new step where the pointer was let go, the target of that intent (and case) of a step, if of any."""

    step: str | None
    intent: str | None
    case: str | None


class Hint(NamedTuple):
    """What a drop here would do, in words; `legal` None over empty space."""

    legal: bool | None
    text: str


def target_of(node: NodeId) -> str | None:
    """A step or ghost as a transition names it; for an end its word where there are several, else None."""
    return (node.word or None) if node.kind == "end" else node.name


def targets_of(step: Step, intent: str, case: str | None) -> frozenset[str | None]:
    """The targets that a transition, or one case of it, has now (None: the end)."""
    rule = step.transition(intent)
    if rule is None:
        return frozenset()
    if case is not None:
        return frozenset(each.target.value if each.target else None for each in rule.cases if each.value == case)
    if rule.target is not None:
        return frozenset([rule.target.value])
    return frozenset([rule.end or None]) if rule.terminal else frozenset()


class ConnectGesture:
    """From an intent's port to a node: hover shows yes or why not, a drop yields one Connect, Escape nothing."""

    def __init__(
        self,
        step: str,
        intent: str,
        why_not: WhyNot,
        case: str | None = None,
        targets: frozenset[str | None] = frozenset(),
        flow: Flow | None = None,
    ) -> None:
        """`targets`: the targets that the transition has now (None: the end); a drop there changes nothing.

        `flow`: the one that it is drawn in, whose words the hints use.
        """
        self.step = step
        self.intent = intent
        self.case = case
        self._why_not = why_not
        self._targets = targets
        self.over: NodeId | None = None
        self.has_left = False  # the step that it starts at: until then a drop there is a click that slipped
        self.open = True
        self._texts = drag_texts(flow)

    def why_not(self, node: NodeId) -> str | None:
        """Why the transition can't go there; None where it can."""
        if node.kind == "group":
            return _("Unfold the group to connect to what is in it")
        if node.kind == "ghost":
            return _("There is no step “{step}”").format(step=node.name)
        if target_of(node) in self._targets:
            return _("“{intent}” already goes there").format(intent=self.intent)
        return self._why_not(self.step, self.intent, target_of(node))

    def hover(self, over: NodeId | None) -> Hint:
        """The pointer is over a node, or over none."""
        self.over = over
        if self.is_at_start(over):
            over = None
        if self.intent == NEW_INTENT:
            return self._hint_of_new(over)
        if over is None:
            return Hint(None, self._texts.moving.format(intent=self.intent))
        reason = self.why_not(over)
        if reason:
            return Hint(False, reason)
        if over.kind == "end" and over.word:
            return Hint(True, _("“{intent}” goes to {step}").format(intent=self.intent, step=over.word))
        if over.kind == "end":
            return Hint(True, _("“{intent}” ends the flow").format(intent=self.intent))
        return Hint(True, _("“{intent}” goes to {step}").format(intent=self.intent, step=over.name))

    def drop(self, over: NodeId | None) -> ConnectAsked | CreateStep | None:
        """Let go: what is asked for; None over a node that is not allowed, where it began, or once it is over."""
        if not self.open:
            return None
        self.open = False
        if self.is_at_start(over) or (over is None and self.intent == NEW_INTENT):
            return None
        if over is None:
            return CreateStep(self.step, self.intent, self.case)
        if self.why_not(over):
            return None
        return ConnectAsked(self.step, self.intent, self.case, target_of(over))

    def is_at_start(self, over: NodeId | None) -> bool:
        """Whether the pointer, now there, has never left the step that the transition is drawn from."""
        self.has_left = self.has_left or over != NodeId("step", self.step)
        return not self.has_left

    def _hint_of_new(self, over: NodeId | None) -> Hint:
        if over is None:
            return Hint(None, self._texts.moving_new)
        reason = self.why_not(over)
        if reason:
            return Hint(False, reason)
        if over.kind == "end":
            return Hint(True, self._texts.new_ends)
        return Hint(True, self._texts.new_target.format(step=over.name))

    def cancel(self) -> None:
        """Nothing happens, whatever is dropped later."""
        self.open = False
