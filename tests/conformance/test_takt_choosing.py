"""Tags, rules, aggregates, cycles and templates against what upstream makes of them."""

from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import ConditionFault
from stepflow_gui.formats.takt.runners import PIECES
from stepflow_gui.run.takt.machine.choosing import (
    Chosen,
    JudgeQuestion,
    Output,
    choose,
    first_true_aggregate,
    needs_judge_phase,
)
from stepflow_gui.run.takt.machine.monitors import fired, is_repeating, runs_in_a_row
from stepflow_gui.run.takt.machine.piece import Monitor, Movement, PieceRule
from stepflow_gui.run.takt.machine.tags import asked_when_blocked, chosen_by_tag, judge_index, judged, offered_tags
from stepflow_gui.run.takt.prompts.prompt_builder import Values, expand, sections
from tests.conformance.takt_comparing import Case, each_row, recorded, report


def test_tags(conformance: Path, subtests: pytest.Subtests) -> None:
    def observed(case: Case) -> Case:
        return {"index": _number(chosen_by_tag(case["content"], case["movement"]))}

    report(subtests, recorded(conformance, "seed/tags.json"), observed)


def test_judgements(conformance: Path, subtests: pytest.Subtests) -> None:
    def observed(case: Case) -> Case:
        found = judged(case["response"], latin_names=True)
        return {"success": found.tag is not None, "tag": found.tag, "reason": found.why}

    report(subtests, recorded(conformance, "seed/judgment.json"), observed)


def test_judge_index(conformance: Path, subtests: pytest.Subtests) -> None:
    def observed(case: Case) -> Case:
        return {"index": _number(judge_index(case["content"]))}

    report(subtests, recorded(conformance, "seed/judge_index.json"), observed)


def test_offered_tags(conformance: Path, subtests: pytest.Subtests) -> None:
    def observed(case: Case) -> Case:
        offered = list(offered_tags(case["movement"], _rules(case["rules"]), case["interactive"]))
        return {"tags": [tag for tag, _rule in offered], "has_appendix": any(rule.appendix for _tag, rule in offered)}

    report(subtests, recorded(conformance, "seed/status_rules.json"), observed)


def test_blocked(conformance: Path, subtests: pytest.Subtests) -> None:
    def observed(case: Case) -> Case:
        return {"prompt": asked_when_blocked(case["content"])}

    report(subtests, recorded(conformance, "seed/blocked.json"), observed)


def test_choice_of_a_rule(conformance: Path, subtests: pytest.Subtests) -> None:
    report(subtests, recorded(conformance, "seed/evaluate.json"), _choice)


def test_aggregates(conformance: Path, subtests: pytest.Subtests) -> None:
    def observed(case: Case) -> Case:
        subs = tuple(Movement(sub["name"], _rules(sub["rules"])) for sub in case["sub_movements"])
        matched = zip(subs, case["sub_matched_rule"], strict=True)
        taken = [None if place is None else sub.rules[place].text for sub, place in matched]
        parent = Movement("parent", _rules(case["rules"]), subs)
        return {"index": _number(first_true_aggregate(parent, taken))}

    report(subtests, recorded(conformance, "seed/aggregate.json"), observed)


def test_cycles_of_pieces(conformance: Path, subtests: pytest.Subtests) -> None:
    def check(case: Case) -> None:
        monitors, history, seen = _monitors(case), [], []
        for name in case["history"]:
            history.append(name)
            found = fired(monitors, history)
            if found and case["reset_after_trigger"]:
                history.clear()
            monitor, count = found or (None, None)
            seen.append({"triggered": found is not None, "count": count, "monitor": monitor})
        assert seen == case["expect"]

    each_row(subtests, recorded(conformance, "seed/cycles.json"), check)


def test_cycles_of_workflows(conformance: Path, subtests: pytest.Subtests) -> None:
    def check(case: Case) -> None:
        monitors, history, seen = _monitors(case), [], []
        for step in case["steps"]:
            history.append(step["completed"])
            found = fired(monitors, history, step["proposed_next"], waits_for_return=True)
            if found:
                history.clear()
            seen.append({"triggered": found is not None, "count": found.rounds if found else None})
        assert seen == case["expect"]

    each_row(subtests, recorded(conformance, "head/cycles.json"), check)


def test_warning_of_runs_in_a_row(conformance: Path, subtests: pytest.Subtests) -> None:
    """Of the detector as it is built in; no file sets it otherwise."""

    def check(case: Case) -> None:
        counts = [runs_in_a_row(case["history"][: end + 1]) for end in range(len(case["history"]))]
        observed = [{"count": count, "isLoop": is_repeating(count)} for count in counts]
        assert observed == [{key: step[key] for key in ("count", "isLoop")} for step in case["expect"]]

    built_in = [case for case in recorded(conformance, "seed/loop_detector.json") if case["config"] is None]
    each_row(subtests, built_in, check)


def test_templates(conformance: Path, subtests: pytest.Subtests) -> None:
    report(subtests, recorded(conformance, "seed/templates.json"), _expanded)


def _choice(case: dict[str, Any]) -> dict[str, Any]:
    movement = Movement(case["movement"], _rules(case["rules"]))
    output = Output(case["phase1_output"], case["phase3_output"])
    queue = [None if answer == -1 else answer for answer in case["judge_answers"]]
    asked: list[Any] = []
    answers: list[int | None] = []
    observed: dict[str, Any] = {"judge_calls": asked, "needs_phase3": needs_judge_phase(movement)}
    if not movement.rules:
        return {"none": True, **observed}
    found = choose(movement, output, answers, PIECES, interactive=case["interactive"])
    while isinstance(found, JudgeQuestion):
        asked.append([{"index": index, "text": text} for index, text in found.texts])
        answers.append(queue.pop(0) if queue else None)
        found = choose(movement, output, answers, PIECES, interactive=case["interactive"])
    if isinstance(found, Chosen):
        return {"index": found.rule, "method": found.method, **observed}
    return {"error": "no_rule_matched", **observed}


def _expanded(case: dict[str, Any]) -> dict[str, Any]:
    context = case["context"]
    values = Values(
        context["task"],
        context["iteration"],
        context["max_iterations"],
        context["movement_iteration"],
        tuple(context["user_inputs"]),
        context["report_dir"],
        lambda name: f"{context['report_dir']}/{name}",
        context["previous_response"],
        context["pass_previous_response"],
        variables=PIECES.variables,
    )
    placed = sections(case["template"], values)
    own = {"task": placed.task, "previous_response": placed.previous, "user_inputs": placed.inputs}
    return {"text": expand(case["template"], values), "auto_sections": own}


def _monitors(case: dict[str, Any]) -> list[Monitor]:
    return [
        Monitor(tuple(each["cycle"]), each["threshold"], Movement("judge"), frozenset(each.get("ignore_steps", ())))
        for each in case["monitors"]
    ]


def _rules(rules: list[dict[str, Any]]) -> tuple[PieceRule, ...]:
    return tuple(_rule(rule) for rule in rules)


def _rule(rule: dict[str, Any]) -> PieceRule:
    condition = parse_condition(rule["condition"], "piece")
    assert not isinstance(condition, ConditionFault)
    return PieceRule(
        rule["condition"],
        condition,
        rule.get("next"),
        rule.get("appendix"),
        interactive_only=rule.get("interactive_only", False),
    )


def _number(index: int | None) -> int:
    return -1 if index is None else index
