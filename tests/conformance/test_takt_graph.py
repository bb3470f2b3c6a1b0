"""What is drawn of TAKT files is what upstream makes of them: movements, rules in their order, monitors."""

import os.path
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.flow.model import Flow, Step, Transition
from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import Aggregate, AskedOfJudge, Label, LabelWhen, When
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.sections import resolved, sections_of

from .takt_comparing import Case, recorded, report
from .takt_files import piece_at

_NAMES = {Label: "plain", AskedOfJudge: "ai", When: "when", LabelWhen: "semantic_when"}


def limit(flow: Flow) -> Any:
    root = flow.document.root
    assert root is not None
    return root.value.get(era_of_file(root).limit, 10)


def start(flow: Flow) -> str | None:
    return flow.entry_target(None)


def condition_kind(rule: Transition, names: dict[type, str]) -> str:
    parsed = parse_condition(rule.as_written, "piece")
    if isinstance(parsed, Aggregate):
        return "all" if parsed.every else "any"
    return names[type(parsed)]


def seed_node(step: Step, flow: Flow, there: set[str], folder: str) -> dict[str, Any]:
    persona = step.raw.get("persona")
    found: bool | None = None
    if step.kind != "parallel":
        spec = resolved(persona, "personas", sections_of(flow.document.root)) if persona else ""
        found = os.path.normpath(f"{folder}/{spec}") in there if spec else False
    return {
        "name": step.id,
        "kind": "parallel" if step.kind == "parallel" else "normal",
        "subs": [sub.id for sub in step.subs],
        "persona_file_found": found,
    }


def seed_edge(step: Step, number: int, rule: Transition) -> dict[str, Any]:
    return {
        "from": step.id,
        "rule": number,
        "to": rule.target.value if rule.target else rule.end,
        "condition": condition_kind(rule, _NAMES),
        "requires_user_input": rule.asks,
        "interactive_only": rule.interactive,
    }


def test_pieces_are_drawn_as_upstream_reads_them(conformance: Path, corpus: Path, subtests: pytest.Subtests) -> None:
    folder = corpus / "takt" / "seed-era"
    there = set((folder / "files.txt").read_text("utf-8").split("\n"))

    def observed(case: Case) -> Case:
        piece = case["piece"]
        flow = piece_at(folder / piece)
        return {
            "initial": start(flow),
            "max_iterations": limit(flow),
            "nodes": [seed_node(step, flow, there, str(Path(piece).parent)) for step in flow.steps.values()],
            "edges": [
                seed_edge(step, number, rule)
                for step in flow.steps.values()
                for number, rule in enumerate(step.transitions, 1)
            ],
            "monitors": [_monitor(flow, at) for at in range(len(flow.monitors))],
        }

    def drawn(case: Case) -> Case:
        monitors = [{key: each[key] for key in ("cycle", "threshold")} for each in case["expect"]["monitors"]]
        return case | {"expect": case["expect"] | {"monitors": monitors}}

    report(subtests, map(drawn, recorded(conformance, "seed/graph.json")), observed)


def _monitor(flow: Flow, at: int) -> dict[str, Any]:
    monitor = flow.monitors[at]
    return {"cycle": [text.value for text in monitor.cycle], "threshold": monitor.threshold}


def newer_edge(step: Step, number: int, rule: Transition) -> dict[str, Any]:
    parsed = parse_condition(rule.as_written, "workflow")
    kind = "aggregate" if isinstance(parsed, Aggregate) else {Label: "semantic", When: "when"}.get(type(parsed), "?")
    edge: dict[str, Any] = {"from": step.id, "rule": number, "to": None, "condition": kind}
    if rule.end == "return":
        edge["return"] = rule.node.value["return"]
    else:
        edge["to"] = rule.target.value if rule.target else rule.end
    return edge


def newer_monitor(flow: Flow, at: int) -> dict[str, Any]:
    monitor = flow.monitors[at]
    rules = monitor.judge.transitions if monitor.judge else []
    said = _monitor(flow, at) | {"targets": [rule.target.value if rule.target else rule.end for rule in rules]}
    return said | ({"ignore_steps": [text.value for text in monitor.ignored]} if monitor.ignored else {})


def test_workflows_are_drawn_as_upstream_reads_them(conformance: Path, corpus: Path, subtests: pytest.Subtests) -> None:
    kinds = {"call": "workflow_call", "system": "system"}

    def observed(case: Case) -> Case:
        flow = piece_at(corpus / "takt" / "head" / case["piece"])
        return {
            "initial": start(flow),
            "max_steps": limit(flow),
            "nodes": [
                {
                    "name": step.id,
                    "kind": kinds.get(step.kind or "", "agent"),
                    "parallel": [sub.id for sub in step.subs],
                }
                for step in flow.steps.values()
            ],
            "edges": [
                newer_edge(step, number, rule)
                for step in flow.steps.values()
                for number, rule in enumerate(step.transitions, 1)
            ],
            "monitors": [newer_monitor(flow, at) for at in range(len(flow.monitors))],
        }

    def drawn(case: Case) -> Case:
        return case | {"expect": {key: each for key, each in case["expect"].items() if key != "doctor"}}

    loaded = [case for case in recorded(conformance, "head/graph.json") if "load_error" not in case["expect"]]
    report(subtests, map(drawn, loaded), observed)  # those that can't be loaded are asked with the rules


@pytest.mark.parametrize("folder", ["seed-era", "head"])
def test_every_piece_of_the_corpus_is_taken_for_one(corpus: Path, folder: str) -> None:
    for path in sorted((corpus / "takt" / folder).rglob("*.yaml")):
        flow = piece_at(path)
        if path.parent.name in {"pieces", "workflows"} and path.name != "broken.yaml":
            assert flow.format == "takt", path
        elif path.parent.name in {"steps", "companions", "facet-pools", "provider-options"}:
            assert flow.format == "", path
