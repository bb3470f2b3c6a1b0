"""Whatever the files contain: linting ends, raises nothing, and points into the text."""

import copy
import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import changed
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source

FILES = files_of(changed())
NAMES = st.sampled_from(["steps_registry.json", "agent.json", "schemas/issue.schema.json"])
TOKENS = [
    "",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "'",
    "//",
    "\\",
    "null",
    "7",
    "\0",
    "\ud800",
    "\u2028",
    "<<<<<<< a\n",
    "{{X}}",
]
SCALARS = st.sampled_from([None, True, False, 0, -1, 1.5, 1e400, "", "next", "closing", "abort", "a.b", "#/", "\ud800"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["", "a", "target"]), inner, max_size=3)
    ),
)


def places(value: Any, pointer: str = "") -> list[str]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [pointer, *(where for key, inner in below for where in places(inner, join(pointer, key)))]


PLACES = {name: places(json.loads(text)) for name, text in FILES.items() if name.endswith(".json")}


def put(content: Any, keys: list[str], value: Any) -> Any:
    if not keys:
        return value
    holder = content
    for key in keys[:-1]:
        holder = holder[int(key) if isinstance(holder, list) else key]
    holder[int(keys[-1]) if isinstance(holder, list) else keys[-1]] = value
    return content


def check(agent: AgentFolder, folder: Path, texts: dict[str, str]) -> None:
    edited = agent.with_buffers({folder / name: Source(text) for name, text in texts.items()})
    found = lint(edited)
    assert found == lint(edited)
    for diagnostic in found:
        inside(diagnostic, folder, texts)


def inside(diagnostic: Diagnostic, folder: Path, texts: dict[str, str]) -> None:
    name = diagnostic.file.relative_to(folder).as_posix()
    length = len(texts.get(name, FILES[name]))
    assert 0 <= diagnostic.range.start.offset <= diagnostic.range.end.offset <= length
    assert diagnostic.message.strip()


def opened(folder: Path) -> AgentFolder:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    (folder / "stepflow.toml").touch()
    agent = open_agent(folder)
    assert isinstance(agent, AgentFolder)
    return agent


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_broken_texts(data: st.DataObject, tmp_path: Path) -> None:
    agent = opened(tmp_path)
    name = data.draw(NAMES)
    text = FILES[name]
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 40)))
        text = text[:start] + data.draw(st.sampled_from(TOKENS)) + text[end:]
    check(agent, tmp_path, {name: text})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_values_of_any_type_anywhere(data: st.DataObject, tmp_path: Path) -> None:
    agent = opened(tmp_path)
    name = data.draw(NAMES)
    content = json.loads(FILES[name])
    for _ in range(data.draw(st.integers(1, 3))):
        keys = data.draw(st.sampled_from(PLACES[name])).split("/")[1:]
        try:
            content = put(copy.deepcopy(content), keys, data.draw(VALUES))
        except (KeyError, IndexError, TypeError, ValueError):  # the place went with an earlier change
            continue
    check(agent, tmp_path, {name: json.dumps(content, indent=2)})
