"""A run as it went, written down as a flow test: a script of its answers with the path and the end that it came to."""

from collections.abc import Sequence
from itertools import pairwise

from stepflow_gui.formats.climpt.eras import GUIDE
from stepflow_gui.messages import _
from stepflow_gui.run.exploring.answer_options import AnswerOption
from stepflow_gui.run.exploring.playing import script_line
from stepflow_gui.run.exploring.scripts import Generated
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import Start, State
from stepflow_gui.run.traces.redaction import Redactor
from stepflow_gui.text.json.tree import JsonValue


def recorded(machine: Machine, states: Sequence[State]) -> Generated:
    """What happened from the first of these states to the last, as a script that expects the same.

    Secrets and the home folder are removed from answers and parameters, as in traces.
    """
    redactor = Redactor()
    start = next((state.last.event for state in states if state.last and isinstance(state.last.event, Start)), Start())
    lines = []
    for before, after in pairwise(states):
        if after.last is None or isinstance(after.last.event, Start):
            continue
        line = script_line(before, AnswerOption(after.last.event, "intent", bare=False))
        if line is not None:
            lines.append({key: redactor.value(value) for key, value in line.items()})
    end = states[-1]
    trace = tuple(state.last for state in states if state.last is not None)
    expect: dict[str, JsonValue] = {"path": [entry.step for entry in trace if entry.is_visit]}
    title = _("Up to {step}").format(step=end.step)
    if end.outcome is not None:
        ended = end.outcome
        expect |= {"end": {"kind": ended.kind, "step": ended.step}, "success": ended.success}
        title = _("{kind} at {step}").format(kind=ended.kind, step=ended.step)
    elif end.error is not None:
        expect["end"] = {"error": end.error.kind}
        title = _("Stops at {step}: {kind}").format(step=end.step, kind=end.error.kind)
    settings: dict[str, JsonValue] = {"title": title}
    if start.entry is not None:
        settings["entry"] = start.entry
    if start.args:
        settings["args"] = redactor.value(dict(start.args))
    if machine.era.name != GUIDE.name:
        settings["era"] = machine.era.name
    settings["expect"] = expect
    return Generated(settings, tuple(lines), trace)
