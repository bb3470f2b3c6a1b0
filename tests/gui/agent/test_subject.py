"""What can be chosen in lines of an agent.json, and what becomes of what a person does to them."""

import json
from pathlib import Path
from typing import Any

from stepflow_gui.formats.changes import SetField
from stepflow_gui.gui.agent.agent_target import AgentTarget
from stepflow_gui.gui.agent.parts import agent_form
from stepflow_gui.gui.inspector.forms.choices import has_choices
from stepflow_gui.gui.inspector.forms.form_fields import FormField
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.creating.example import copy_example
from tests.gui.agent.test_parts import sections_of
from tests.gui.inspector.forms.test_lines import all_lines


def opened(tmp_path: Path, change: Any = None) -> tuple[AgentTarget, dict[str, FormField], Path]:
    folder = copy_example(into=tmp_path / "project")
    path = next(folder.rglob("agent.json"))
    value = json.loads(path.read_text("utf-8"))
    if change is not None:
        change(value["runner"])
        path.write_text(json.dumps(value), "utf-8")
    found = open_agent(folder)
    assert isinstance(found, AgentFolder)
    assert found.agent is not None
    form = agent_form(found.agent)
    return AgentTarget(found, found.agent), {line.pointer: line for line in all_lines(sections_of(form))}, path


def test_what_can_be_chosen(tmp_path: Path) -> None:
    subject, lines, _path = opened(tmp_path)
    wanted = {
        "/runner/verdict/type": "detect:graph",
        "/runner/flow/systemPromptPath": "prompts/system.md",
        "/runner/flow/prompts/registry": "steps_registry.json",
        "/runner/flow/prompts/fallbackDir": "prompts",
        "/runner/boundaries/allowedTools/0": "WebFetch",
        "/runner/boundaries/permissionMode": "bypassPermissions",
        "/runner/logging/format": "text",
    }
    for pointer, choice in wanted.items():
        assert has_choices(lines[pointer]), pointer
        assert choice in subject.choices(lines[pointer]), pointer
    assert not has_choices(lines["/name"])


def test_steps_can_be_named_as_the_entry(tmp_path: Path) -> None:
    def graph(runner: Any) -> None:
        runner["verdict"] = {"type": "detect:graph", "config": {"entryStep": "x"}}

    subject, lines, _path = opened(tmp_path, graph)
    assert "initial.issue" in subject.choices(lines["/runner/verdict/config/entryStep"])


def test_an_element_of_a_list_that_isnt_there_begins_it(tmp_path: Path) -> None:
    subject, lines, path = opened(tmp_path, lambda runner: runner["boundaries"].pop("allowedTools"))
    line = lines["/runner/boundaries/allowedTools"]
    assert line.absent
    assert subject.add_item(line) == SetField("/runner/boundaries/allowedTools", [""], path)


def test_new_elements_are_the_plainest_that_fit(tmp_path: Path) -> None:
    def composite(runner: Any) -> None:
        runner["verdict"] = {"type": "meta:composite", "config": {"operator": "or", "conditions": []}}

    subject, lines, path = opened(tmp_path, composite)
    where = "/runner/verdict/config/conditions"
    condition = {"type": "count:iteration", "config": {"maxIterations": 10}}
    assert subject.add_item(lines[where]) == SetField(f"{where}/0", condition, path)
    (sandbox,) = [field for field in lines["/runner/boundaries"].missing if field.name == "sandbox"]
    assert subject.add_field("/runner/boundaries", sandbox) == SetField("/runner/boundaries/sandbox", {}, path)
