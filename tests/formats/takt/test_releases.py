"""What every release does with a piece can be told of any value at any place."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from stepflow_gui.formats.takt.releases import sets
from stepflow_gui.formats.takt.releases.loading import harmed, held_against_releases, hold_root
from stepflow_gui.formats.takt.releases.notes import UNKNOWN, Notes
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree

_ODD: list[Any] = [None, True, 1.5, "", "x", [], ["x"], [[]], {}, {"x": []}]
_RULES = [
    {"condition": "done", "next": "work", "appendix": "a", "requires_user_input": True},
    {"condition": 'all("ok")', "next": "COMPLETE"},
]
_STEP = {
    "name": "work",
    "persona": "coder",
    "policy": ["a"],
    "knowledge": "b",
    "instruction": "do",
    "edit": True,
    "permission_mode": "edit",
    "required_permission_mode": "edit",
    "allowed_tools": ["Read"],
    "mcp_servers": {"one": {"command": "run", "args": ["x"], "env": {"A": "b"}}},
    "provider_options": {"codex": {"network_access": True}},
    "output_contracts": {"report": [{"name": "a.md", "format": "plan", "order": "1"}]},
    "report": [{"Scope": "a.md"}],
    "quality_gates": ["tests pass"],
    "rules": _RULES,
    "pass_previous_response": True,
    "arpeggio": {"source": "csv", "source_path": "a.csv", "merge": {"strategy": "concat"}},
    "team_leader": {"max_parts": 3, "part_tools": ["Read"]},
}
_PIECE = {
    "name": "piece",
    "max_movements": 10,
    "initial_movement": "work",
    "initial_step": "work",
    "piece_config": {"provider_options": {"codex": {"network_access": True}}, "runtime": {"prepare": ["node"]}},
    "personas": {"coder": "a.md"},
    "report_formats": {"plan": "a.md"},
    "loop_monitors": [
        {
            "cycle": ["work", "COMPLETE"],
            "ignore_steps": ["work"],
            "threshold": 2,
            "judge": {"persona": "coder", "rules": _RULES},
        }
    ],
}


def _written(value: Any) -> YamlTree:
    return read_yaml_tree(Source(json.dumps(value)))


def _with_odd_values(value: Any) -> Iterator[Any]:
    """The value with each part of it replaced by each odd value, one at a time."""
    yield from _ODD
    parts = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    for key, part in parts:
        for odd in _with_odd_values(part):
            changed = dict(value) if isinstance(value, dict) else list(value)
            changed[key] = odd
            yield changed


@pytest.mark.parametrize("steps", ["movements", "steps"])
def test_any_value_may_stand_at_any_place(steps: str) -> None:
    parallel = {"name": "both", "parallel": [_STEP, {"name": "other", "rules": []}], "rules": _RULES}
    called = {
        "uses": "work",
        "call": "other",
        "args": {"a": 1},
        "transitions": [{"condition": "DONE", "next_step": "work"}],
    }
    piece = {**_PIECE, steps: [_STEP, parallel, called]}
    for changed in _with_odd_values(piece):
        notes = Notes(UNKNOWN)
        if isinstance(changed, dict):
            hold_root(notes, changed)
            assert notes.refused


@pytest.mark.parametrize("value", [[], {}, 1, None])
@pytest.mark.parametrize("key", ["name", "uses"])
def test_a_step_whose_name_is_no_text_is_not_a_target(key: str, value: Any) -> None:
    piece = {"name": "piece", "initial_movement": "work", "movements": [{**_STEP, "name": "work"}, {key: value}]}
    assert held_against_releases(_written(piece)).refused


@pytest.mark.parametrize("value", [[], ["work"], {}, 1, None])
def test_a_change_that_breaks_the_initial_movement_harms(value: Any) -> None:
    piece = {"name": "piece", "initial_movement": "work", "movements": [{"name": "work", "instruction": "do"}]}
    before = _written(piece)
    known = held_against_releases(before).loads
    assert known & sets.between("0.12.0", "0.33.2")
    after = _written({**piece, "initial_movement": value})
    assert harmed(before, after)


def test_a_key_that_is_no_longer_dropped_makes_up_for_no_other() -> None:
    step = {"name": "work", "persona": "p", "instruction": "do"}
    before = _written({"name": "piece", "max_movements": 5, "movements": [{**step, "unknown": 1}]})
    after = _written({"name": "piece", "max_iterations": 5, "movements": [step]})
    assert sets.written(harmed(before, after)) == "0.12.0–0.35.4"


@pytest.mark.parametrize(
    ("releases", "name"),
    [
        (sets.between("0.12.0", "0.29.0"), "TAKT 0.12–0.29"),
        (sets.between("0.27.0-alpha.1", "0.27.0"), "TAKT 0.27"),
        (sets.between("0.34.0", "0.35.1"), "TAKT 0.34–0.35.1"),
        (sets.before("0.1.2") | sets.since("0.60.0"), "TAKT 0.1.1, 0.60+"),
        (sets.NONE, ""),
    ],
)
def test_sets_have_short_names(releases: int, name: str) -> None:
    assert sets.named(releases) == name


def test_a_file_that_no_release_loads_is_for_those_that_refuse_the_least() -> None:
    step = {"name": "work", "persona": "p", "instruction": "do", "rules": [{"condition": "ok", "next": "gone"}]}
    found = held_against_releases(_written({"name": "piece", "max_movements": 5, "movements": [step]}))
    assert found.loads == sets.NONE
    assert sets.written(found.range) == "0.12.0–0.35.4"
    assert held_against_releases(read_yaml_tree(Source("name: ["))).range == sets.NONE
