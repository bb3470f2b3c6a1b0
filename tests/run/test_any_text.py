"""Whatever a script or a trace holds, reading it never raises."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.run.responders.script import ScriptProblem
from stepflow_gui.run.scripts.script_file import Script, misfits, read_script_file
from stepflow_gui.run.scripts.scripted import run_script
from stepflow_gui.run.traces.redaction import Redactor
from stepflow_gui.run.traces.trace import Trace, TraceProblem, read_trace
from tests.run.flows import flow, validated

NAMES = st.sampled_from(["", "a.json", "a.jsonl", "a.yaml"])
WORDS = st.sampled_from(
    [
        *("answers", "steps", "validators", "expect", "path", "end", "kind", "entry", "args", "era", "title"),
        *("intent", "answer", "passed", "exitCode", "validator", "step", "visit", "times", "texts", "failed", "params"),
        *("next", "closing", "any", ">=2", "1-3", "closure.issue", "git-clean", "guide", "maxIterations"),
    ]
)
LEAVES = st.none() | st.booleans() | st.integers(-2, 5) | st.floats(allow_nan=False) | WORDS | st.text(max_size=4)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=5), max_leaves=20
)
TRACE_LINES = st.fixed_dictionaries(
    {"stepflow-trace": st.sampled_from([1, 2, "1"])},
    optional={"registry": st.text(max_size=3), "era": st.text(max_size=3), "args": VALUES},
)


def check(found: Script | ScriptProblem) -> None:
    if isinstance(found, ScriptProblem):
        assert found.line >= 1
        assert found.message
        return
    registry = flow(validated())
    misfits(found, registry)
    run_script(registry, found.lines)


@given(st.text(max_size=60), NAMES)
def test_any_text_as_a_script(text: str, name: str) -> None:
    check(read_script_file(text, name))


@given(VALUES, NAMES)
def test_any_value_as_a_script(value: Any, name: str) -> None:
    check(read_script_file(json.dumps(value), name))


@given(st.lists(TRACE_LINES | VALUES, max_size=4), st.text(max_size=10))
def test_any_lines_as_a_trace(values: list[Any], rest: str) -> None:
    found = read_trace("\n".join([*map(json.dumps, values), rest]))
    assert isinstance(found, Trace | TraceProblem)


@given(VALUES)
def test_what_is_taken_out_is_gone_for_good(value: Any) -> None:
    redactor = Redactor({"MY_TOKEN": "closure.issue"})
    once = redactor.value(value)
    assert redactor.value(once) == once
    assert "closure.issue" not in json.dumps(once)
