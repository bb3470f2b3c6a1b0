"""How a workflow's step comes to its rule: one label by the judge, then the first rule that holds (takt.md 13.3)."""

from stepflow_gui.run.takt.machine.choosing import NoneMatched
from stepflow_gui.run.takt.machine.piece import Movement
from stepflow_gui.run.takt.machine.state import Call, EndKind, MovementTask, PieceState
from stepflow_gui.run.takt.machine.state_values import StateError
from stepflow_gui.run.takt.machine.workflow_choosing import SubResult, choose_in_order, labels_of


class InOrder:
    """The judgement of workflows."""

    __slots__ = ("_interactive",)

    def __init__(self, *, interactive: bool) -> None:
        self._interactive = interactive

    def advance(self, state: PieceState, movement: Movement, task: MovementTask) -> MovementTask | EndKind:
        """The task as far as it gets by itself once its work is done; or why it ends the run."""
        if task.phase == "report" and task.reported == len(movement.reports):
            task = task._replace(phase="choose")
        if task.phase != "choose":
            return task
        if not movement.rules:
            return task._replace(phase="done")
        labels = labels_of(movement, interactive=self._interactive)
        if len(labels) > 1 and not task.answers:
            return task
        label = labels[0] if len(labels) == 1 else None
        if task.answers:
            answer = task.answers[0]
            label = labels[answer] if answer is not None and 0 <= answer < len(labels) else None
        subs = [_result(sub, done) for sub, done in zip(movement.subs, state.tasks, strict=False)]
        try:
            found = choose_in_order(movement, label, subs, state.facts, interactive=self._interactive)
        except StateError:
            return "state_unreadable"
        return "no_rule_matched" if isinstance(found, NoneMatched) else task._replace(phase="done", chosen=found)

    def replied(self, _movement: Movement, task: MovementTask, _text: str) -> MovementTask:
        """No tags are asked for."""
        return task

    def judged(self, _movement: Movement, task: MovementTask, holds: int | None) -> MovementTask:
        """The task after the judge's choice."""
        return task._replace(answers=(*task.answers, holds))

    def call(self, _state: PieceState, movement: Movement, task: MovementTask) -> Call:
        """The judge is asked for one of the labels."""
        labels = labels_of(movement, interactive=self._interactive)
        return Call(task.name, "judge", "label", tuple(enumerate(labels)))


def _result(sub: Movement, task: MovementTask) -> SubResult:
    return SubResult(sub.rules[task.chosen.rule] if task.chosen else None, failed=task.status == "error")
