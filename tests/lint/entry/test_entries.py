"""SF403 to SF407: what entries are keyed by, which the agent uses, and where they begin."""

import json
from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, changed
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.run.machine.verdict import entry_of
from stepflow_gui.run.machine.verdict import verdict_of as runner_verdict
from tests.lint.conftest import Lint, Open

TYPE = "agent.json#/runner/verdict/type"
MAPPING = "/entryStepMapping"
ENTRIES = {"SF403", "SF404", "SF405", "SF406", "SF407"}


def said(found: list[Diagnostic]) -> list[tuple[str, str, str | None]]:
    return [(each.code, each.severity, each.pointer) for each in found if each.code in ENTRIES]


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("externalState", "poll:state"),
        ("stepMachine", "detect:graph"),
        ("pol:state", "poll:state"),
        ("something", None),
    ],
)
def test_a_key_that_is_no_verdict_type(key: str, meant: str | None, lint_example: Lint) -> None:
    (found,) = lint_example({MAPPING: {key: "initial.issue"}})
    assert said([found]) == [("SF403", "warning", f"{MAPPING}/{key}")]
    assert [(fix.edits[0].text, fix.safe) for fix in found.fixes] == (
        [(f'"{meant}"', key != "pol:state")] if meant else []
    )


def test_an_older_name_beside_todays_isnt_renamed_over_it(lint_example: Lint) -> None:
    (found,) = lint_example({MAPPING: {"poll:state": "initial.issue", "issue": "initial.issue"}})
    assert (found.code, found.fixes) == ("SF403", ())


@pytest.mark.parametrize("key", ["poll:state", "{{VERDICT}}"])
def test_what_may_be_mapped(key: str, lint_example: Lint) -> None:
    assert said(lint_example({MAPPING: {key: "initial.issue"}})) == []


def test_beside_an_agent_of_their_time_older_names_are_right(lint_example: Lint) -> None:
    older = {MAPPING: {"externalState": "initial.issue", "iterate": "initial.issue"}, TYPE: "externalState"}
    assert "SF403" not in {each.code for each in lint_example(older)}
    complete = changed({MAPPING: {"issue": "initial.issue"}}, base="complete")
    assert "SF403" not in {each.code for each in lint_example(complete)}


@pytest.mark.parametrize("verdict", [[], "poll:state", 5, False, {}, {"type": None}, REMOVED])
@pytest.mark.parametrize("runtime", [None, "guide", "climpt-2026-03-14", "climpt-2026-04-20"])
def test_without_a_verdict_type_the_entry_of_count_iteration_is_needed(
    verdict: Any, runtime: str | None, open_example: Open
) -> None:
    own = {"agent.json#/runner/verdict": verdict, "/entryStep": REMOVED}
    agent = open_example(own | {MAPPING: {"poll:state": "initial.issue"}})
    (found,) = [each for each in lint(agent, LintSettings(runtime)) if each.severity == "error"]
    assert found.file.name == "agent.json"  # what is wrong with the verdict, or that there is none
    (needed,) = [each for each in found.related if each.pointer == MAPPING]
    assert "no entry for “count:iteration”" in needed.message
    assert entry_of(agent.flow, runner_verdict(agent.agent)) is None
    agent = open_example(own | {MAPPING: {"count:iteration": "initial.issue"}})
    told = [(each.pointer, *(side.pointer for side in each.related)) for each in lint(agent, LintSettings(runtime))]
    assert not [pointers for pointers in told if MAPPING in pointers]


@pytest.mark.parametrize(
    ("mapping", "single", "found"),
    [
        ({"count:iteration": "initial.issue"}, REMOVED, [("SF404", "error", MAPPING)]),
        ({}, REMOVED, [("SF404", "error", MAPPING)]),
        ({"count:iteration": "initial.issue"}, "", [("SF404", "error", MAPPING)]),
        ({"count:iteration": "initial.issue"}, "initial.issue", [("SF406", "info", f"{MAPPING}/count:iteration")]),
        ({"externalState": "initial.issue"}, REMOVED, [("SF403", "error", f"{MAPPING}/externalState")]),
    ],
)
def test_the_agents_own_type_needs_an_entry(
    mapping: dict[str, str], single: Any, found: list[tuple[str, str, str]], lint_example: Lint
) -> None:
    told = lint_example({MAPPING: mapping, "/entryStep": single})
    assert said(told) == found
    if found[0][0] == "SF404":
        assert [each.pointer for each in told[0].related] == ["/runner/verdict/type"]
        assert [fix.title for fix in told[0].fixes] == ["Begin at “initial.issue” under “poll:state”"]


def test_without_an_agent_nothing_is_known_of_its_type(open_example: Open) -> None:
    agent = open_example({MAPPING: {"count:iteration": "initial.issue"}, "/entryStep": REMOVED})
    assert agent.agent_document
    agent.agent_document.path.unlink()
    assert said(lint(agent.reread([agent.agent_document.path]))) == []


def test_an_empty_mapping_is_for_no_type(open_example: Open) -> None:
    agent = open_example({MAPPING: {}, "/entryStep": REMOVED})
    assert agent.agent_document
    agent.agent_document.path.unlink()
    (found,) = (each for each in lint(agent.reread([agent.agent_document.path])) if each.code != "SF801")
    assert (found.code, found.severity, found.fixes) == ("SF404", "error", ())


@pytest.mark.parametrize(
    ("entry", "config", "runtime", "severity"),
    [
        (REMOVED, {}, None, "error"),
        (REMOVED, {}, "climpt-2026-04-20", "error"),
        ("", {}, "climpt-2026-04-20", "error"),
        (REMOVED, {}, "guide", None),
        ("initial.issue", {}, None, None),
        (REMOVED, {"entryStep": "initial.issue"}, None, None),
    ],
)
def test_a_graph_never_reads_the_mapping(
    entry: Any, config: dict[str, str], runtime: str | None, severity: str | None, open_example: Open
) -> None:
    verdict = {"type": "detect:graph", "config": {"maxIterations": 9, **config}}
    mapping = {"detect:graph": "initial.issue"}
    agent = open_example({"/entryStep": entry, MAPPING: mapping, "agent.json#/runner/verdict": verdict})
    found = [each for each in lint(agent, LintSettings(runtime)) if each.code == "SF404"]
    assert [(each.severity, each.pointer) for each in found] == ([(severity, MAPPING)] if severity else [])
    if severity and entry is REMOVED:
        assert [fix.title for fix in found[0].fixes] == ["Add “entryStep”: “initial.issue”"]


def test_unused_entries_are_reported_once(lint_example: Lint) -> None:
    (found,) = lint_example({f"{MAPPING}/count:check": "initial.issue", f"{MAPPING}/meta:custom": "initial.issue"})
    assert said([found]) == [("SF406", "info", f"{MAPPING}/count:check")]
    assert found.message.endswith("the entries for “count:check” and “meta:custom” are never used")
    assert [each.pointer for each in found.related] == [f"{MAPPING}/meta:custom"]


@pytest.mark.parametrize(
    ("step", "changes", "reported"),
    [
        ("initial.issue", {}, False),
        ("continuation.issue", {}, True),
        ("closure.issue", {}, True),
        ("continuation.issue", {"/steps/continuation.issue/c2": "initial"}, False),
        ("closure.issue", {"/steps/initial.issue/c2": "closure"}, False),  # there is no initial step
    ],
)
def test_an_entry_in_the_middle(step: str, changes: dict[str, Any], reported: bool, lint_example: Lint) -> None:
    found = [each for each in lint_example({**changes, "/entryStep": step}) if each.code == "SF405"]
    assert said(found) == ([("SF405", "warning", "/entryStep")] if reported else [])
    assert [fix.edits[0].text for each in found for fix in each.fixes] == ['"initial.issue"'] * reported


@pytest.mark.parametrize("value", [None, 1, [], {"initial": 1}, True])
def test_an_entry_that_is_no_text(value: Any, lint_example: Lint) -> None:
    where = f"{MAPPING}/count:iteration"
    found = lint_example({where: value})
    assert said(found) == [("SF407", "error", where)]
    assert found[0].fixes == ()


PAIRS = {
    MAPPING: {
        key: {"initial": "initial.issue", "continuation": "continuation.issue"} for key in ("poll:state", "count:check")
    }
}


def test_pairs_throughout_are_one_mistake_until_an_era_is_asked(lint_example: Lint) -> None:
    (found,) = [each for each in lint_example(PAIRS) if each.code == "SF407"]
    assert (found.severity, found.pointer) == ("error", f"{MAPPING}/poll:state")
    assert found.fixes == ()
    assert [each.pointer for each in found.related] == [f"{MAPPING}/count:check", "/steps"]
    asked = [each for each in lint_example(PAIRS, LintSettings("climpt-2026-04-20")) if each.code == "SF407"]
    assert [(each.severity, len(each.fixes)) for each in asked] == [("error", 1)] * 2


def test_a_misspelt_type_of_a_pair_is_renamed_itself(open_example: Open) -> None:
    pair = {"initial": "initial.issue", "continuation": "initial.issue"}
    agent = open_example(changed({MAPPING: {"pol:state": pair}}, base="adt-kind-address"))
    (found,) = [each for each in lint(agent) if each.code == "SF403"]
    assert found.pointer == f"{MAPPING}/pol:state"
    (change,) = fix_all([agent], lint, any_fixes).changes
    mapping = json.loads(change.after.text)["entryStepMapping"]
    assert mapping == {"poll:state": pair}


def test_of_former_names_the_types_own_is_renamed(lint_example: Lint) -> None:
    changes = {"/entryStepMapping": {"issue": "initial.issue", "externalState": "initial.issue"}}
    found = [each for each in lint_example(changed(changes)) if each.code == "SF403"]
    assert {each.pointer: [fix.title for fix in each.fixes] for each in found} == {
        "/entryStepMapping/issue": [],
        "/entryStepMapping/externalState": ["Write “poll:state”"],
    }
