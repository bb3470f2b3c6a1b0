"""How a piece's movement comes to its rule: tags by conductors or the agent, then the AI judge (takt.md 6 and 7)."""

from collections.abc import Iterator

from stepflow_gui.formats.takt.runners import TaktRunner
from stepflow_gui.run.takt.machine.choosing import (
    Chosen,
    JudgeQuestion,
    NoneMatched,
    Output,
    choose,
    needs_judge_phase,
)
from stepflow_gui.run.takt.machine.piece import Movement
from stepflow_gui.run.takt.machine.state import Call, EndKind, MovementTask, PieceState, Strategy
from stepflow_gui.run.takt.machine.state_values import StateError
from stepflow_gui.run.takt.machine.tags import chosen_by_tag, judged, tag_of


class ByTags:
    """The judgement of pieces."""

    __slots__ = ("_interactive", "_runner")

    def __init__(self, runner: TaktRunner, *, interactive: bool) -> None:
        self._runner = runner
        self._interactive = interactive

    def advance(self, state: PieceState, movement: Movement, task: MovementTask) -> MovementTask | EndKind:
        """The task as far as it gets by itself once its work is done; or why it ends the run."""
        if task.phase == "report" and task.reported == len(movement.reports):
            task = task._replace(phase="judge", strategies=self._strategies(movement, task))
            if not needs_judge_phase(movement) or movement.subs:
                task = task._replace(phase="choose", strategies=())
            elif len(movement.rules) == 1:
                task = task._replace(phase="choose", strategies=(), tag=tag_of(movement.name, 1))
        if task.phase == "judge" and (task.tag or not task.strategies):
            if not task.tag and self._runner.failed_judge_aborts:
                return "judgment_failed"
            task = task._replace(phase="choose", strategies=())
        if task.phase == "choose":
            if not movement.rules:
                return task._replace(phase="done")
            try:
                found = self._choice(state, movement, task)
            except StateError:
                return "state_unreadable"
            if isinstance(found, NoneMatched):
                return "no_rule_matched"
            if isinstance(found, Chosen):
                return task._replace(phase="done", chosen=found)
        return task

    def replied(self, movement: Movement, task: MovementTask, text: str) -> MovementTask:
        """The task after the reply of whoever was asked for a tag."""
        if self._runner.judge_phase == "structured":
            number = chosen_by_tag(text, movement.name)
            tag = None if number is None or number >= len(movement.rules) else tag_of(movement.name, number + 1)
        else:
            tag = judged(text, latin_names=self._runner.judge_names_are_latin).tag
        return task._replace(tag=tag) if tag else task._replace(strategies=task.strategies[1:])

    def judged(self, movement: Movement, task: MovementTask, holds: int | None) -> MovementTask:
        """The task after the AI judge's answer."""
        if task.phase == "choose":
            return task._replace(answers=(*task.answers, holds))
        is_one = holds is not None and 0 <= holds < len(movement.rules)
        return task._replace(strategies=(), tag=tag_of(movement.name, (holds or 0) + 1) if is_one else "")

    def call(self, state: PieceState, movement: Movement, task: MovementTask) -> Call:
        """Who is asked for the result, of which of them."""
        if task.phase == "judge":
            strategy = task.strategies[0]
            if strategy == "all":
                return Call(task.name, "judge", strategy, tuple(self._offered(movement)))
            return Call(task.name, "consult") if strategy == "agent" else Call(task.name, "conductor", strategy)
        question = self._choice(state, movement, task)
        assert isinstance(question, JudgeQuestion)
        return Call(task.name, "judge", question.method, question.texts)

    def _offered(self, movement: Movement) -> Iterator[tuple[int, str]]:
        for number, rule in enumerate(movement.rules):
            if self._interactive or not rule.interactive_only:
                yield number, rule.text

    def _strategies(self, movement: Movement, task: MovementTask) -> tuple[Strategy, ...]:
        if self._runner.judge_phase == "agent":
            return ("agent",)
        reports = any(report.judged for report in movement.reports)
        if self._runner.judge_phase == "structured":
            source: Strategy = "reports" if reports else "response"
            return source, source, "all"
        by_reports: tuple[Strategy, ...] = ("reports",) if reports else ()
        by_response: tuple[Strategy, ...] = ("response",) if task.text else ()
        return (*by_reports, *by_response, "agent")

    def _choice(
        self, state: PieceState, movement: Movement, task: MovementTask
    ) -> Chosen | JudgeQuestion | NoneMatched:
        subs = tuple(_taken(sub, done) for sub, done in zip(movement.subs, state.tasks, strict=False))
        output = Output(task.text, task.tag, subs)
        return choose(movement, output, task.answers, self._runner, interactive=self._interactive, facts=state.facts)


def _taken(sub: Movement, task: MovementTask) -> str | None:
    return sub.rules[task.chosen.rule].text if task.chosen else None
