"""Plays a recorded run of a piece: who answers what, following the recording's inputs."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import (
    Begin,
    Blocked,
    Call,
    Completed,
    CycleFound,
    Event,
    Extended,
    Happening,
    InputGiven,
    JudgeReply,
    LimitReached,
    PieceState,
    Replied,
    RunsInARow,
    Started,
    UserInput,
)

Answers = Callable[[PieceState, Call], Replied]


class Played:
    """A run to its end, with everything that was asked during it."""

    def __init__(self, machine: PieceMachine, inputs: dict[str, Any]) -> None:
        self._machine = machine
        self._inputs = inputs
        self._judge = deque(inputs["judge_answers"] or ())
        self._persons = deque(inputs["user_inputs"] or ())
        self._limits = deque(inputs["limit_answers"] or ())
        scenario = inputs["scenario"]
        self._answer: Answers = _by_scenario(scenario) if scenario is not None else _ByDecisions(machine, inputs).answer
        self.events: list[dict[str, Any]] = []
        self.sequence: list[str] = []
        self.judge_calls: list[list[str]] = []
        self.calls: list[str] = []
        self.state = PieceState()
        self._send(Begin("task", inputs["start"]))
        while self.state.waits != "nothing":
            for event in self._next():
                self._send(event)

    def _next(self) -> Iterator[Event]:
        state = self.state
        if state.waits == "input":
            text = self._persons.popleft() if self._persons else None
            yield UserInput(text, possible=self._inputs["user_inputs"] is not None)
        elif state.waits == "limit":
            yield Extended((self._limits.popleft() if self._limits else 0) or 0)
        else:
            for call in self._machine.calls(state):
                if self.state.waits != "calls":
                    return
                yield self._asked(call)

    def _asked(self, call: Call) -> Event:
        if call.kind == "judge":
            self.judge_calls.append([text for _index, text in call.texts])
            answer = self._judge.popleft() if self._judge else -1
            return JudgeReply(call.task, None if answer < 0 else answer)
        self.calls.append(call.kind if call.kind == "report" else f"{call.kind}:{call.task}")
        return self._answer(self.state, call)

    def _send(self, event: Event) -> None:
        self.state, happened = self._machine.step(self.state, event)
        for each in happened:
            if isinstance(each, Started):
                self.sequence.append(each.movement)
            told = _told(each)
            if told is not None:
                self.events.append(told)


class _ByDecisions:
    """The judge announces the rule that is declared for each execution; all else is plain text."""

    def __init__(self, machine: PieceMachine, inputs: dict[str, Any]) -> None:
        self._machine = machine
        self._decisions = inputs["decisions"] or {}
        self._phase1 = inputs["phase1"] or {}

    def answer(self, state: PieceState, call: Call) -> Replied:
        nth = state.counts[call.task] - 1
        if call.kind in ("agent", "report"):
            key = call.task if call.kind == "agent" else f"report:{call.task}"
            listed = self._phase1.get(key, [])
            item = listed[nth] if nth < len(listed) else {}
            said: dict[str, Any] = {"content": item} if isinstance(item, str) else item
            return Replied(call.task, said.get("content", "It is done."), said.get("status", "done"))
        rules = self._machine.movement_of(state, call.task).rules
        number = self._decided(call.task, nth, len(rules))
        return Replied(call.task, f"[{call.task.upper()}:{number}]" if number else "cannot determine")

    def _decided(self, name: str, nth: int, rules: int) -> int:
        declared = self._decisions.get(name, self._decisions.get("*"))
        if declared is None:
            return 1
        listed = declared if isinstance(declared, list) else [declared]
        number = listed[min(nth, len(listed) - 1)]
        if number == "last":
            return rules
        if name not in self._decisions and number > rules:
            return 1
        assert isinstance(number, int)
        return number


def _by_scenario(scenario: list[dict[str, Any]]) -> Answers:
    entries = deque(scenario)

    def answer(_state: PieceState, call: Call) -> Replied:
        item: dict[str, Any] = entries.popleft() if entries else {"content": ""}
        return Replied(call.task, item["content"], item.get("status", "done"))

    return answer


def _told(happening: Happening) -> dict[str, Any] | None:
    match happening:
        case Started():
            return {"event": "start", "movement": happening.movement, "iteration": happening.iteration}
        case Completed():
            told: dict[str, Any] = {"event": "complete", "movement": happening.movement, "status": happening.status}
            told |= _chosen(happening)
            if happening.subs:
                told["subs"] = {sub.name: _chosen(sub) for sub in happening.subs}
            return told
        case CycleFound():
            return {"event": "cycle", "cycle": list(happening.cycle), "count": happening.rounds}
        case LimitReached():
            return {"event": "limit", "iteration": happening.iteration, "max": happening.limit}
        case Blocked():
            return {"event": "blocked", "movement": happening.movement}
        case InputGiven():
            return {"event": "user_input", "movement": happening.movement}
        case RunsInARow():
            return {"event": "loop_warning", "movement": happening.movement, "count": happening.times}
        case _:
            return None


def _chosen(done: Any) -> dict[str, Any]:
    chosen = done.chosen
    return {"rule": chosen.rule + 1 if chosen else None, "method": chosen.method if chosen else None}
