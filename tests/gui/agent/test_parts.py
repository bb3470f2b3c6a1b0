"""The form of real agent.json files: every member on exactly one line, defaults shown, the verdict by its type."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.agent.agent_file import AgentDefinition, read_agent
from stepflow_gui.formats.climpt.agent.fields import ABOUT, RUNNER, VERDICTS
from stepflow_gui.gui.agent.parts import GROUPS, AgentForm, agent_form, parameter_section, titles
from stepflow_gui.gui.inspector.forms.form_fields import FormField, FormSection
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.formats.agent.agents import CODE_IMPROVER, ITERATOR, changed
from tests.gui.inspector.forms.test_lines import all_lines, check


def agent_of(value: Any) -> AgentDefinition:
    text = value if isinstance(value, str) else json.dumps(value)
    return read_agent(ParsedFile.read(Path("agent.json"), Source(text)))


def sections_of(form: AgentForm) -> list[FormSection]:
    return [*form.about, *form.flow, *form.verdict, *form.rest]


def lines_of(value: Any) -> dict[str, FormField]:
    return {line.pointer: line for line in all_lines(sections_of(agent_form(agent_of(value))))}


def config_of(verdict: str, config: dict[str, Any]) -> list[tuple[str, bool]]:
    """The settings that are shown for a type, and whether the file has them."""
    made = changed("/runner/verdict", {"type": verdict, "config": config})
    prefix = "/runner/verdict/config/"
    found = lines_of(made)
    return [
        (pointer.removeprefix(prefix), not line.absent)
        for pointer, line in found.items()
        if pointer.startswith(prefix) and "/" not in pointer.removeprefix(prefix)
    ]


def test_every_member_of_every_real_file_is_on_exactly_one_line(corpus: Path) -> None:
    layouts = set()
    for path in sorted((corpus / "climpt").rglob("agent.json")):
        agent = agent_of(path.read_text("utf-8"))
        root = agent.document.root
        if root is None or not isinstance(root.value, dict):
            continue
        layouts.add(agent.layout)
        form = agent_form(agent)
        rest = {key: inner for key, inner in root.value.items() if key != "parameters"}
        # An object whose fields are in two parts of the form has no line of its own.
        found = [*all_lines(sections_of(form)), *holders(rest)]
        check(rest, found, "")
        for name in form.parameters:
            section = parameter_section(agent, name)
            check(root.value["parameters"][name], all_lines(section), f"/parameters/{name}")
    assert layouts == {"runner", "flat"}


def holders(value: dict[str, Any]) -> list[FormField]:
    names = [name for name in ("runner", "behavior") if isinstance(value.get(name), dict)]
    return [FormField(f"/{name}", name, 0, "group", "field", value[name], None) for name in names]


def test_the_seven_groups_are_always_there_with_what_counts() -> None:
    form = agent_form(agent_of({"name": "a", "runner": {}}))
    assert [section.title for section in (*form.flow, *form.verdict, *form.rest)] == [titles()[name] for name in GROUPS]
    found = lines_of({"name": "a", "runner": {}})
    defaults = {
        pointer.removeprefix("/runner/"): line.field.default
        for pointer, line in found.items()
        if line.field and line.absent
    }
    assert defaults["flow/prompts/registry"] == "steps_registry.json"
    assert defaults["verdict/type"] == "count:iteration"
    assert defaults["verdict/config/maxIterations"] == 10
    assert defaults["boundaries/allowedTools"] == ["*"]
    assert defaults["boundaries/permissionMode"] == "plan"
    assert defaults["integrations/github/enabled"] is True
    assert defaults["execution/worktree/enabled"] is False
    assert defaults["logging/directory"] == "logs"
    assert "actions/enabled" not in defaults  # needed only where there are actions at all


def test_every_field_of_the_table_is_in_the_form_or_can_be_added() -> None:
    form = agent_form(agent_of({"name": "a", "runner": {}}))
    shown = [line.key for section in form.about for line in section.lines]
    offered = [field.name for section in form.about for field in section.missing]
    left = {field.name for field in ABOUT} - {*shown, *offered, "parameters"}
    assert not left, f"the form of agent.json doesn't show {left}"
    left = {field.name for field in RUNNER.fields if not field.newer} - {*GROUPS}
    assert not left, f"GROUPS and titles() of stepflow_gui/gui/agent/parts.py don't have {left}"


@pytest.mark.parametrize("verdict", VERDICTS)
def test_the_settings_are_those_of_the_type(verdict: str) -> None:
    told = VERDICTS[verdict]
    shown = config_of(verdict, {})
    plain = [name for name in told.needed if name != "conditions"]
    assert [name for name, _there in shown if name in plain] == plain
    assert {name for name, there in shown} <= {*told.needed, *told.also}
    assert not any(there for _name, there in shown)
    kind = lines_of(changed("/runner/verdict", {"type": verdict}))["/runner/verdict/type"]
    assert told.meaning() in kind.meaning


def test_other_types_limits_have_the_guides_default() -> None:
    found = lines_of(changed("/runner/verdict", {"type": "poll:state", "config": {}}))
    limit = found["/runner/verdict/config/maxIterations"]
    assert limit.field is not None
    assert limit.field.default == 20


def test_a_setting_that_the_type_doesnt_read_is_kept_and_reported_so() -> None:
    made = changed("/runner/verdict", {"type": "count:iteration", "config": {"verdictKeyword": "x", "odd": 1}})
    found = lines_of(made)
    assert "doesn’t read this" in found["/runner/verdict/config/verdictKeyword"].meaning
    assert not found["/runner/verdict/config/odd"].known


def test_conditions_are_verdicts_to_any_depth() -> None:
    inner = {"type": "meta:composite", "config": {"operator": "and", "conditions": [{"type": "detect:keyword"}]}}
    made = changed("/runner/verdict", {"type": "meta:composite", "config": {"operator": "or", "conditions": [inner]}})
    found = lines_of(made)
    deep = "/runner/verdict/config/conditions/0/config/conditions/0"
    assert "detect:keyword" in found[f"{deep}/type"].shape.choices  # type: ignore[union-attr]
    assert found[f"{deep}/config/verdictKeyword"].absent
    assert found["/runner/verdict/config/conditions/0/config/operator"].value == "and"


def test_the_older_layout_is_shown_as_it_is() -> None:
    form = agent_form(agent_of(CODE_IMPROVER))
    assert form.place == ("/behavior", "completionType", "completionConfig")
    found = lines_of(CODE_IMPROVER)
    assert found["/behavior/completionType"].value == "stepFlow"
    assert "/runner" not in "".join(found)
    missing = {field.name for section in form.flow for field in section.missing}
    assert {"defaultModel", "sandboxConfig"} <= missing


def test_half_moved_parts_stand_among_the_others_with_their_place_of_today() -> None:
    value = {"name": "a", "runner": {"flow": {}, "odd": 1}, "logging": {"directory": "x"}, "note": [1]}
    form = agent_form(agent_of(value))
    assert [section.title for section in form.rest[-2:]] == ["runner", "More"]
    found = lines_of(value)
    assert found["/logging"].field is not None
    assert found["/logging"].field.newer == "/runner/logging"
    assert found["/logging/directory"].value == "x"
    assert not found["/runner/odd"].known
    assert not found["/note"].known


def test_the_name_that_the_verdict_had_before() -> None:
    value = {"name": "a", "runner": {"completion": {"type": "iterate", "config": {"maxIterations": 2}}}}
    form = agent_form(agent_of(value))
    assert form.place == ("/runner/completion", "type", "config")
    assert [line.pointer for line in all_lines(form.verdict)][:2] == ["/runner/completion", "/runner/completion/type"]
    assert "/runner/verdict" not in lines_of(value)


@pytest.mark.parametrize("value", [{"name": "a", "runner": 3}, {"behavior": [1]}, {"parameters": 1, "runner": {}}, {}])
def test_what_has_another_type_is_shown_as_json(value: dict[str, Any]) -> None:
    found = list(lines_of(value).values())
    wrong = [line for line in found if not line.fits]
    assert {line.pointer for line in wrong} == {f"/{key}" for key, inner in value.items() if inner in (3, [1], 1)}
    assert all(line.control == "json" for line in wrong)


def test_parameters_of_the_reference() -> None:
    agent = agent_of(ITERATOR)
    assert agent_form(agent).parameters == ["issue", "iterateMax", "resume"]
    (section,) = parameter_section(agent, "iterateMax")
    assert {line.key: line.value for line in section.lines}["default"] == 500
