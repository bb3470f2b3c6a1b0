"""SF801 to SF816: odd cases of agent.json, in both of its layouts."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, Example, changed, whole
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.creating.new_agent import NewAgentPlan, make, want
from stepflow_gui.project.creating.templates import template_of
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.files.new_files import FilesCreated
from tests.lint.conftest import Lint, Open

VERDICT = "agent.json#/runner/verdict"
BOUNDARIES = "agent.json#/runner/boundaries"
FLAT: dict[str, Any] = {
    "version": "1.0.0",
    "name": "issue-flow",
    "displayName": "Issue flow",
    "description": "Works on an issue",
    "parameters": {"issue": {"type": "number", "description": "The issue", "required": True, "cli": "--issue"}},
    "behavior": {
        "systemPromptPath": "prompts/system.md",
        "completionType": "externalState",
        "completionConfig": {"maxIterations": 10},
        "allowedTools": ["Read"],
        "permissionMode": "plan",
    },
    "prompts": {"registry": "steps_registry.json", "fallbackDir": "prompts"},
}


def of(code: str, found: list[Diagnostic]) -> list[Diagnostic]:
    return [each for each in found if each.code == code]


def flat(**changes: Any) -> Example:
    return whole(json.dumps({**FLAT, **changes}), "agent.json")


def behavior(**changes: Any) -> Example:
    return flat(behavior={**FLAT["behavior"], **changes})


def after(found: Diagnostic) -> Any:
    """What the file of a finding holds once its first fix is applied."""
    text = found.file.read_text("utf-8")
    edits = [TextEdit(edit.range.start.offset, edit.range.end.offset, edit.text) for edit in found.fixes[0].edits]
    return json.loads(apply(text, edits))


def codes(found: list[Diagnostic]) -> list[str]:
    return sorted({each.code for each in found if each.code[:3] == "SF8"})


def test_a_flat_file_is_read_by_its_own_names(lint_example: Lint) -> None:
    assert codes(lint_example(flat())) == ["SF804"]
    (found,) = of("SF805", lint_example(behavior(permissionMode="readonly")))
    assert found.pointer == "/behavior/permissionMode"
    (found,) = of("SF807", lint_example(behavior(systemPromptPath="prompts/none.md")))
    assert found.pointer == "/behavior/systemPromptPath"
    (found,) = of("SF801", lint_example(flat(displayName=None)))
    assert "displayName" in found.message


def test_a_flat_file_may_use_its_verdict_types_and_no_others(lint_example: Lint) -> None:
    assert not of("SF802", lint_example(behavior(completionType="iterate")))
    (found,) = of("SF802", lint_example(behavior(completionType="iterrate")))
    assert found.pointer == "/behavior/completionType"
    assert [edit.text for edit in found.fixes[0].edits] == ['"iterate"']


def test_a_flat_file_is_moved_as_a_whole_unless_something_has_no_place(lint_example: Lint) -> None:
    (found,) = of("SF804", lint_example(flat()))
    (fix,) = found.fixes
    assert not fix.safe
    moved = after(found)
    assert moved["runner"]["verdict"] == {"type": "poll:state", "config": {"maxIterations": 10}}
    (found,) = of("SF804", lint_example(behavior(preCloseValidation={"enabled": True})))
    assert not found.fixes


def test_what_climpt_fills_in_is_reported_once(lint_example: Lint) -> None:
    (found,) = of("SF801", lint_example({"agent.json#/version": REMOVED, BOUNDARIES: REMOVED}))
    assert found.severity == "info"
    assert "version, runner.boundaries" in found.message
    assert len(found.related) == 1


def test_a_verdict_that_is_left_out_is_reported_with_its_limit(lint_example: Lint) -> None:
    (found,) = of("SF801", lint_example({VERDICT: REMOVED}))
    assert 'climpt-2026-03-14 uses {"type": "count:iteration", "config": {"maxIterations": 10}}' in found.message
    assert after(found)["runner"]["verdict"]["config"] == {"maxIterations": 10}


@pytest.mark.parametrize(
    ("verdict", "problems"),
    [
        ({"type": "count:iteration"}, []),
        ({"type": "count:iteration", "config": {}}, ["maxIterations"]),
        ({"type": "count:iteration", "config": {"maxIterations": 0}}, ["maxIterations"]),
        ({"type": "count:check", "config": {"maxIterations": 3}}, ["maxChecks"]),
        ({"type": "count:check"}, ["maxChecks"]),
        ({"type": "detect:keyword", "config": {"maxIterations": 3}}, ["verdictKeyword"]),
        ({"type": "meta:composite", "config": {"operator": "or", "conditions": []}}, ["conditions"]),
        (
            {
                "type": "meta:composite",
                "config": {
                    "operator": "and",
                    "conditions": [
                        {"type": "detect:keyword", "config": {}},
                        {
                            "type": "meta:composite",
                            "config": {"operator": "or", "conditions": [{"type": "count:check"}]},
                        },
                    ],
                },
            },
            ["maxChecks", "verdictKeyword"],
        ),
    ],
)
def test_what_a_verdict_needs(verdict: dict[str, Any], problems: list[str], lint_example: Lint) -> None:
    in_composite = "/conditions/"  # nothing looks at these when the agent starts
    found = [
        each
        for each in of("SF803", lint_example({VERDICT: verdict}))
        if each.severity == ("warning" if in_composite in (each.pointer or "") else "error")
    ]
    said = sorted(next(word for word in each.message.split("“")[1:]).partition("”")[0] for each in found)
    assert said == problems


@pytest.mark.parametrize(
    ("verdict", "config"),
    [
        ({"type": "count:check"}, {"maxChecks": 10}),
        ({"type": "detect:keyword", "config": {"maxIterations": 3}}, {"verdictKeyword": "TASK_COMPLETE"}),
    ],
)
def test_what_a_verdict_needs_is_offered(verdict: dict[str, Any], config: dict[str, Any], lint_example: Lint) -> None:
    (found,) = of("SF803", lint_example({VERDICT: verdict}))
    assert after(found)["runner"]["verdict"]["config"] == {**verdict.get("config", {}), **config}


@pytest.mark.parametrize(
    ("runtime", "severity"), [(None, "error"), ("climpt-2026-04-20", "error"), ("guide", "warning")]
)
def test_what_a_verdict_lacks_is_an_error_where_the_agent_does_not_start(
    runtime: str | None, severity: str, lint_example: Lint
) -> None:
    (found,) = of("SF803", lint_example({VERDICT: {"type": "count:check"}}, LintSettings(runtime)))
    assert found.severity == severity


def test_what_the_flat_layout_needs_is_offered_in_its_place(lint_example: Lint) -> None:
    given = {key: value for key, value in FLAT["behavior"].items() if key != "completionConfig"}
    (found,) = of("SF803", lint_example(flat(behavior={**given, "completionType": "checkBudget"})))
    assert after(found)["behavior"]["completionConfig"] == {"maxChecks": 10}


def test_a_system_prompt_can_be_begun(lint_example: Lint) -> None:
    (found,) = of("SF807", lint_example({"agent.json#/runner/flow/systemPromptPath": "texts/who-you-are.md"}))
    (edit,) = found.fixes[0].edits
    assert edit.file == found.file.parent / "texts" / "who-you-are.md"
    assert edit.text.startswith("# Issue flow\n\n")


def test_a_condition_of_an_unknown_type(lint_example: Lint) -> None:
    conditions = [{"type": "externalState", "config": {}}]
    verdict = {"type": "meta:composite", "config": {"operator": "and", "conditions": conditions}}
    (found,) = of("SF802", lint_example({VERDICT: verdict}))
    assert found.pointer == "/runner/verdict/config/conditions/0/type"
    assert found.fixes[0].safe


def test_templates_are_left_alone(lint_example: Lint) -> None:
    changes = {
        f"{VERDICT}/type": "{{VERDICT}}",
        f"{BOUNDARIES}/permissionMode": "{{MODE}}",
        "agent.json#/version": "{{V}}",
    }
    assert not [each for each in lint_example(changes) if each.code in {"SF802", "SF805", "SF006"}]


@pytest.mark.parametrize(
    ("parameter", "severities"),
    [
        ({"type": "string", "description": "d"}, ["error"]),
        ({"type": "string", "description": "d", "cli": "x"}, ["error"]),
        ({"type": "string", "description": "d", "cli": "--issue"}, ["error"]),
        ({"type": "string", "description": "d", "cli": "--x", "default": 5}, ["error"]),
        ({"type": "string", "description": "d", "cli": "--x", "default": "a", "required": True}, ["warning"]),
        ({"type": "string", "description": "d", "cli": "--x"}, []),
    ],
)
def test_flags_of_parameters(parameter: dict[str, Any], severities: list[str], lint_example: Lint) -> None:
    found = lint_example(changed({"agent.json#/parameters/other": parameter}, base="c3l"))
    assert [each.severity for each in of("SF806", found)] == severities


def test_shared_flags_pass_in_older_runners(lint_example: Lint) -> None:
    parameter = {"type": "string", "description": "d", "cli": "--issue"}
    (found,) = of("SF806", lint_example({"agent.json#/parameters/other": parameter}))
    assert found.severity == "warning"


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"agent.json#/runner/flow/prompts/registry": "other.json"}, "/runner/flow/prompts/registry"),
        ({"agent.json#/runner/flow/prompts/fallbackDir": "none"}, "/runner/flow/prompts/fallbackDir"),
        ({"agent.json#/runner/flow/schemas": {"base": "none"}}, "/runner/flow/schemas/base"),
        ({VERDICT: {"type": "meta:custom", "config": {"handlerPath": "own.ts"}}}, "/runner/verdict/config/handlerPath"),
        ({"agent.json#/runner/flow/schemas": {"base": ".agent/issue-flow/schemas"}}, None),
        ({"agent.json#/runner/flow/systemPromptPath": "../../../elsewhere.md"}, None),  # SF707's matter
    ],
)
def test_paths(changes: dict[str, Any], pointer: str | None, lint_example: Lint) -> None:
    assert [each.pointer for each in of("SF807", lint_example(changes))] == ([pointer] if pointer else [])


def test_the_name_is_that_of_the_folder(lint_example: Lint) -> None:
    found = of("SF808", lint_example({"/agentId": "other", "agent.json#/name": "other"}))
    assert [(each.file.name, each.pointer) for each in found] == [("agent.json", "/name")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The agent of a template in a project; gives its folder."""
    template = template_of("issue-flow")
    assert template is not None
    wanted = want(template, tmp_path, "demo")
    assert isinstance(wanted, NewAgentPlan)
    assert isinstance(make(wanted), FilesCreated)
    return wanted.opened.parent


def linted(path: Path) -> list[Diagnostic]:
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    return lint(agent)


def test_a_folder_without_an_agent_file_names_the_folder_of_agents(project: Path) -> None:
    agent = project / "agent.json"
    agent.unlink()
    (found,) = of("SF801", linted(project))
    assert (found.severity, found.pointer, found.file.name) == ("info", "/agentId", "steps_registry.json")
    made = found.fixes[0].edits[0]
    agent.write_text(made.text, "utf-8")
    assert made.file == agent
    assert not [each for each in linted(project) if each.severity == "error"]
    agent.unlink()
    elsewhere = project.rename(project.parent.parent / "elsewhere")
    assert not of("SF801", linted(elsewhere))


def test_a_registry_that_agent_file_does_not_name(project: Path) -> None:
    text = (project / "steps_registry.json").read_text("utf-8").replace('"agentId": "demo"', '"agentId": "older"')
    (project / "registry.json").write_text(text, "utf-8")
    (found,) = of("SF808", linted(project / "registry.json"))
    assert (found.severity, found.pointer) == ("warning", "/agentId")
    assert "“steps_registry.json”" in found.message
    (project / "steps_registry.json").write_text(text, "utf-8")
    (found,) = of("SF808", linted(project))
    assert found.severity == "error"


def test_a_registry_elsewhere_in_the_project(project: Path) -> None:
    shared = project.parent.parent / "shared.json"
    (project / "steps_registry.json").rename(shared)
    agent = project / "agent.json"
    agent.write_text(agent.read_text("utf-8").replace('"steps_registry.json"', '"../../shared.json"'), "utf-8")
    assert [each for each in linted(shared) if each.code[:3] == "SF8"] == []
    assert linted(agent) == linted(shared)


HALF_MOVED = {
    "agent.json#/behavior": {
        key: FLAT["behavior"][key] for key in ("systemPromptPath", "allowedTools", "permissionMode")
    },
    "agent.json#/runner/flow": REMOVED,
    "agent.json#/runner/boundaries": REMOVED,
}


def test_a_file_that_is_half_moved(lint_example: Lint) -> None:
    found = lint_example(HALF_MOVED)
    (mixed,) = of("SF804", found)
    assert (mixed.pointer, mixed.severity) == ("/behavior", "warning")
    assert "“runner.flow”" in of("SF801", found)[0].message
    moved = after(mixed)
    assert "behavior" not in moved
    assert moved["runner"]["flow"] == {"systemPromptPath": "prompts/system.md"}
    assert moved["runner"]["boundaries"] == {"allowedTools": ["Read"], "permissionMode": "plan"}
    (unsettled,) = of("SF804", lint_example({"agent.json#/behavior": FLAT["behavior"]}))
    assert not unsettled.fixes  # both define how the agent is done, and not the same


@pytest.mark.parametrize(
    ("boundaries", "said"),
    [
        ({"allowedTools": ["Read"]}, True),
        ({"allowedTools": ["*"], "sandbox": {"enabled": True}}, True),
        ({"allowedTools": ["Read"], "sandbox": {"enabled": False}}, True),
        ({"allowedTools": ["Read"], "sandbox": {}}, False),
    ],
)
def test_all_permissions(boundaries: dict[str, Any], said: bool, lint_example: Lint) -> None:
    changes = {BOUNDARIES: {"permissionMode": "bypassPermissions", **boundaries}}
    assert bool(of("SF809", lint_example(changes))) == said
    changes[BOUNDARIES]["permissionMode"] = "acceptEdits"
    assert not of("SF809", lint_example(changes))


@pytest.mark.parametrize(
    ("worktree", "finalize", "said"),
    [
        (True, {"createPr": True, "prTarget": "main"}, []),
        (True, {"autoMerge": True, "createPr": True}, ["/autoMerge"]),
        (True, {"prTarget": "main"}, ["/prTarget"]),
        (True, {"push": True, "remote": "origin"}, []),
        (True, {"push": True, "remote": ""}, ["/remote"]),
        (False, {"push": True, "remote": "origin"}, [""]),
        (False, {}, []),
    ],
)
def test_what_happens_after_the_run(
    worktree: bool, finalize: dict[str, Any], said: list[str], lint_example: Lint
) -> None:
    execution = {"worktree": {"enabled": worktree}, "finalize": finalize}
    found = of("SF810", lint_example({"agent.json#/runner/execution": execution}))
    assert [each.pointer for each in found] == [f"/runner/execution/finalize{each}" for each in said]


@pytest.mark.parametrize(
    ("config", "pointer"),
    [
        ({}, None),
        ({"registryPath": ".agent/issue-flow/steps_registry.json", "entryStep": "initial.issue"}, None),
        ({"registryPath": "none.json", "entryStep": "none"}, "/runner/verdict/config/registryPath"),
        ({"entryStep": "none"}, "/runner/verdict/config/entryStep"),
    ],
)
def test_a_graph(config: dict[str, Any], pointer: str | None, lint_example: Lint) -> None:
    found = of("SF812", lint_example({VERDICT: {"type": "detect:graph", "config": config}}))
    assert [each.pointer for each in found] == ([pointer] if pointer else [])


@pytest.mark.parametrize(
    ("runtime", "words"),
    [
        (None, "climpt 2026-03-14 stops with “Unknown step ID”"),
        ("climpt-2026-04-20", "climpt 2026-04-01 and later refuse to start the agent (AC-VERDICT-011)"),
        ("guide", "climpt 2026-04-01 and later refuse"),
    ],
)
def test_the_registry_of_a_graph_is_read_from_the_working_directory(
    runtime: str | None, words: str, lint_example: Lint
) -> None:
    config = {"registryPath": "steps_registry.json", "entryStep": "none"}
    changes = {VERDICT: {"type": "detect:graph", "config": config}}
    (found,) = of("SF812", lint_example(changes, LintSettings(runtime)))
    severity = "warning" if runtime == "guide" else "error"
    assert (found.pointer, found.severity) == ("/runner/verdict/config/registryPath", severity)
    assert words in found.message
    (fix,) = found.fixes
    assert [edit.text for edit in fix.edits] == ['".agent/issue-flow/steps_registry.json"']
    config["registryPath"] = ".agent/issue-flow/steps_registry.json"
    assert [each.pointer for each in of("SF812", lint_example(changes))] == ["/runner/verdict/config/entryStep"]


@pytest.mark.parametrize(
    ("runtime", "words"),
    [(None, "climpt-2026-03-14 stops a run of poll:state after 10"), ("guide", "is stopped after 20")],
)
def test_the_limit_that_applies(runtime: str | None, words: str, lint_example: Lint) -> None:
    (found,) = of("SF813", lint_example({f"{VERDICT}/config/maxIterations": REMOVED}, LintSettings(runtime)))
    assert words in found.message


def test_tools_with_rules_and_of_servers(lint_example: Lint) -> None:
    known = ["*", "Bash(npm run test:*)", "mcp__server__tool", "WebSearch"]
    assert not of("SF814", lint_example({f"{BOUNDARIES}/allowedTools": known}))
    (found,) = of("SF814", lint_example({f"{BOUNDARIES}/allowedTools": [*known, "bash", "Raed"]}))
    assert "“bash”, “Raed”" in found.message
    assert [edit.text for edit in found.fixes[0].edits] == ['"Bash"', '"Read"']


@pytest.mark.parametrize(("limit", "said"), [(1, True), (2, True), (3, False)])
def test_the_shortest_path(limit: int, said: bool, lint_example: Lint) -> None:
    assert bool(of("SF815", lint_example({f"{VERDICT}/config/maxIterations": limit}))) == said


def test_a_transition_that_answers_choose_is_no_longer_than_a_step(lint_example: Lint) -> None:
    gate = "/steps/initial.issue/structuredGate"
    changes: dict[str, Any] = {
        f"{gate}/allowedIntents": ["next", "repeat", "jump"],
        f"{gate}/targetField": "next_action.target",
    }
    changes |= {f"{VERDICT}/config/maxIterations": 2}
    assert not of("SF815", lint_example(changes))


def test_one_iteration_leaves_no_repeat(lint_example: Lint) -> None:
    found = of("SF816", lint_example({f"{VERDICT}/config/maxIterations": 1}))
    assert [(each.pointer, each.severity) for each in found] == [("/steps/initial.issue/transitions/repeat", "warning")]
    (found_by_guide,) = of("SF816", lint_example({f"{VERDICT}/config/maxIterations": 1}, LintSettings("guide")))
    assert found_by_guide.severity == "info"


def test_a_broken_file_is_only_that(lint_example: Lint) -> None:
    found = lint_example(whole('{"name": "issue-flow", "runner": {"verdict": {"type": "none"}, }', "agent.json"))
    assert {each.code for each in found if each.file.name == "agent.json"} == {"SF001"}


@pytest.mark.parametrize("text", ["[]", "5", "null", '{"runner": []}', '{"runner": {"verdict": 5}, "parameters": []}'])
def test_odd_values_end_in_diagnostics(text: str, lint_example: Lint) -> None:
    assert any(each.severity == "error" for each in lint_example(whole(text, "agent.json")))


@pytest.mark.parametrize("base", ["closing", "complete", "c3l", "checks", "adt-kind-address"])
@pytest.mark.parametrize("named", ["issue-flow", "another"])
def test_a_begun_agent_file_brings_no_new_findings(base: Any, named: str, open_example: Open) -> None:
    """Neither of what it names and doesn't exist, nor of names that differ, nor of keys that the runner drops."""
    gone: dict[str, Any] = {"agent.json": REMOVED, "prompts/system.md": REMOVED}
    agent = open_example(changed({"/agentId": named}, base=base, texts=gone))
    before = lint(agent)
    (found,) = of("SF801", before)
    for file in {edit.file for edit in found.fixes[0].edits}:
        edits = [edit for edit in found.fixes[0].edits if edit.file == file]
        text = file.read_text("utf-8") if file.exists() else ""
        file.parent.mkdir(parents=True, exist_ok=True)
        spans = [TextEdit(edit.range.start.offset, edit.range.end.offset, edit.text) for edit in edits]
        file.write_text(apply(text, spans), "utf-8")
    after = linted(agent.registry.path)
    assert {each.code for each in after} < {each.code for each in before}
