"""Names in every file of an agent: their targets, who else uses them, what is shown, what can be renamed."""

import json
from pathlib import Path

import pytest

from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import RenameIntent, RenameKey, RenameSchema, RenameStep
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.assist.cursor_target import CursorTarget
from stepflow_gui.project.assist.go_to import definitions_at, references_at, why_no_definition
from stepflow_gui.project.assist.hover import about
from stepflow_gui.project.assist.prompt_completion import prompt_completions
from stepflow_gui.project.assist.renaming import renamable_at, rename_of, renaming
from stepflow_gui.project.assist.target_lookup import target_at
from stepflow_gui.text.document import AnyDocument, ParsedFile, TextFile
from stepflow_gui.text.edit import apply
from stepflow_gui.text.source import Source


def file_of(agent: AgentFolder, name: str) -> AnyDocument:
    path = agent.registry.path.parent / name
    found = agent.document(path) if path.suffix == ".json" else agent.text(path)
    assert isinstance(found, ParsedFile | TextFile)
    return found


PROMPT = "prompts/steps/initial/issue/f_default.md"
SCHEMA = "schemas/issue.schema.json"
ACTION = "/properties/next_action/properties/action"
REGISTRY = "steps_registry.json"


def named(agent: AgentFolder, name: str, before: str, inside: str) -> tuple[AnyDocument, int]:
    """The place of a text that stands behind another, a sign into it."""
    file = file_of(agent, name)
    text = file.source.text
    return file, text.index(inside, text.index(before)) + 1


@pytest.mark.parametrize(
    ("file", "before", "inside", "kind", "leads_to"),
    [
        (REGISTRY, '"entryStep"', '"initial.issue"', "step", (REGISTRY, "/steps/initial.issue")),
        (REGISTRY, '"intentSchemaRef"', '"#/prop', "enum", (SCHEMA, f"/initial.issue{ACTION}/enum")),
        (REGISTRY, '"initial.issue": {', '"issue"', "prompt", (PROMPT, "")),
        (REGISTRY, '"outputSchemaRef"', '"issue.schema.json"', "schema-file", (SCHEMA, "")),
        (REGISTRY, '"schema":', '"initial.issue"', "schema", (SCHEMA, "/initial.issue")),
        (REGISTRY, '"uvVariables"', '"issue"', "variable", ("agent.json", "/parameters/issue")),
        (REGISTRY, '"validator"', '"git-clean"', "validator", (REGISTRY, "/validators/git-clean")),
        ("agent.json", '"systemPromptPath"', '"prompts', "file", ("prompts/system.md", "")),
        (SCHEMA, "{", '"initial.issue"', "schema", (SCHEMA, "/initial.issue")),
        (SCHEMA, '"const"', '"initial.issue"', "step", (REGISTRY, "/steps/initial.issue")),
        (SCHEMA, '"enum"', '"next"', "intent", (REGISTRY, "/steps/initial.issue/transitions/next")),
        (PROMPT, "", "{uv-issue}", "variable", ("agent.json", "/parameters/issue")),
    ],
)  # fmt: skip
def test_names_go_to_what_they_mean(
    agent: AgentFolder, file: str, before: str, inside: str, kind: str, leads_to: tuple[str, str]
) -> None:
    place = named(agent, file, before, inside)
    subject = target_at(agent, *place)
    assert subject is not None
    assert subject.kind == kind
    found = definitions_at(agent, *place)[0]
    folder = agent.registry.path.parent
    assert (found.document.path.relative_to(folder).as_posix(), found.pointer) == leads_to
    assert why_no_definition(agent, *place) == ""
    assert about(agent, *place) is not None


def test_every_kind_of_name_is_found_where_it_is_used(agent: AgentFolder) -> None:
    parameter = references_at(agent, *named(agent, "agent.json", '"parameters"', '"issue"'))
    assert {place.document.path.suffix for place in parameter} == {".json", ".md"}
    schema = references_at(agent, *named(agent, SCHEMA, "{", '"initial.issue"'))
    assert {place.document.path.name for place in schema} == {"issue.schema.json", "steps_registry.json"}
    for place in (*parameter, *schema):
        assert "issue" in place.document.source.text[place.span.start : place.span.end]


def test_of_a_step_its_kind_entries_and_transitions_are_reported(agent: AgentFolder) -> None:
    told = about(agent, *named(agent, REGISTRY, '"entryStep"', '"initial.issue"'))
    assert told is not None
    text = "\n".join(told.lines)
    assert "work step" in text
    assert "Entry: entryStep" in text
    assert "Goes to: next → continuation.issue" in text
    told = about(agent, *named(agent, REGISTRY, '"handoff": {', '"closure.issue"'))
    assert told is not None
    assert "Comes from: continuation.issue (handoff)" in "\n".join(told.lines)


def test_of_an_intent_it_is_reported_where_it_is_missing(agent: AgentFolder) -> None:
    text = agent.registry.source.text.replace('"allowedIntents": ["next", ', '"allowedIntents": [', 1)
    changed = agent.with_buffers({agent.registry.path: Source(text)})
    told = about(changed, *named(changed, REGISTRY, '"transitions"', '"next"'))
    assert told is not None
    assert any("Missing in allowedIntents" in line for line in told.lines)


def test_where_nothing_is_named_it_is_explained(agent: AgentFolder) -> None:
    assert why_no_definition(agent, agent.registry, 0) == "No name here"
    text = agent.registry.source.text.replace('"target": "continuation.issue"', '"target": "nowhere"', 1)
    changed = agent.with_buffers({agent.registry.path: Source(text)})
    assert "nowhere" in why_no_definition(changed, changed.registry, text.index("nowhere"))
    bare = agent.registry.source.text.replace('"c3": "issue"', '"c3": "other"')
    changed = agent.with_buffers({agent.registry.path: Source(bare)})
    assert "prompt" in why_no_definition(changed, *named(changed, REGISTRY, '"initial.issue": {', '"other"'))


@pytest.mark.parametrize(
    ("file", "before", "inside", "change"),
    [
        (REGISTRY, '"entryStep"', '"initial.issue"', RenameStep("initial.issue", "x")),
        (REGISTRY, '"stepId"', '"initial.issue"', RenameStep("initial.issue", "x")),
        (REGISTRY, '"allowedIntents"', '"next"', RenameIntent("initial.issue", "next", "x")),
        (SCHEMA, '"enum"', '"next"', RenameIntent("initial.issue", "next", "x")),
        (REGISTRY, '"validator"', '"git-clean"', RenameKey("/validators/git-clean", "x")),
        (REGISTRY, '"failurePattern":', '"git-dirty"', RenameKey("/failurePatterns/git-dirty", "x")),
    ],
)
def test_what_is_renamed_is_found_from_any_place_that_names_it(
    agent: AgentFolder, file: str, before: str, inside: str, change: object
) -> None:
    subject = renamable_at(agent, *named(agent, file, before, inside))
    assert isinstance(subject, CursorTarget)
    assert rename_of(agent, subject, "x") == change


def test_a_schema_is_renamed_from_the_registry_too(agent: AgentFolder) -> None:
    subject = renamable_at(agent, *named(agent, REGISTRY, '"schema":', '"initial.issue"'))
    assert isinstance(subject, CursorTarget)
    change = rename_of(agent, subject, "first")
    assert change == RenameSchema(agent.registry.path.parent / SCHEMA, "/initial.issue", "first")
    assert isinstance(plan(agent, change), Plan)


@pytest.mark.parametrize(
    ("file", "before", "inside"),
    [(REGISTRY, '"c3"', '"issue"'), (REGISTRY, '"entryStepMapping"', '"poll:state"'), (REGISTRY, "", "agentId")],
)
def test_what_cannot_be_renamed_explains_why(agent: AgentFolder, file: str, before: str, inside: str) -> None:
    found = renamable_at(agent, *named(agent, file, before, inside))
    assert isinstance(found, Refusal)
    assert found.reason


def test_a_prompt_is_completed_by_what_has_a_value(agent: AgentFolder) -> None:
    path = agent.registry.path.parent / PROMPT
    text = "See {uv-iss} and {uv-nothing}"
    changed = agent.with_buffers({path: Source(text)})
    found = prompt_completions(changed, file_of(changed, PROMPT), text.index("iss") + 3)
    assert [item.label for item in found.items] == ["uv-issue"]
    (item,) = found.items
    assert text[: found.span.start] + item.text + text[found.span.end :] == "See {uv-issue} and {uv-nothing}"
    open_brace = changed.with_buffers({path: Source("{")})
    listed = prompt_completions(open_brace, file_of(open_brace, PROMPT), 1)
    assert {"uv-issue", "uv-iteration", "input_text"} <= {item.label for item in listed.items}
    assert prompt_completions(changed, file_of(changed, PROMPT), 2).items == ()


def test_the_prompt_of_a_section_is_completed_by_facts_about_the_project(agent: AgentFolder) -> None:
    registry = json.loads(agent.registry.source.text)
    registry["steps"]["section.project"] = {"stepId": "section.project", "name": "P", "c2": "section", "c3": "project"}
    agent.registry.path.write_text(json.dumps(registry), "utf-8")
    prompt = agent.registry.path.parent / "prompts/steps/section/project/f_default.md"
    prompt.parent.mkdir(parents=True)
    prompt.write_text("{uv-project_t", "utf-8")
    opened = open_agent(agent.registry.path)
    assert isinstance(opened, AgentFolder)
    file = opened.text(prompt)
    assert isinstance(file, TextFile)
    found = prompt_completions(opened, file, len(file.source.text))
    assert [item.label for item in found.items] == ["uv-project_title"]
    of_step = opened.with_buffers({agent.registry.path.parent / PROMPT: Source("{uv-project_t")})
    assert prompt_completions(of_step, file_of(of_step, PROMPT), 13).items == ()


def test_files_of_no_agent_name_nothing(agent: AgentFolder, tmp_path: Path) -> None:
    stray = TextFile(tmp_path / "notes.txt", Source("{uv-issue}"))
    assert target_at(agent, stray, 3) is None


def test_a_retry_prompt_is_found_from_its_pattern_and_from_its_checks(agent: AgentFolder) -> None:
    pattern = definitions_at(agent, *named(agent, REGISTRY, '"failurePatterns"', '"failed"'))
    assert [place.document.path.name for place in pattern] == ["f_failed_git-dirty.md"]
    checks = definitions_at(agent, *named(agent, REGISTRY, '"validationSteps"', '"issue"'))
    assert {place.document.path.name for place in checks} == {"f_failed_git-dirty.md", "f_failed_type-error.md"}


def test_a_parameter_is_renamed_in_the_lists_and_prompts(agent: AgentFolder) -> None:
    subject = renamable_at(agent, *named(agent, PROMPT, "", "{uv-issue}"))
    assert isinstance(subject, CursorTarget)
    found = renaming(agent, subject, "ticket").plan
    assert isinstance(found, Plan)
    changed = agent.with_buffers(
        {path: Source(apply(source_of(agent, path), edits)) for path, edits in found.edits.items()}
    )
    assert changed.agent is not None
    assert "ticket" in [each.name for each in changed.agent.parameters]
    assert references_at(changed, *named(changed, PROMPT, "", "{uv-ticket}"))[0].document.path.name == "agent.json"
    assert [each.code for each in lint(changed) if each.code in {"SF508", "SF509", "SF510"}] == []
    assert "--issue" in found.notes[0]


@pytest.mark.parametrize(
    ("new", "why"), [("two words", "letters"), ("iteration", "runner"), ("issue", ""), ("", "letters")]
)
def test_names_that_a_parameter_cannot_have(agent: AgentFolder, new: str, why: str) -> None:
    subject = renamable_at(agent, *named(agent, "agent.json", '"parameters"', '"issue"'))
    assert isinstance(subject, CursorTarget)
    found = renaming(agent, subject, new).plan
    if why:
        assert isinstance(found, Refusal)
        assert why in found.reason
    else:
        assert isinstance(found, Plan)
        assert found.edits == {}


def test_what_the_runner_gives_is_not_renamed(agent: AgentFolder) -> None:
    prompt = agent.registry.path.parent / PROMPT
    changed = agent.with_buffers({prompt: Source("{uv-iteration}")})
    found = renamable_at(changed, file_of(changed, PROMPT), 5)
    assert isinstance(found, Refusal)
    assert "given otherwise" in found.reason


def source_of(agent: AgentFolder, path: Path) -> str:
    found = agent.document(path) if path.suffix == ".json" else agent.text(path)
    assert isinstance(found, ParsedFile | TextFile)
    return found.source.text
