"""The target `piece-differential`: pieces of fixed seeds, and what the target has found."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.takt.releases.table import RELEASES
from tests.fuzz.cases import Case
from tests.fuzz.differential.comparing import Counts
from tests.fuzz.differential.piece_target import PIECES, findings_and_refusal, found_in

_SEED = 1
_FEW, _ALL = 120, 5_000
_WORKFLOW = {"name": "demo", "initial_step": "plan", "max_steps": 3}
_STEP = {"name": "plan", "persona": "x", "instruction": "x", "rules": [{"condition": "done", "next": "COMPLETE"}]}
_CHILD = {"name": "part", "subworkflow": {"callable": True, "returns": ["ok"]}, "steps": [_STEP]}


@pytest.mark.slow
def test_linter_and_runs_say_the_same_of_pieces_by_chance(
    pytestconfig: pytest.Config, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    """A hundred pieces; --full: five thousand."""
    counts: Counts = Counter()
    for number in range(_ALL if pytestconfig.getoption("--full") else _FEW):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = [str(each) for each in found_in(PIECES.drawn(_SEED, number), folder, counts)]
        if found:
            with subtests.test(f"piece {number}"):
                assert found == []
    codes = {code for code, _release in counts}
    assert {"refused", "started", "SF004", "T001", "T025", "T029", "T030"} <= codes


def _step(**more: Any) -> dict[str, Any]:
    return {"steps": [_STEP | more]}


_FOUND: list[tuple[str, dict[str, Any], str]] = [
    ("0.60.0", _step(mode="sysstem"), "refuses to load the file because of steps.0.mode"),
    ("0.60.0", _step(kind="system"), "refuses to load the file because of steps.0.persona"),
    ("0.55.0", _step(interactive_only=1, call="part"), "can't end with “done”"),
    ("0.54.0", _step(policy=5), "refuses to load the file because of steps.0.policy"),
    (
        "0.37.0",
        _step(rules=[{"condition": "done", "return": "ok"}]),
        "refuses to load the file because of steps.0.rules.0",
    ),
    ("0.3.4", {"movements": [_STEP], "steps": []}, "refuses to load the file because of steps"),
    ("0.36.0", _step(call="part", persona="x"), "refuses to load the file because of steps.0.rules.0.condition"),
    (
        "0.53.0",
        {"steps": [{"name": "plan", "call": "x", "rules": [{"condition": "when(true)", "next": "COMPLETE"}]}]},
        "refuses to load the file because of steps.0.rules.0.condition",
    ),
    (
        "0.53.0",
        _step(rules=[{"condition": "done", "next": "COMPLETE"}, {"condition": "done", "appendix": "Say why."}]),
        "refuses to load the file because of steps.0.rules.1.appendix",
    ),
    ("0.53.0", {**_step(), "subworkflow": {"callable": True, "returns": ["COMPLETE"]}}, "subworkflow.returns.0"),
]


@pytest.mark.parametrize(("release", "change", "why"), _FOUND)
def test_what_a_release_refuses_is_an_error_and_no_run_begins(
    release: str, change: dict[str, Any], why: str, tmp_path: Path
) -> None:
    files = {"demo": {**_WORKFLOW, **change}, "part": _CHILD}
    case = Case(
        {f".takt/workflows/{name}.yaml": json.dumps(each) for name, each in files.items()}, RELEASES.index(release)
    )
    assert list(found_in(case, tmp_path, Counter())) == []
    found, refused = findings_and_refusal(case, tmp_path)
    assert refused is not None
    assert why in refused.message
    assert any(each.severity == "error" for each in found)


def test_a_child_in_braces_says_what_it_returns(tmp_path: Path) -> None:
    calling = _step(
        call="part", rules=[{"condition": "ok", "next": "COMPLETE"}, {"condition": "ABORT", "next": "ABORT"}]
    )
    del calling["steps"][0]["persona"], calling["steps"][0]["instruction"]
    files = {".takt/workflows/demo.yaml": json.dumps({**_WORKFLOW, **calling})}
    files[".takt/workflows/part.yaml"] = json.dumps(_CHILD)
    found, refused = findings_and_refusal(Case(files, RELEASES.index("0.60.0")), tmp_path)
    assert refused is None
    assert not [each for each in found if each.code == "T029"]


def test_a_mistake_in_the_other_list_of_steps_is_reported(tmp_path: Path) -> None:
    step = {"name": "plan", "agent": "x", "instruction": "x"}
    steps = [{**step, "transitions": [{"condition": "done", "next_step": "nowhere"}]}]
    text = json.dumps({**_WORKFLOW, "steps": steps, "movements": [{"name": "x"}]})
    case = Case({".takt/workflows/demo.yaml": text}, RELEASES.index("0.1.7"))
    assert list(found_in(case, tmp_path, Counter())) == []
    found, refused = findings_and_refusal(case, tmp_path)
    assert refused is not None
    assert refused.kind == "target"
    (error,) = [each for each in found if each.severity == "error"]
    assert (error.code, error.pointer) == ("T030", "/steps/0/transitions/0/next_step")


def test_a_system_step_with_a_call_is_no_call(tmp_path: Path) -> None:
    step = {"name": "plan", "mode": "system", "effects": [{"type": "merge_pr", "pr": 1}], "call": "part"}
    rules = [{"condition": "when(true)", "next": "COMPLETE"}]
    files = {".takt/workflows/demo.yaml": json.dumps({**_WORKFLOW, "steps": [{**step, "rules": rules}]})}
    case = Case(files, RELEASES.index("0.53.0"))
    assert list(found_in(case, tmp_path, Counter())) == []
    found, refused = findings_and_refusal(case, tmp_path)
    assert refused is None
    assert not [each for each in found if each.code == "T008"]
