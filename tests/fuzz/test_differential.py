"""The target `differential`: agents of fixed seeds, the table of claims, and what the target has found."""

import ast
import json
import random
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import ERAS, era_for
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import REMOVED, Base, Example, changed
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.fuzz.cases import Case, lay_out
from tests.fuzz.differential import comparing, sound
from tests.fuzz.differential.claims import CLAIMS, NO_CLAIMS, Claim
from tests.fuzz.differential.comparing import RUNTIMES, Counts, contradictions
from tests.fuzz.differential.observing import RunnerSide
from tests.fuzz.differential.target import DIFFERENTIAL, found_in, main

_SEED = 1
_FEW, _ALL = 250, 20_000

VERDICT = "agent.json#/runner/verdict"
FIRST, CLOSURE = "/steps/initial.issue", "/steps/closure.issue"
SCHEMA = "issue.schema.json#"
PROMPT = "prompts/steps/{}/issue/f_default.md"
_ACTION = "properties/next_action/properties/action"
_TWICE = {"properties": {"a": {"$ref": "#/same"}, "b": {"$ref": "#/same"}}}
_CHECKING = {
    "stepId": "verification.issue",
    "name": "Verification",
    "stepKind": "verification",
    "c2": "verification",
    "c3": "issue",
    "edition": "default",
    "uvVariables": [],
    "usesStdin": False,
    "outputSchemaRef": {"file": "issue.schema.json", "schema": "verification.issue"},
    "structuredGate": {
        "allowedIntents": ["next", "escalate"],
        "intentSchemaRef": f"#/{_ACTION}",
        "intentField": "next_action.action",
    },
    "transitions": {"next": {"target": "closure.issue"}},
}
_CHECKING_SCHEMA = {"properties": {"next_action": {"properties": {"action": {"enum": ["next", "escalate"]}}}}}
_CUT_OFF = (
    '{"name": "issue-flow", "version": "1..0", "displayName": "Issues", "description": "Works", "runner":'
    ' {"flow": {"systemPromptPath": "prompts/system.md"}, "verdict": {"type": "poll:state"}}'
)
_COMPOSITE = {"operator": "or", "conditions": [{"type": "count:iteration", "config": {"maxIterations": 5}}]}


@pytest.mark.slow
def test_linter_and_runner_say_the_same_of_agents_by_chance(
    pytestconfig: pytest.Config, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    """A few hundred agents; --full: twenty thousand, which show every claim at work."""
    counts: Counts = Counter()
    full = pytestconfig.getoption("--full")
    for number in range(_ALL if full else _FEW):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = [str(each) for each in found_in(DIFFERENTIAL.drawn(_SEED, number), folder, counts)]
        if found:
            with subtests.test(f"agent {number}"):
                assert found == []
    held = {name for name, _runtime in counts}
    assert len(held) > 60
    assert not full or {claim.name for claim in CLAIMS} <= held


_FOUND: list[tuple[Base, str, dict[str, Any], dict[str, Any]]] = [
    # agent.json
    ("complete", "climpt-2026-01-18", {"agent.json#/displayName": REMOVED}, {}),
    ("complete", "climpt-2026-01-18", {"agent.json#/version": "1"}, {}),
    ("complete", "climpt-2026-01-18", {"agent.json#/name": None}, {}),
    ("complete", "climpt-2026-01-18", {"agent.json#/parameters/issue/cli": ""}, {}),
    (
        "complete",
        "climpt-2026-01-18",
        {f"{VERDICT}/config/maxIterations": "five", f"{VERDICT}/type": "count:iteration"},
        {},
    ),
    ("c3l", "climpt-2026-04-20", {VERDICT: {"type": "meta:composite", "config": _COMPOSITE | {"operator": "xor"}}}, {}),
    (
        "c3l",
        "climpt-2026-04-20",
        {VERDICT: {"type": "meta:composite", "config": _COMPOSITE | {"conditions": [{"type": "x"}]}}},
        {},
    ),
    ("c3l", "climpt-2026-04-20", {VERDICT: {"type": "detect:keyword", "config": "DONE"}}, {}),
    ("c3l", "climpt-2026-04-20", {VERDICT: {"type": "detect:keyword", "config": {"verdictKeyword": 5}}}, {}),
    ("complete", "climpt-2026-01-18", {VERDICT: {"type": "detect:graph", "config": {}}}, {}),
    ("c3l", "climpt-2026-04-20", {}, {"prompts/system.md": REMOVED}),
    ("closing", "climpt-2026-03-14", {}, {"prompts/system.md": REMOVED}),
    ("c3l", "climpt-2026-04-20", {VERDICT: {"type": "meta:custom", "config": {"handlerPath": "none.ts"}}}, {}),
    ("checks", "climpt-2026-01-09", {VERDICT: {"type": "meta:custom", "config": {"handlerPath": "none.ts"}}}, {}),
    ("adt-kind-address", "climpt-1.14", {}, {"agent.json": _CUT_OFF}),
    (
        "c3l",
        "climpt-2026-04-20",
        {"/entryStep": REMOVED, "/entryStepMapping": {"detect:graph": "initial.issue"}}
        | {VERDICT: {"type": "detect:graph", "config": {"entryStep": 5}}},
        {},
    ),
    # entries
    ("adt-kind-address", "climpt-1.14", {"/entryStepMapping": ["x"], "/entryStep": "initial.issue"}, {}),
    ("complete", "climpt-2026-01-18", {"/entryStepMapping/detect:keyword": "nowhere"}, {}),
    ("complete", "climpt-2026-01-18", {"/entryStepMapping/detect:keyword": {}}, {}),
    (
        "complete",
        "climpt-2026-01-18",
        {"/entryStep": "initial.issue", "/entryStepMapping": {"externalState": "nowhere"}},
        {"agent.json": REMOVED},
    ),
    ("checks", "climpt-2026-01-09", {"/entryStep": REMOVED, "/entryStepMapping": {"iterate": "s_a8f3"}}, {}),
    ("complete", "guide", {"/entryStep": REMOVED, f"{VERDICT}/type": REMOVED}, {}),
    ("adt-kind-address", "guide", {"/entryStep": "initial.issue", "/entryStepMapping": {}}, {}),
    ("complete", "climpt-2026-01-18", {"/entryStepMapping": {"poll:state": {"targets": {}}}}, {}),
    # steps and transitions
    ("adt-kind-address", "climpt-1.14", {f"{FIRST}/transitions/next/target": ""}, {}),
    ("adt-kind-address", "climpt-1.14", {f"{CLOSURE}/transitions/closing/target": ""}, {}),
    ("adt-kind-address", "climpt-1.14", {f"{FIRST}/transitions/repeat": {}}, {}),
    ("adt-kind-address", "climpt-1.14", {f"{FIRST}/adaptationChain": "ab"}, {}),
    ("adt-kind-address", "climpt-1.14", {f"{FIRST}/adaptationChain": "a/b"}, {}),
    ("adt-kind-address", "climpt-1.14", {f"{FIRST}/adaptationChain": 5}, {}),
    ("c3l", "climpt-2026-04-20", {f"{FIRST}/transitions": "x"}, {}),
    (
        "c3l",
        "climpt-2026-03-14",
        {f"{FIRST}/transitions/next": {"target": True, "condition": "s", "targets": {"default": "closure.issue"}}},
        {},
    ),
    ("c3l", "climpt-2026-04-20", {f"{CLOSURE}/structuredGate": "x"}, {}),
    ("complete", "climpt-2026-01-18", {f"{FIRST}/outputSchemaRef": [1]}, {}),
    ("complete", "climpt-2026-01-18", {f"{FIRST}/transitions/next": {"condition": "s", "targets": "x"}}, {}),
    (
        "complete",
        "climpt-2026-01-18",
        {f"{FIRST}/transitions/next": {"condition": None, "targets": {"default": "nowhere"}}},
        {},
    ),
    ("checks", "climpt-2026-01-09", {"/steps/s_a8f3/check/onPass/next": 5}, {}),
    ("checks", "guide", {"/steps/s_a8f3/check/onPass/next": ["x"]}, {}),
    (
        "closing",
        "guide",
        {"/steps/initial.issue/structuredGate": {"intentField": "next_action.action", "failFast": False}},
        {},
    ),
    ("closing", "climpt-2026-03-14", {"/steps/initial.issue/transitions/repeat/target": None}, {}),
    ("c3l", "guide", {"/steps/continuation.issue/outputSchemaRef": REMOVED}, {}),
    ("adt-kind-address", "climpt-1.14", {f"{FIRST}/kind": ["work"]}, {}),
    ("adt-kind-address", "climpt-1.14", {f"{CLOSURE}/address/c3": "Bad_Form"}, {}),
    ("adt-kind-address", "climpt-1.14", {f"{CLOSURE}/transitions/repeat": {"target": True}}, {}),
    ("adt-kind-address", "guide", {f"{FIRST}/adaptation": "none"}, {}),
    ("closing", "guide", {f"{FIRST}/transitions/repeat/target": None}, {}),
    ("adt-kind-address", "guide", {f"{FIRST}/transitions/repeat/target": None}, {}),
    ("complete", "guide", {f"{FIRST}/transitions/complete/target": "initial.issue"}, {}),
    ("complete", "guide", {f"{FIRST}/transitions/complete/target": "continuation.issue"}, {}),
    (
        "complete",
        "guide",
        {
            "/steps/complete.issue/structuredGate/allowedIntents": ["complete", "next"],
            f"{SCHEMA}/complete.issue/{_ACTION}/enum": ["complete", "next"],
            "/steps/complete.issue/transitions/next": {"target": "nowhere"},
        },
        {},
    ),
    (
        "closing",
        "climpt-2026-03-14",
        {"/steps/verification.issue": _CHECKING, f"{SCHEMA}/verification.issue": _CHECKING_SCHEMA},
        {},
    ),
    (
        "closing",
        "climpt-2026-03-14",
        {
            "/steps/verification.issue": _CHECKING,
            "/steps/verification.issue/transitions/escalate": {"condition": "s", "targets": {}},
            f"{SCHEMA}/verification.issue": _CHECKING_SCHEMA,
            f"{FIRST}/transitions/next/target": "verification.issue",
        },
        {},
    ),
    ("adt-kind-address", "climpt-1.14", {f"{FIRST}/transitions/next/target": "nowhere"}, {}),
    ("adt-kind-address", "climpt-1.14", {f"{CLOSURE}/structuredGate/intentField": "other.action"}, {}),
    (
        "c3l",
        "climpt-2026-04-20",
        {
            f"{FIRST}/transitions/next": {
                "condition": "none",
                "targets": {"a": "nowhere", "default": "continuation.issue"},
            }
        },
        {},
    ),
    (
        "adt-kind-address",
        "climpt-1.14",
        {f"{CLOSURE}/runner": {"command": "true"}, f"{CLOSURE}/structuredGate/allowedIntents": ["repeat"]}
        | {f"{SCHEMA}/closure.issue/{_ACTION}/enum": ["repeat"], f"{CLOSURE}/transitions/closing": REMOVED},
        {},
    ),
    (
        "closing",
        "guide",
        {f"{FIRST}/transitions/next": {"condition": "s", "targets": {"a": "initial.issue", "default": ""}}},
        {},
    ),
    # gates
    ("c3l", "climpt-2026-04-20", {f"{CLOSURE}/structuredGate/allowedIntents": [None]}, {}),
    (
        "c3l",
        "climpt-2026-04-20",
        {f"{CLOSURE}/structuredGate/allowedIntents": [], f"{SCHEMA}/closure.issue/{_ACTION}/enum": []},
        {},
    ),
    ("c3l", "climpt-2026-04-20", {f"{CLOSURE}/structuredGate/fallbackIntent": "closing"}, {}),
    (
        "complete",
        "climpt-2026-01-18",
        {f"{FIRST}/structuredGate/allowedIntents": 5, f"{SCHEMA}/initial.issue/required": []},
        {},
    ),
    ("c3l", "climpt-2026-04-20", {f"{SCHEMA}/closure.issue/required": []}, {}),
    ("c3l", "climpt-2026-04-20", {f"{CLOSURE}/structuredGate/intentField": "other"}, {}),
    ("complete", "climpt-2026-01-18", {f"{SCHEMA}/initial.issue/required": []}, {}),
    (
        "complete",
        "climpt-2026-01-18",
        {f"{SCHEMA}/initial.issue/{_ACTION}/enum": ["next", "complete", "repeat", "approve"]},
        {},
    ),
    (
        "complete",
        "guide",
        {
            f"{SCHEMA}/initial.issue/required": [],
            f"{FIRST}/structuredGate/failFast": False,
            f"{FIRST}/structuredGate/fallbackIntent": "closing",
        },
        {},
    ),
    # schemas
    ("complete", "guide", {f"{SCHEMA}/initial.issue/properties/more": {"$ref": "#/none"}}, {}),
    (
        "c3l",
        "climpt-2026-04-20",
        {f"{SCHEMA}/same": {"type": "object"}, f"{SCHEMA}/initial.issue/properties/more": _TWICE},
        {},
    ),
    ("closing", "guide", {f"{SCHEMA}/same": {"type": "object"}, f"{SCHEMA}/initial.issue/properties/more": _TWICE}, {}),
    ("closing", "guide", {f"{SCHEMA}/initial.issue/properties/more": {"$ref": "#/initial.issue"}}, {}),
    ("closing", "climpt-2026-03-14", {f"{SCHEMA}/initial.issue/properties/more": {"$ref": "#/initial.issue"}}, {}),
    # prompts
    ("closing", "climpt-2026-03-14", {f"{FIRST}/fallbackKey": REMOVED}, {PROMPT.format("initial"): REMOVED}),
    ("c3l", "climpt-2026-03-14", {f"{CLOSURE}/fallbackKey": ""}, {PROMPT.format("closure"): REMOVED}),
    ("c3l", "climpt-2026-03-14", {"/steps/continuation.issue/uvVariables": REMOVED}, {}),
    ("c3l", "climpt-2026-03-14", {"/steps/continuation.issue/c3": "Bad_Form"}, {}),
    (
        "c3l",
        "climpt-2026-04-20",
        {"agent.json#/runner/flow/prompts": {"registry": "steps_registry.json", "fallbackDir": "spare"}},
        {PROMPT.format("initial"): REMOVED, PROMPT.format("initial").replace("prompts", "spare", 1): "Issue\n"},
    ),
    (
        "c3l",
        "climpt-2026-03-14",
        {"/steps/verification.issue": _CHECKING, f"{SCHEMA}/verification.issue": _CHECKING_SCHEMA}
        | {"/entryStepMapping": REMOVED, VERDICT: {"type": "count:check", "config": {"maxChecks": 5}}},
        {PROMPT.format("verification"): "Check\n"},
    ),
    ("closing", "climpt-2026-03-14", {}, {PROMPT.format("initial"): "{uv-none}"}),
    ("c3l", "climpt-2026-04-20", {}, {PROMPT.format("closure"): "{uv-none}"}),
    ("c3l", "climpt-2026-04-20", {}, {PROMPT.format("closure"): REMOVED}),
    (
        "c3l",
        "guide",
        {"agent.json#/parameters/issue/required": "True", f"{VERDICT}/type": "detect:graph"}
        | {f"{FIRST}/uvVariables": [], f"{CLOSURE}/uvVariables": []},
        {PROMPT.format("initial"): "{uv-issue}", PROMPT.format("closure"): "{uv-issue}"},
    ),
    ("c3l", "climpt-2026-04-20", {f"{CLOSURE}/c3": "Bad_Form"}, {}),
    ("complete", "climpt-2026-01-18", {f"{FIRST}/fallbackKey": REMOVED}, {PROMPT.format("initial"): REMOVED}),
    ("checks", "climpt-2026-01-09", {"/steps/s_a8f3/prompt": {"c2": "phase", "c3": "analyze"}}, {}),
    ("checks", "climpt-2026-01-09", {"/steps/s_a8f3/check/prompt": {"c2": "step", "c3": "analyze"}}, {}),
]


@pytest.mark.parametrize(("base", "runtime", "changes", "texts"), _FOUND)
def test_what_the_target_found_stays_mended(
    base: Base, runtime: str, changes: dict[str, Any], texts: dict[str, Any], tmp_path: Path
) -> None:
    agent = _opened(changed(changes, base=base, texts=texts), tmp_path)
    assert [str(each) for each in contradictions(agent, runtime, Counter())] == []


def _opened(example: Example, folder: Path) -> AgentFolder:
    home = folder / ".agent" / "issue-flow"
    for name, text in files_of(example).items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    agent = open_agent(home / "steps_registry.json")
    assert isinstance(agent, AgentFolder)
    return agent


def test_a_refusal_of_which_the_linter_says_nothing_is_a_contradiction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = _opened(changed({f"{FIRST}/structuredGate/intentSchemaRef": "x"}, base="c3l"), tmp_path)
    assert list(contradictions(agent, "climpt-2026-04-20", Counter())) == []
    monkeypatch.setattr(comparing, "lint", lambda *_given: [])
    (found,) = contradictions(agent, "climpt-2026-04-20", Counter())
    assert found.kind == "silent refusal: intent_reference"


def test_a_refusal_that_the_runner_does_not_know_is_a_contradiction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = _opened(changed({f"{FIRST}/structuredGate/intentSchemaRef": "x"}, base="c3l"), tmp_path)
    monkeypatch.setattr(RunnerSide, "refusal", None)
    kinds = {each.kind for each in contradictions(agent, "climpt-2026-04-20", Counter())}
    assert "loading refused" in kinds


@pytest.mark.parametrize("format_id", RUNTIMES)
def test_agents_without_a_mistake_are_of_their_format(format_id: str, tmp_path: Path) -> None:
    for seed in range(20):
        files = sound.agent(format_id, random.Random(seed))
        folder = tmp_path / str(seed)
        lay_out(_texts(files), folder)
        agent = open_agent(folder / sound.REGISTRY)
        assert isinstance(agent, AgentFolder)
        assert agent.format == format_id
        for runtime in RUNTIMES[format_id]:
            assert list(contradictions(agent, runtime, Counter(), is_sound=True)) == []


@pytest.mark.parametrize("format_id", RUNTIMES)
def test_a_runtime_that_does_not_know_a_format_is_an_error(format_id: str, tmp_path: Path) -> None:
    lay_out(_texts(sound.agent(format_id, random.Random(1))), tmp_path)
    agent = open_agent(tmp_path / sound.REGISTRY)
    assert isinstance(agent, AgentFolder)
    for runtime in ERAS:
        refused = RunnerSide(agent, era_for(format_id, runtime)).refusal is not None
        errors = {each.code for each in lint(agent, LintSettings(runtime)) if each.severity == "error"}
        assert not refused or errors
        known = {"guide", *RUNTIMES[format_id]}
        assert ("SF011" in errors) is (runtime not in known and _is_unknown(format_id, runtime))


def _is_unknown(format_id: str, runtime: str) -> bool:
    """Whether the runtime reads nothing of the kind; what others refuse in a file, its own rules say."""
    by_checks = {format_id == "checks", runtime == "climpt-2026-01-09"}
    return len(by_checks) == 2 or format_id == "adt-kind-address" or runtime == "climpt-1.14"


def _texts(files: dict[str, Any]) -> dict[str, str]:
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in files.items()}


# The table of claims

_REFUSING = re.compile(r"refus|\bstops?\b|can't start|can't begin|ends the run|run ends|finds no entry|fails\b")
_PLACEHOLDER = re.compile(r"\{\w+\}")
_CLAUSES = {": the run stops there", ", and {era} stops there"}  # parts of messages that have a row as a whole
_COMPOSED = {"SF506", "SF702", "SF807"}  # the rules whose messages are put together from such parts


@cache
def _messages(checkout: Path) -> frozenset[str]:
    found: set[str] = set()
    for file in sorted((checkout / "stepflow_gui" / "lint").rglob("*.py")):
        if "takt" in file.parts:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"_", "ngettext"}:
                found |= {
                    text.value for text in node.args if isinstance(text, ast.Constant) and isinstance(text.value, str)
                }
    return frozenset(found)


def _holds(words: str, message: str) -> bool:
    return _PLACEHOLDER.sub("{}", words) in _PLACEHOLDER.sub("{}", message)


def test_each_message_that_speaks_of_a_refusal_or_a_stop_is_held_against_the_runner(checkout: Path) -> None:
    messages = _messages(checkout)
    assert len(messages) > 500
    known = [*(claim.words for claim in CLAIMS), *NO_CLAIMS]
    missing = [
        text
        for text in sorted(messages - _CLAUSES)
        if _REFUSING.search(text) and not any(_holds(words, text) for words in known)
    ]
    assert missing == []


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_each_row_is_a_message(claim: Claim, checkout: Path) -> None:
    parts = [claim.words] if claim.words in _CLAUSES else claim.words.split("doesn't exist, and {era}")
    messages = _messages(checkout)
    assert any(_holds(parts[0], message) for message in messages)


def test_names_of_rows_are_unique() -> None:
    names = [claim.name for claim in CLAIMS]
    assert sorted(set(names)) == sorted(names)


def test_the_program_prints_its_seed_and_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--agents", "3", "--seed", "7", "--all"]) == 0
    out = capsys.readouterr().out
    assert "seed 7: 3 agents" in out
    assert "0 contradictions" in out
    assert "loading refused" in out


def test_a_case_is_checked_as_the_others_are(tmp_path: Path) -> None:
    case = DIFFERENTIAL.drawn(_SEED, 0)
    assert DIFFERENTIAL.failure(case) is None
    lay_out(Case(case.files).files, tmp_path)
