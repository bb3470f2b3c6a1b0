"""An agent.json of any layout becomes what a run goes by, whatever is wrong in it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.formats.climpt.agent.fields import AGENT, VERDICTS
from stepflow_gui.formats.climpt.agent.flat_fields import AGENT_FLAT
from stepflow_gui.formats.climpt.agent.resolved import Note, ResolvedAgent
from stepflow_gui.formats.climpt.agent.resolving import resolve_agent
from stepflow_gui.formats.climpt.eras import CLIMPT_2026_03_14, CLIMPT_2026_04_20, ERAS, GUIDE
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.formats.agent.agents import CODE_IMPROVER, ITERATOR, changed, document_of, placed
from tests.formats.test_field_tables import fields


def resolved(value: Any, era: str = "guide") -> ResolvedAgent:
    return resolve_agent(document_of(value), ERAS[era])


def remove(value: dict[str, Any], pointer: str) -> None:
    *groups, name = pointer[1:].split("/")
    for key in groups:
        value = value[key]
    del value[name]


def test_the_reference_example() -> None:
    agent = resolved(ITERATOR)
    assert (agent.layout, agent.notes, agent.aside) == ("runner", (), {})
    assert (agent.name, agent.display_name, agent.version) == ("iterator", "Iterator Agent", "1.12.0")
    assert agent.schema_url == "../../agents/schemas/agent.schema.json"
    assert list(agent.parameters) == ["issue", "iterateMax", "resume"]
    assert agent.parameters["issue"].required
    assert agent.parameters["iterateMax"].default == 500
    runner = agent.runner
    assert runner.flow.system_prompt_path == "prompts/system.md"
    assert (runner.flow.prompts.registry, runner.flow.prompts.fallback_dir) == ("steps_registry.json", "prompts/")
    assert (runner.verdict.type, runner.verdict.limit) == ("poll:state", 500)
    assert runner.boundaries.permission_mode == "acceptEdits"
    assert len(runner.boundaries.allowed_tools) == 9
    assert runner.boundaries.sandbox is None
    github = runner.integrations.github
    assert github.enabled
    assert github.labels.in_progress == "in-progress"
    assert (github.labels.completion.add, github.labels.completion.remove) == (("done",), ("in-progress",))
    assert github.default_closure_action == "label-only"
    assert runner.actions.types == ("issue-action", "project-plan", "review-result")
    assert (runner.execution.worktree.enabled, runner.execution.worktree.root) == (True, "../worktree")
    assert runner.execution.finalize is None
    assert runner.logging.max_files == 100


def test_the_flat_example_is_read_by_its_own_names() -> None:
    agent = resolved(CODE_IMPROVER)
    assert (agent.layout, agent.notes, agent.aside) == ("flat", (), {})
    assert (agent.name, agent.display_name, agent.version) == ("code-improver", "Code Improver", "1.0.0")
    assert agent.runner.flow.system_prompt_path == "prompts/system.md"
    assert agent.runner.flow.prompts.fallback_dir == "prompts/"
    assert (agent.runner.verdict.type, agent.runner.verdict.limit) == ("detect:graph", 20)
    assert agent.runner.boundaries.allowed_tools == ("Read", "Write", "Edit", "Bash", "Glob", "Grep")
    assert agent.runner.boundaries.permission_mode == "acceptEdits"
    assert agent.runner.logging.directory == "tmp/logs/agents/code-improver"


def test_an_empty_agent_has_the_documented_defaults() -> None:
    agent = resolved({})
    runner = agent.runner
    assert (runner.flow.prompts.registry, runner.flow.prompts.fallback_dir) == ("steps_registry.json", "prompts")
    assert (runner.verdict.type, runner.verdict.config.max_iterations) == ("count:iteration", 10)
    assert (runner.boundaries.permission_mode, runner.boundaries.allowed_tools) == ("plan", ("*",))
    assert runner.integrations.github.enabled
    assert not runner.execution.worktree.enabled
    assert (runner.logging.directory, runner.logging.format) == ("logs", "jsonl")
    assert (agent.name, agent.parameters, agent.description) == (None, {}, "")


def test_defaults_differ_by_era() -> None:
    early, newest = CLIMPT_2026_03_14.name, CLIMPT_2026_04_20.name
    assert not resolved({}, early).runner.integrations.github.enabled
    assert resolved({}, newest).runner.integrations.github.enabled
    assert resolved({}, early).runner.flow.prompts.fallback_dir == "prompts"
    assert resolved({}, newest).runner.flow.prompts.fallback_dir is None
    assert resolved(ITERATOR, newest).aside == {"/runner/flow/prompts/fallbackDir": "prompts/"}


@pytest.mark.parametrize(
    ("era", "verdict", "limit"),
    [
        ("guide", {}, 10),
        ("guide", {"type": "detect:graph"}, 20),
        ("guide", {"type": "detect:graph", "config": {"maxIterations": 7}}, 7),
        ("guide", {"config": {"maxIterations": 2.5}}, 3),
        ("guide", {"config": {"maxIterations": 10**30}}, 10**9),
        ("climpt-2026-04-20", {"type": "detect:graph"}, 10),
        ("climpt-2026-04-20", {"type": "detect:graph", "config": {"maxIterations": None}}, 10),
    ],
)
def test_how_many_iterations_a_run_has(era: str, verdict: dict[str, Any], limit: int) -> None:
    assert resolved({"runner": {"verdict": verdict}}, era).runner.verdict.limit == limit


def test_older_verdicts_have_todays_names() -> None:
    older = {"type": "keywordSignal", "config": {"completionKeyword": "DONE", "maxIterations": 3}}
    agent = resolved({"runner": {"completion": older}})
    assert (agent.runner.verdict.type, agent.runner.verdict.config.verdict_keyword) == ("detect:keyword", "DONE")
    flat = resolved({"behavior": {"completionType": older["type"], "completionConfig": older["config"]}})
    assert flat.runner.verdict == agent.runner.verdict
    assert agent.notes == flat.notes == ()
    both = {"verdict": {"type": "count:check", "config": {"maxChecks": 2}}, "completion": older}
    today = resolved({"runner": both})
    assert today.runner.verdict.type == "count:check"
    assert today.aside == {"/runner/completion": older}


def test_a_composite_is_read_to_any_reasonable_depth() -> None:
    inner = {"type": "meta:composite", "config": {"operator": "or", "conditions": [{"type": "composite"}]}}
    conditions = [
        {"type": "iterate", "config": {"maxIterations": 3}},
        5,
        {"type": "detect:keyword", "config": {"completionKeyword": "DONE", "maxChecks": "x"}},
        {"type": "bogus", "config": {}},
        {"config": {"maxChecks": 3}},
        inner,
    ]
    agent = resolved(
        {"runner": {"verdict": {"type": "meta:composite", "config": {"operator": "and", "conditions": conditions}}}}
    )
    found = agent.runner.verdict.config.conditions
    assert [each.type for each in found] == ["count:iteration", "detect:keyword", "meta:composite"]
    assert found[0].limit == 3
    assert found[1].config.verdict_keyword == "DONE"
    assert [each.type for each in found[2].config.conditions] == ["meta:composite"]
    below = "/runner/verdict/config/conditions"
    assert {(note.kind, note.pointer) for note in agent.notes} == {
        ("type", f"{below}/1"),
        ("type", f"{below}/2/config/maxChecks"),
        ("enum", f"{below}/3/type"),
        ("required", f"{below}/4/type"),
    }
    assert agent.aside == {}


def test_endless_composites_end() -> None:
    text = '{"type": "meta:composite", "config": {"operator": "and", "conditions": ['
    deep = text * 300 + "]}}" * 300
    agent = resolved('{"runner": {"verdict": ' + deep + "}}")
    assert [note.kind for note in agent.notes] == ["too_deep"]
    assert agent.runner.verdict.type == "meta:composite"


@pytest.mark.parametrize(
    ("pointer", "value", "kind"),
    [
        ("/version", 5, "type"),
        ("/parameters", [], "type"),
        ("/parameters/issue/type", "object", "enum"),
        ("/parameters/issue/required", "yes", "type"),
        ("/runner/flow", "x", "type"),
        ("/runner/flow/prompts/registry", 5, "type"),
        ("/runner/flow/defaultModel", "gpt", "enum"),
        ("/runner/verdict/type", "sometimes", "enum"),
        ("/runner/verdict/config", [], "type"),
        ("/runner/verdict/config/maxIterations", 0, "minimum"),
        ("/runner/verdict/config/requiredFields", 3, "one_of"),
        ("/runner/boundaries/permissionMode", "dontAsk", "enum"),
        ("/runner/boundaries/sandbox", {"network": {"mode": "some"}}, "enum"),
        ("/runner/integrations/github/labels/completion/add", "done", "type"),
        ("/runner/integrations/github/enabled", 1, "type"),
        ("/runner/logging", None, "type"),
        ("/runner/logging/maxFiles", 0, "minimum"),
    ],
)
def test_what_does_not_fit_is_noted_and_the_default_stands_in(pointer: str, value: Any, kind: str) -> None:
    made = changed(pointer, value)
    agent = resolved(made)
    assert [note.kind for note in agent.notes] == [kind]
    assert agent.notes[0].pointer.startswith(pointer)
    remove(made, agent.notes[0].pointer)
    assert agent.model_copy(update={"notes": ()}) == resolved(made)


def test_a_name_that_only_its_pattern_refuses_is_used() -> None:
    agent = resolved(changed("/name", "Iterator"))
    assert (agent.name, agent.notes) == ("Iterator", (Note("pattern", "/name", "Iterator"),))


def test_one_bad_tool_leaves_the_others() -> None:
    agent = resolved(changed("/runner/boundaries/allowedTools", ["Read", 5, "Write", None]))
    assert agent.runner.boundaries.allowed_tools == ("Read", "Write")
    assert [note.pointer for note in agent.notes] == [f"/runner/boundaries/allowedTools/{at}" for at in (1, 3)]


def test_notes_report_the_place_in_a_flat_file() -> None:
    agent = resolved(changed("/behavior/permissionMode", "dontAsk", CODE_IMPROVER))
    assert agent.notes == (Note("enum", "/behavior/permissionMode", "dontAsk"),)
    agent = resolved(changed("/behavior/completionConfig/completionKeyword", 5, CODE_IMPROVER))
    assert agent.notes == (Note("type", "/behavior/completionConfig/completionKeyword", 5),)
    agent = resolved(changed("/logging/format", "xml", CODE_IMPROVER))
    assert agent.notes == (Note("enum", "/logging/format", "xml"),)


def test_what_the_era_does_not_know_is_kept_aside_inside_open_objects_too() -> None:
    made = changed("/runner/boundaries/sandbox", {"allowUnsandboxedCommands": "x", "colour": 1})
    agent = resolved(made, CLIMPT_2026_03_14.name)
    sandbox = "/runner/boundaries/sandbox"
    assert agent.aside == {f"{sandbox}/allowUnsandboxedCommands": "x", f"{sandbox}/colour": 1}
    assert agent.runner.boundaries.sandbox is not None
    agent = resolved(made, CLIMPT_2026_04_20.name)
    assert [note.pointer for note in agent.notes] == [f"{sandbox}/allowUnsandboxedCommands"]


def test_unknown_keys_are_kept_aside() -> None:
    agent = resolved(changed("/runner/boundaries/colour", {"a": 1}, changed("/labels", {"x": "y"})))
    assert agent.aside == {"/labels": {"x": "y"}, "/runner/boundaries/colour": {"a": 1}}
    assert agent.notes == ()
    flat = resolved(changed("/behavior/preCloseValidation", {"enabled": True}, {**CODE_IMPROVER, "owner": "me"}))
    assert flat.aside == {"/owner": "me", "/behavior/preCloseValidation": {"enabled": True}}
    mixed = resolved({**CODE_IMPROVER, **ITERATOR})
    assert mixed.layout == "runner"
    assert set(mixed.aside) == {"/behavior", "/prompts", "/logging"}


def test_labels_of_other_names_are_there() -> None:
    agent = resolved(changed("/runner/integrations/github/labels/attention", "look"))
    assert agent.runner.integrations.github.labels.model_extra == {"attention": "look"}


def test_the_file_stays_as_it_is() -> None:
    for value in (ITERATOR, CODE_IMPROVER, {"runner": {"completion": {"type": "externalState"}}}):
        document = document_of(value)
        resolve_agent(document)
        assert document.root
        assert document.root.value == value


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "3", '{"runner": 3}', '{"behavior": 3}', '{"runner": {'])
def test_no_text_stops_it(text: str) -> None:
    assert resolved(text).runner.verdict.type == "count:iteration"


def test_every_real_agent_is_resolved(corpus: Path) -> None:
    paths = sorted((corpus / "climpt").glob("**/agent.json"))
    assert len(paths) > 100
    layouts = set()
    for path in paths:
        document = ParsedFile.read(path, Source.decode(path.read_bytes()))
        agent = resolve_agent(document)
        value = json.loads(document.source.text)
        layouts.add(agent.layout)
        assert agent.name == value["name"]
        assert agent.runner.verdict.type in VERDICTS
        limits = [
            node.value
            for pointer, node in (document.root.walk() if document.root else ())
            if pointer.endswith("onfig/maxIterations")
        ]
        assert [agent.runner.verdict.limit] == limits
        assert agent.runner.flow.prompts.registry == "steps_registry.json"
        placeholders = {note.pointer for note in agent.notes}
        assert placeholders <= {"/name", "/behavior/completionType"}, path
        assert bool(placeholders) == ("{{" in document.source.text), path
        assert set(agent.aside) <= {"/behavior/preCloseValidation"}, path
    assert layouts == {"runner", "flat"}


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "x", "text", "poll:state", "--a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "config", "a"]), inner),
    max_leaves=5,
)
PLACES = sorted({where.replace("*", "0") for table in (AGENT, AGENT_FLAT) for where, _field in fields(table)})


@given(st.dictionaries(st.sampled_from(PLACES), ANYTHING, max_size=6), st.sampled_from(sorted(ERAS)))
def test_no_value_at_any_field_stops_it(values: dict[str, Any], era: str) -> None:
    agent = resolved(placed(values), era)
    assert 1 <= agent.runner.verdict.limit <= 10**9
    assert agent.model_validate_json(agent.model_dump_json(by_alias=True)).runner == agent.runner


def test_checks_and_tables_do_without_pydantic() -> None:
    code = "import sys, stepflow_gui.formats.climpt.agent.check, stepflow_gui.formats.climpt.agent.flat_fields\n"
    done = subprocess.run(
        [sys.executable, "-c", code + "sys.exit('pydantic' in sys.modules)"], check=False, capture_output=True
    )
    assert done.returncode == 0, done.stderr


def test_the_guide_is_the_default_era() -> None:
    assert resolve_agent(document_of(ITERATOR)) == resolve_agent(document_of(ITERATOR), GUIDE)
