"""The files of a step: where they are looked for, which is taken, and with what a missing one begins."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.prompts import read_prompt
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import Base, changed
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.project.step_file import StepFile
from stepflow_gui.project.step_files import files_by_step, new_text, step_files
from tests.project.conftest import AGENT, REGISTRY, Project

STEP = "initial.issue"


def opened(path: Path) -> AgentFolder:
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    return agent


def file_of(agent: AgentFolder, step: str, kind: str) -> StepFile:
    return next(file for file in step_files(agent, agent.flow.steps[step]) if file.kind == kind)


def shown(agent: AgentFolder, file: StepFile) -> list[str]:
    return [path.relative_to(agent.root).as_posix() for path in file.tried]


def with_step(project: Project, **fields: Any) -> AgentFolder:
    changed = {**REGISTRY, "steps": {STEP: REGISTRY["steps"][STEP] | fields}}
    project.write(".agent/demo/steps_registry.json", changed)
    return opened(project.registry)


def test_every_path_that_is_tried_is_reported_also_where_there_is_none(project: Project) -> None:
    project.write(".agent/demo/agent.json", _with_fallback("spare"))
    agent = with_step(project, edition="failed", adaptation="late")
    file = file_of(agent, STEP, "prompt")
    assert file.found is None
    tail, plain = "steps/initial/issue/f_failed_late.md", "steps/initial/issue/f_failed.md"
    assert shown(agent, file) == [
        f".agent/demo/{folder}/{name}" for name in (tail, plain) for folder in ("prompts", "spare")
    ]
    project.write(f".agent/demo/spare/{tail}", "x")
    assert file_of(opened(project.registry), STEP, "prompt").found == file.tried[1]


def _with_fallback(folder: str) -> dict[str, Any]:
    runner = AGENT["runner"]
    prompts = {"registry": "steps_registry.json", "fallbackDir": folder}
    return {**AGENT, "runner": {**runner, "flow": {**runner["flow"], "prompts": prompts}}}


@pytest.mark.parametrize("fields", [{"c3": 5}, {"c2": None}, {"c3": "{issue}"}])
def test_a_step_without_a_prompt_address(project: Project, fields: dict[str, Any]) -> None:
    assert file_of(with_step(project, **fields), STEP, "prompt").tried == ()


def test_no_path_points_outside(project: Project) -> None:
    assert file_of(with_step(project, c3="../../../../../../../x"), STEP, "prompt").tried == ()


def test_closing_steps_have_retry_prompts_and_those_of_the_closing_action(tmp_path: Path) -> None:
    folder = copy_example(into=tmp_path)
    agent = opened(folder)
    kinds = {file.kind: file.name for file in step_files(agent, agent.flow.steps["closure.issue"])}
    assert kinds == {"prompt": "", "schema": "issue.schema.json", "failure-prompt": "type-error"}
    assert all(file.found for files in files_by_step(agent).values() for file in files)
    assert agent.agent is not None
    definition = json.loads(agent.agent.document.source.text)
    definition["runner"].setdefault("integrations", {})["github"] = {"defaultClosureAction": "label-only"}
    agent.agent.document.path.write_text(json.dumps(definition), "utf-8")
    file = file_of(opened(folder), "closure.issue", "closing-prompt")
    assert (file.name, file.found) == ("label-only", file.tried[1])
    assert [path.name for path in file.tried] == ["f_default_label-only.md", "f_default.md"]


def test_what_is_begun_settles_the_findings(tmp_path: Path) -> None:
    agent = opened(copy_example(into=tmp_path))
    before = len(lint(agent))
    for files in files_by_step(agent).values():
        for path in {file.found for file in files if file.found}:
            path.unlink(missing_ok=True)
    bare = opened(agent.registry.path)
    assert len(lint(bare)) > before
    for step_id, files in files_by_step(bare).items():
        for file in files:
            path = file.tried[0]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(new_text(bare, bare.flow.steps[step_id], file), "utf-8")
    codes = {found.code for found in lint(opened(agent.registry.path))}
    assert not codes & {"SF506", "SF608", "SF701", "SF702", "SF201", "SF202", "SF508", "SF509"}


def test_a_new_prompt_has_front_matter_and_the_variables_of_the_step(project: Project) -> None:
    agent = with_step(project, name='Say: "yes" #1', uvVariables=["issue", "uv-issue", "round"], usesStdin=True)
    text = new_text(agent, agent.flow.steps[STEP], file_of(agent, STEP, "prompt"))
    assert text.startswith('---\ntitle: "Say: \\"yes\\" #1"\n---\n\n# Say: "yes" #1\n')
    prompt = read_prompt(text)
    assert (prompt.names, prompt.reads_input) == (["issue", "round"], True)
    assert text[prompt.start :].lstrip().startswith("# Say")


@pytest.mark.parametrize("base", ["c3l", "adt-kind-address"])
def test_the_plain_prompt_stands_in_for_an_adaptation(tmp_path: Path, base: Base) -> None:
    holder = "address/" if base == "adt-kind-address" else ""
    changes = {
        f"/steps/initial.issue/{holder}adaptation": "late",
        "agent.json#/runner/integrations": {"github": {"enabled": True, "defaultClosureAction": "label-only"}},
    }
    for name, text in files_of(changed(changes, base=base)).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    agent = opened(tmp_path)
    own, closing = file_of(agent, STEP, "prompt"), file_of(agent, "closure.issue", "closing-prompt")
    for file, names in ((own, ("late", "default")), (closing, ("label-only", "default"))):
        assert [path.name for path in file.tried] == [f"f_default_{names[0]}.md", "f_default.md"]
        assert file.found == file.tried[1]
        file.tried[0].write_text("x")
    agent = opened(tmp_path)
    assert file_of(agent, STEP, "prompt").found == own.tried[0]
    assert file_of(agent, "closure.issue", "closing-prompt").found == closing.tried[0]
