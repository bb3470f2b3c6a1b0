"""A rule of a workflow is picked, and what its when(…) asks for is taken to be so."""

from collections.abc import Mapping

import pytest

from stepflow_gui.formats.takt.runners import WORKFLOWS
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Begin
from stepflow_gui.run.takt.picking import MovementPick
from stepflow_gui.run.takt.prompts.prompt_builder import compose
from stepflow_gui.run.takt.scripts.trace import PieceTrace, read_trace, replayed, trace_text
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.text.json.tree import JsonValue
from tests.run.takt.pieces import piece_of

ROUTES = """
name: routes
steps:
  - name: route
    mode: system
    rules:
      - {condition: when(context.route.queue.waiting > 0 || context.route.queue.running > 2), next: route}
      - {condition: when(context.route.pr.open == true && context.route.pr.title != "draft"), next: pr}
      - condition: when(exists(context.route.issues, item.kind == "bug" && contains(item.labels, "now")))
        next: issue
      - {condition: 'when(contains(context.route.words, "stop"))', next: ABORT}
      - {condition: 'when(context.route.list[2].ready)', next: COMPLETE}
      - {condition: when(true), next: rest}
  - name: pr
    structured_output: {schema_ref: pr-schema}
    rules: [{condition: merged, next: COMPLETE}, {condition: again && when(structured.pr.sure), next: route}]
  - {name: issue, rules: [{condition: done, next: route}]}
  - {name: rest, rules: [{condition: done, next: route}]}
"""


def begun(facts: Mapping[str, JsonValue] | None = None) -> PieceRun:
    run = PieceRun(PieceMachine(piece_of(ROUTES, notation="workflow"), WORKFLOWS))
    run.send(Begin("task", facts=facts or {}))
    return run


@pytest.mark.parametrize(
    ("rule", "leads"), [(0, "route"), (1, "pr"), (2, "issue"), (3, "ABORT"), (4, "COMPLETE"), (5, "rest")]
)
def test_each_rule_can_be_picked_at_first_and_after_another(rule: int, leads: str) -> None:
    for before in ([], [0], [5]):
        run = begun()
        for other in before:
            run.pick("route", other)
            if run.state.movement == "rest":
                run.pick("rest", 0)
        run.pick("route", rule)
        end = run.state.end
        found = run.state.movement if end is None else {"complete": "COMPLETE", "abort_transition": "ABORT"}[end.kind]
        assert found == leads


def test_a_label_with_a_state_behind_it_is_picked_too() -> None:
    run = begun()
    run.pick("route", 1)
    run.pick("pr", 1)
    assert run.state.movement == "route"
    assert run.state.facts["structured"] == {"pr": {"sure": True}}


def test_what_is_given_counts_more_than_what_is_picked() -> None:
    run = begun({"context": {"route": {"queue": {"waiting": 1}}}})
    run.pick("route", 1)
    assert run.state.movement == "route"
    structured = begun()
    structured.pick("route", 1)
    structured.pick("pr", MovementPick(1, structured={"sure": False}))
    assert structured.state.end is not None
    assert structured.state.end.kind == "no_rule_matched"


def test_what_is_written_as_json_is_the_structured_output() -> None:
    run = begun()
    run.pick("route", 1)
    assert (
        "Answer with one JSON object by the schema “pr-schema”." in compose(run.machine, run.state, run.calls[0]).text
    )
    run.pick("pr", MovementPick(1, '```json\n{"sure": true, "why": 1}\n```'))
    assert run.state.facts["structured"] == {"pr": {"sure": True, "why": 1}}


def test_what_was_taken_to_be_so_is_in_the_trace_and_replayed() -> None:
    run = begun()
    run.pick("route", 2)
    trace = read_trace(trace_text(run))
    assert isinstance(trace, PieceTrace)
    again = PieceRun(run.machine)
    assert [*replayed(again, trace)] == [1, 2]
    assert again.state == run.state


def test_the_history_of_a_run_without_a_cap_stays_short() -> None:
    text = ROUTES.replace("name: routes", "name: routes\nmax_steps: infinite", 1)
    run = PieceRun(PieceMachine(piece_of(text, notation="workflow"), WORKFLOWS))
    run.begin()
    for _time in range(300):
        run.pick("route", 0)
    assert (run.state.iteration, run.state.history) == (301, ())
