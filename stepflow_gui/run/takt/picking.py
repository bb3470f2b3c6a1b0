"""Answers all that one movement or sub-step asks, so it comes to a certain rule."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from stepflow_gui.formats.takt.conditions_model import AskedOfJudge, Label, When
from stepflow_gui.run.machine.answer_text import answer_in
from stepflow_gui.run.takt.machine.assuming import assumed, merged
from stepflow_gui.run.takt.machine.choosing import Chosen, Output, choose
from stepflow_gui.run.takt.machine.judging_by_status import with_status
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Movement
from stepflow_gui.run.takt.machine.state import Call, Event, Happening, JudgeReply, PieceState, Replied, Status
from stepflow_gui.run.takt.machine.state_values import Facts
from stepflow_gui.run.takt.machine.tags import tag_of
from stepflow_gui.run.takt.machine.workflow_choosing import choose_in_order, label_of
from stepflow_gui.text.json.tree import JsonValue

PLAIN = "…"  # a reply without content: reports may not be empty


class MovementPick(NamedTuple):
    """The result of one run of a movement or sub-step. `rule`: its 0-based place; None: undecided."""

    rule: int | None
    text: str = ""
    status: Status = "done"
    reports: Mapping[str, str] = {}  # text by file name; the others get `text`
    structured: JsonValue = None


class Played(NamedTuple):
    """An event, the state after it and what happened."""

    event: Event
    state: PieceState
    happened: tuple[Happening, ...]


def play(machine: PieceMachine, state: PieceState, task: str, pick: MovementPick) -> Iterator[Played]:
    """The events by which a task comes to a rule, until it has it or the run has left the movement."""
    at, caller = state.starts, state.caller
    while state.waits == "calls" and state.starts == at and state.caller is caller:
        call = next((each for each in machine.calls(state) if each.task == task), None)
        if call is None:
            return
        event = answer_to(machine, state, call, pick)
        state, happened = machine.step(state, event)
        yield Played(event, state, happened)


def answer_to(machine: PieceMachine, state: PieceState, call: Call, pick: MovementPick) -> Event:
    """What one call is answered so that the task comes to the rule."""
    if call.kind == "judge":
        place = None if pick.rule is None else _place(call, pick.rule, machine.asked_of(state, call))
        return JudgeReply(call.task, place)
    if call.kind == "agent":
        if pick.structured is None and machine.asked_of(state, call).structured is not None:
            pick = pick._replace(structured=answer_in(pick.text))
        facts = _assumed(machine, state, call, pick)
        text = pick.text or PLAIN
        if pick.rule is not None and machine.runner.judge_phase == "none":
            text = with_status(text, machine.asked_of(state, call), pick.rule)
        return Replied(call.task, text, pick.status, pick.structured, facts)
    if call.kind == "report":
        return Replied(call.task, pick.reports.get(call.detail) or pick.text or PLAIN)
    return Replied(call.task, _tag(machine.asked_of(state, call), pick.rule))


def _tag(movement: Movement, rule: int | None) -> str:
    """What is answered where a tag is asked for: none can bring a step to a rule over the state."""
    by_state = rule is not None and rule < len(movement.rules) and isinstance(movement.rules[rule].condition, When)
    return "cannot determine" if rule is None or by_state else tag_of(movement.name, rule + 1)


def _assumed(machine: PieceMachine, state: PieceState, call: Call, pick: MovementPick) -> Facts:
    """The assumed state of a workflow where a rule is picked, as far as it isn't given."""
    if pick.rule is None or pick.status != "done" or not machine.runner.forms.state:
        return {}
    movement = machine.asked_of(state, call)
    picked_facts: Facts = {"structured": {call.task: pick.structured}} if pick.structured is not None else {}
    given = merged(state.given, picked_facts)
    takes = partial(_taken_in_order if machine.runner.notation == "workflow" else _taken_by_tag, machine, movement)
    if machine.runner.notation == "workflow":  # what comes after the rule isn't looked at
        movement = movement._replace(rules=movement.rules[: pick.rule + 1])
    return assumed(movement, pick.rule, given, state.facts, partial(takes, pick.rule))


def _taken_in_order(machine: PieceMachine, movement: Movement, rule: int, facts: Facts) -> int | None:
    label = label_of(movement.rules[rule].condition)
    found = choose_in_order(movement, label, (), facts, interactive=machine.interactive)
    return found.rule if isinstance(found, Chosen) else None


def _taken_by_tag(machine: PieceMachine, movement: Movement, rule: int, facts: Facts) -> int | None:
    """The rule that is taken where everybody who is asked wants a certain one."""
    condition = movement.rules[rule].condition
    asked = [index for index, each in enumerate(movement.rules) if isinstance(each.condition, AskedOfJudge)]
    tag = tag_of(movement.name, rule + 1) if isinstance(condition, Label) else ""
    answers = (asked.index(rule) if rule in asked else None, None)
    found = choose(movement, Output("", tag), answers, machine.runner, interactive=machine.interactive, facts=facts)
    return found.rule if isinstance(found, Chosen) else None


def _place(call: Call, rule: int, movement: Movement) -> int | None:
    """The number by which the judge names a rule among the texts of its question; None where it isn't asked for."""
    if rule < len(movement.rules) and isinstance(movement.rules[rule].condition, When):
        return None
    if call.detail == "ai_judge":
        asked = [index for index, each in enumerate(movement.rules) if isinstance(each.condition, AskedOfJudge)]
        return asked.index(rule) if rule in asked else None
    if call.detail == "label":
        wanted = label_of(movement.rules[rule].condition) if rule < len(movement.rules) else None
        return next((number for number, text in call.texts if text == wanted), None)
    return rule if any(number == rule for number, _text in call.texts) else None
