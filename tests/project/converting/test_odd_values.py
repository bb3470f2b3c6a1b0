"""Any value in a registry in place of what belongs there: it is converted or refused, and nothing breaks."""

import copy
import json
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats import layout_sidecar
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.converting.conversion import Conversion, convert
from stepflow_gui.project.converting.writing import changes_of
from stepflow_gui.text.document import ParsedFile
from tests.project.converting.agents import Json, converted, from_template, on_disk, opened, value

ODD: tuple[Any, ...] = (None, 1, "x", [], {}, True, ["a", 1], {"a": None})
AGENT: Json = {"name": "demo", "behavior": {"completionType": "stepFlow"}}


def places(held: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ()
    for key, each in inner:
        yield (*at, key)
        yield from places(each, (*at, key))


def replaced(held: Json, at: tuple[Any, ...], odd: Any) -> Json:
    made = copy.deepcopy(held)
    holder: Any = made
    for key in at[:-1]:
        holder = holder[key]
    holder[at[-1]] = odd
    return made


@pytest.mark.parametrize("target", ["c3l", "adt-kind-address"])
@pytest.mark.parametrize("template", ["complete-flow", "check-flow", "issue-flow", "addressed-flow"])
def test_odd_values_break_nothing(template: str, target: str, checkout: Path, tmp_path: Path) -> None:
    agent = from_template(tmp_path / "sound", checkout, template)
    registry = value(agent)
    listed = list(places(registry))
    assert len(listed) > 20
    for number, (at, odd) in enumerate(zip(listed, cycle(ODD))):
        made = on_disk(tmp_path / str(number), replaced(registry, at, odd), AGENT)
        found = convert(made.read_as(agent.flow.format), target, "enum" if number % 2 else "verification")
        assert isinstance(found, Conversion | Refusal), (at, odd)


@pytest.mark.parametrize("odd", ODD)
def test_a_kind_that_is_no_text_is_made_from_the_c2(odd: Any, checkout: Path, tmp_path: Path) -> None:
    agent = from_template(tmp_path / "sound", checkout, "issue-flow")
    registry = value(agent)
    first = next(iter(registry["steps"]))
    made = on_disk(tmp_path / "odd", replaced(registry, ("steps", first, "stepKind"), odd), AGENT)
    assert value(converted(made, "adt-kind-address").after)["steps"][first]["kind"] == "work"


@pytest.fixture
def complete(tmp_path: Path, checkout: Path) -> AgentFolder:
    return from_template(tmp_path, checkout, "complete-flow")


def test_line_ends_and_the_mark_at_the_beginning_stay(complete: AgentFolder) -> None:
    path = complete.registry.path
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    found = converted(opened(complete.folder))
    after = next(change.after for change in changes_of(found) if change.path == path)
    assert after.bom
    assert after.text.count("\n") == after.text.count("\r\n") > 50


def test_steps_stay_at_their_places_on_the_canvas(complete: AgentFolder) -> None:
    layout = complete.layout_file
    layout.parent.mkdir()
    layout.write_text(json.dumps({"version": 1, "steps": {"complete.issue": [10, 20], "initial.issue": [1, 2]}}))
    found = converted(opened(complete.folder))
    after = next(change.after for change in changes_of(found) if change.path == layout)
    kept = layout_sidecar.positions(ParsedFile.read(layout, after))
    assert set(kept) == {"closure.issue", "initial.issue"}


@pytest.mark.parametrize("target", ["closing", "c3l"])
def test_nothing_is_written_outside_the_project(complete: AgentFolder, target: str, tmp_path: Path) -> None:
    registry = value(complete)
    registry["steps"]["initial.issue"]["outputSchemaRef"] = {"file": "../../../../beyond/new.json", "schema": "x"}
    complete.registry.path.write_text(json.dumps(registry))
    found = convert(opened(complete.folder), target)
    assert isinstance(found, Refusal)
    assert "“../beyond/new.json”" in found.reason


def test_prompts_are_moved_to_no_folder_outside_the_project(checkout: Path, tmp_path: Path) -> None:
    agent = from_template(tmp_path / "inner", checkout, "check-flow")
    beyond = tmp_path / "beyond"
    (agent.folder / "prompts").rename(beyond)
    (agent.folder / "prompts").symlink_to(beyond, target_is_directory=True)
    found = convert(opened(agent.folder), "closing")
    assert isinstance(found, Refusal)
    assert "outside the project" in found.reason


def test_odd_values_in_a_schema_break_nothing(checkout: Path, tmp_path: Path) -> None:
    agent = from_template(tmp_path, checkout, "complete-flow")
    schema = next(agent.folder.rglob("*.schema.json"))
    sound = json.loads(schema.read_text("utf-8"))
    listed = [at for at in places(sound) if at[-1] in {"properties", "enum", "type", "required"} or len(at) < 3]
    assert len(listed) > 20
    for at, odd in zip(listed, cycle(ODD)):
        schema.write_text(json.dumps(replaced(sound, at, odd)), "utf-8")
        found = convert(opened(agent.folder), "c3l", "verification")
        assert isinstance(found, Conversion | Refusal), (at, odd)
