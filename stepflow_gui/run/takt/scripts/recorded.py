"""A run of a piece as a script that goes to the same again, with its path and end expected."""

import json
from collections.abc import Mapping

from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.results import Result, results_of
from stepflow_gui.run.takt.machine.state import Begin, Extended, JudgeReply, PieceState, Replied, UserInput
from stepflow_gui.run.takt.picking import PLAIN
from stepflow_gui.run.takt.scripts.scripted import path_of
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.traces.redaction import Redactor
from stepflow_gui.text.json.tree import JsonValue

_LONGEST = 200  # characters of a response that are written down: no rule is chosen by it


def recorded(run: PieceRun) -> str:
    """The script, as JSON. Of a run that hasn't ended it expects the path so far.

    Secrets and the home folder are removed from what was written, as in traces.
    """
    machine, end = run.machine, run.state.end
    begin = next((moment.event for moment in run.moments if isinstance(moment.event, Begin)), Begin())
    events = [moment.event for moment in run.moments]
    expected: dict[str, JsonValue] = {"path": list(path_of(run))}
    if end is not None:
        expected |= {"end": end.kind, "movement": end.movement, "iterations": run.state.iteration}
    script: dict[str, JsonValue] = {
        "task": begin.task,
        "start": begin.movement,
        "interactive": machine.interactive,
        "era": machine.runner.name,
        "state": dict(begin.facts),
        "answers": {name: _shortened(items) for name, items in _answers(run).items()},
        "inputs": [event.text for event in events if isinstance(event, UserInput) and event.possible],
        "limits": [event.iterations for event in events if isinstance(event, Extended)],
        "expect": expected,
    }
    given = {key: value for key, value in script.items() if value or key == "answers"}
    redactor = Redactor()
    safe = {key: value if key == "expect" else redactor.value(value) for key, value in given.items()}
    return json.dumps(safe, ensure_ascii=False, indent=2) + "\n"


def _answers(run: PieceRun) -> dict[str, list[JsonValue]]:
    """By movement or sub-step that was asked: what it came to at each of its runs."""
    asked: dict[str, dict[int, Mapping[str, JsonValue]]] = {}
    moments = run.moments
    for number, moment in enumerate(moments):
        before, event = run.moment_at(number).state, moment.event
        if isinstance(event, Replied | JudgeReply):
            name = run.machine.named(before, event.task)
            runs = asked.setdefault(name, {})
            at = run.machine.runs_of(before, event.task)
            if isinstance(event, Replied) and at not in runs:  # the first reply is the work, the others are judged
                runs[at] = _work(event)
            if isinstance(event, Replied) and not event.text.strip():
                runs[at] = {**runs.get(at, {}), "reports": _empty_report(run.machine, before, event.task, event.text)}
            runs.setdefault(at, {})
            if number == len(moments) - 1 and "rule" not in runs[at]:  # the run ended with it
                runs[at] = {**runs[at], "rule": 1 if runs[at] else None}
        for result in results_of(run.machine, before, moment):
            runs = asked.get(result.name, {})
            if runs:  # what a called workflow returned wasn't asked
                last = next(reversed(runs))  # the runs of a name are numbered in their order
                runs[last] = {**runs[last], **_came_to(result)}
    done = {name: {at: each for at, each in runs.items() if "rule" in each} for name, runs in asked.items()}
    return {name: [_item(runs.get(at, {})) for at in range(1, max(runs) + 1)] for name, runs in done.items() if runs}


def _empty_report(machine: PieceMachine, before: PieceState, task: str, text: str) -> dict[str, JsonValue]:
    """The report that is empty, which ends a run."""
    return {call.detail: text for call in machine.calls(before) if call.task == task and call.kind == "report"}


def _work(event: Replied) -> Mapping[str, JsonValue]:
    found: dict[str, JsonValue] = {"failed": True} if event.status == "error" else {}
    if event.text and event.text != PLAIN and len(event.text) <= _LONGEST:
        found["text"] = event.text
    if event.structured is not None:
        found["structured"] = event.structured
    return found


def _came_to(result: Result) -> Mapping[str, JsonValue]:
    found: dict[str, JsonValue] = {"rule": None if result.place is None else result.place + 1}
    if result.status == "blocked":
        found["blocked"] = True
    return found | ({"failed": True} if result.status == "error" else {})


def _item(found: Mapping[str, JsonValue]) -> JsonValue:
    """The shortest form: the number of the rule alone where nothing else is to be asked."""
    return found.get("rule") if not found.keys() - {"rule"} else dict(found)


def _shortened(items: list[JsonValue]) -> list[JsonValue]:
    """Without repeats at the end: the last item holds for all further runs."""
    length = len(items)
    while length > 1 and items[length - 1] == items[length - 2]:
        length -= 1
    return items[:length]
