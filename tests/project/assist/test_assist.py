"""Completion, definitions and references in a registry, as somebody edits it."""

import json
from pathlib import Path

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.assist.completion import Completions, around, completions_at
from stepflow_gui.project.assist.go_to import definitions_at, references_at
from stepflow_gui.project.assist.hover import about
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.context import context_at
from stepflow_gui.text.source import Source


def edited(agent: AgentFolder, old: str, new: str) -> tuple[AgentFolder, int]:
    """The agent with the first `old` of the registry replaced by `new`, and the offset of its `|`."""
    text = agent.registry.source.text
    at = text.index(old)
    caret = at + new.index("|")
    changed = text[:at] + new.replace("|", "", 1) + text[at + len(old) :]
    return agent.with_buffers({agent.registry.path: Source(changed)}), caret


def complete(agent: AgentFolder, old: str, new: str) -> Completions:
    changed, caret = edited(agent, old, new)
    return completions_at(changed, changed.registry, caret)


def labels(found: Completions) -> list[str]:
    return [item.label for item in found.items]


def after(agent: AgentFolder, old: str, new: str, label: str) -> str:
    """The text once a completion is taken."""
    changed, caret = edited(agent, old, new)
    found = completions_at(changed, changed.registry, caret)
    item = next(item for item in found.items if item.label == label)
    text = changed.registry.source.text
    return text[: found.span.start] + item.text + text[found.span.end :]


def test_a_target_is_completed_by_the_steps(agent: AgentFolder) -> None:
    found = complete(agent, '"target": "continuation.issue"', '"target": "|"')
    assert labels(found) == ["initial.issue", "continuation.issue"]  # “next” of a work step neither closes nor ends
    ends = complete(agent, '"closing": { "target": null', '"closing": { "target": |')
    assert labels(ends)[-1:] == ["null"]
    back = complete(agent, '"repeat": { "target": "initial.issue"', '"repeat": { "target": "|"')
    assert "null" not in labels(back)
    typed = complete(agent, '"handoff": { "target": "closure.issue"', '"handoff": { "target": "clo|"')
    assert labels(typed) == ["closure.issue"]
    written = after(agent, '"target": "continuation.issue"', '"target": "cont|sur"', "continuation.issue")
    assert '"target": "continuation.issue"' in written
    json.loads(written)


def test_while_a_string_is_still_open_it_is_completed_too(agent: AgentFolder) -> None:
    written = after(agent, '"target": "continuation.issue" }', '"target": "con|\n }', "continuation.issue")
    json.loads(written)


def test_keys_of_a_step_are_offered_that_it_lacks(agent: AgentFolder) -> None:
    found = complete(agent, '"stepKind": "work",', '"stepKind": "work", |')
    assert "model" in labels(found)
    assert "stepKind" not in labels(found)
    assert "transitions" not in labels(found)
    assert all(item.detail for item in found.items)
    written = after(agent, '"stepKind": "work",', '"stepKind": "work", "mo|",', "model")
    assert '"model": ""' in written or '"model":' in written


def test_transitions_are_completed_by_the_gates_intents_first(agent: AgentFolder) -> None:
    found = complete(agent, '"next": { "target": "continuation.issue" }', '"|"')
    assert labels(found)[0] == "next"
    assert "closing" not in labels(found)


def test_intents_of_the_gate_are_those_of_the_kind(agent: AgentFolder) -> None:
    found = complete(agent, '"allowedIntents": [', '"allowedIntents": ["|", ')
    assert {"next", "repeat", "handoff"} <= set(labels(found))
    assert "closing" not in labels(found)


def test_a_schema_is_completed_by_the_names_in_its_file(agent: AgentFolder) -> None:
    found = complete(agent, '"schema": "initial.issue"', '"schema": "|"')
    assert {"initial.issue", "continuation.issue", "closure.issue"} <= set(labels(found))
    files = complete(agent, '"file": "issue.schema.json"', '"file": "|"')
    assert "issue.schema.json" in labels(files)


def test_booleans_and_choices(agent: AgentFolder) -> None:
    assert labels(complete(agent, '"failFast": true', '"failFast": |')) == ["true", "false"]
    assert set(labels(complete(agent, '"stepKind": "work"', '"stepKind": "|"'))) == {"work", "verification", "closure"}


def test_where_nothing_can_stand_nothing_is_offered(agent: AgentFolder) -> None:
    assert labels(complete(agent, '"failFast": true', '"failFast": true |')) == []


def test_a_target_goes_to_its_step(agent: AgentFolder) -> None:
    text = agent.registry.source.text
    (place,) = definitions_at(agent, agent.registry, text.index('"closure.issue"', text.index('"handoff": {')) + 3)
    assert place.pointer == "/steps/closure.issue"
    assert text[place.span.start : place.span.end] == '"closure.issue"'


def test_a_schema_name_goes_into_the_schema_file(agent: AgentFolder) -> None:
    text = agent.registry.source.text
    (place,) = definitions_at(agent, agent.registry, text.index('"schema": "initial.issue"') + 14)
    assert place.document.path.name == "issue.schema.json"
    assert place.pointer.endswith("initial.issue")
    (file,) = definitions_at(agent, agent.registry, text.index('"file": "issue.schema.json"') + 12)
    assert file.document.path.name == "issue.schema.json"


def test_a_validator_and_its_pattern_are_found(agent: AgentFolder) -> None:
    text = agent.registry.source.text
    (place,) = definitions_at(agent, agent.registry, text.index('"validator": "git-clean"') + 16)
    assert place.pointer == "/validators/git-clean"
    pattern = json.loads(text)["validators"]["git-clean"]["failurePattern"]
    (place,) = definitions_at(agent, agent.registry, text.index(f'"failurePattern": "{pattern}"') + 20)
    assert place.pointer == f"/failurePatterns/{pattern}"


def test_every_place_of_a_step_is_listed_its_key_first(agent: AgentFolder) -> None:
    text = agent.registry.source.text
    found = references_at(agent, agent.registry, text.index('"continuation.issue"') + 2)
    assert found[0].pointer == "/steps/continuation.issue"
    pointers = {place.pointer for place in found}
    assert "/steps/initial.issue/transitions/next/target" in pointers
    assert "/steps/continuation.issue/stepId" in pointers
    assert {place.document.path.name for place in found} >= {"steps_registry.json", "issue.schema.json"}
    for place in found:
        assert "continuation.issue" in place.document.source.text[place.span.start : place.span.end]


def test_every_place_of_a_validator_is_listed(agent: AgentFolder) -> None:
    text = agent.registry.source.text
    found = references_at(agent, agent.registry, text.index('"validator": "git-clean"') + 16)
    assert len(found) == text.count('"git-clean"')


def test_an_intents_places_are_its_contract(agent: AgentFolder) -> None:
    text = agent.registry.source.text
    found = references_at(agent, agent.registry, text.index('"handoff": {') + 3)
    assert {place.document.path.name for place in found} == {"steps_registry.json", "issue.schema.json"}
    assert len(found) == 3


def told(agent: AgentFolder, before: str, more: int = 2) -> str:
    found = about(agent, agent.registry, agent.registry.source.text.index(before) + more)
    return "\n".join(found.lines) if found else ""


def test_what_a_field_means_is_reported(agent: AgentFolder) -> None:
    assert "fallback" not in told(agent, '"failFast"')
    assert told(agent, '"failFast"')
    assert "Work on the issue" in told(agent, '"target": "continuation.issue"', 14)
    assert told(agent, "{", 0) == ""


def test_agent_json_is_completed_by_its_own_table(agent: AgentFolder) -> None:
    document = agent.agent_document
    assert document is not None
    text = document.source.text
    at = text.index('"poll:state"') + 1
    found = completions_at(agent, document, at)
    assert "count:iteration" in labels(found)


def test_paths_of_agent_json_are_those_that_are_there(agent: AgentFolder) -> None:
    document = agent.agent_document
    assert document is not None
    at = document.source.text.index('"prompts/system.md"') + 1
    assert "prompts/system.md" in labels(completions_at(agent, document, at))
    at = document.source.text.index('"steps_registry.json"') + 1
    assert labels(completions_at(agent, document, at))[0] == "steps_registry.json"


def test_every_name_of_every_real_registry_is_found_or_dangles(corpus: Path) -> None:
    for path in sorted((corpus / "climpt").rglob("steps_registry.json"))[::4]:
        agent = open_agent(path)
        assert isinstance(agent, AgentFolder)
        for step in agent.flow.steps.values():
            for rule in step.transitions:
                if rule.target is None or rule.target.value not in agent.flow.steps:
                    continue
                places = definitions_at(agent, agent.registry, rule.target.span.start + 1)
                assert [place.pointer for place in places] == [agent.flow.steps[rule.target.value].pointer], path


def test_completion_at_any_caret_of_a_real_registry_gives_json_or_nothing(corpus: Path) -> None:
    path = corpus / "climpt/iterator/034-47591d2/steps_registry.json"
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    text = agent.registry.source.text
    for offset in range(0, len(text), 997):
        document = ParsedFile.read(path, Source(text))
        found = completions_at(agent, document, offset)
        assert found.span.start <= offset <= found.span.end


def test_looking_only_around_the_caret_finds_the_same(corpus: Path) -> None:
    path = corpus / "climpt/iterator/034-47591d2/steps_registry.json"
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    text = agent.registry.source.text
    for offset in range(1, len(text) - 1, 211):
        start, known = around(agent.registry, offset)
        assert context_at(text, offset, start, known) == context_at(text, offset), offset
