"""The verdicts of an agent: its own, and those that a composite combines, to any depth."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.formats.climpt.agent.layouts import verdict_today
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

OWN = "/runner/verdict"
_DEEPEST = 20


class WrittenVerdict(NamedTuple):
    """A verdict under today's names, and its pointer; `written` is its type as the file has it."""

    pointer: str
    type: str | None
    written: str | None
    config: dict[str, JsonValue] | None
    given: dict[str, JsonValue]


def verdicts(agent: AgentFile) -> Iterator[WrittenVerdict]:
    """The agent's own verdict first."""
    own = agent.value(OWN)
    if not isinstance(own, dict):
        return
    written = agent.written(f"{OWN}/type")
    stack: list[tuple[str, dict[str, JsonValue], JsonValue, int]] = [(OWN, own, written, 0)]
    while stack:
        pointer, given, declared, depth = stack.pop()
        verdict = _verdict(pointer, given, declared)
        yield verdict
        conditions = (verdict.config or {}).get("conditions")
        if isinstance(conditions, list) and depth < _DEEPEST:
            where = join(pointer, "config", "conditions")
            below = [
                (join(where, index), condition, condition.get("type"), depth + 1)
                for index, condition in enumerate(conditions)
                if isinstance(condition, dict)
            ]
            stack.extend(reversed(below))


def _verdict(pointer: str, given: dict[str, JsonValue], written: JsonValue) -> WrittenVerdict:
    today = verdict_today(given)
    name, config = today.get("type"), today.get("config")
    return WrittenVerdict(
        pointer,
        name if isinstance(name, str) else None,
        written if isinstance(written, str) else None,
        config if isinstance(config, dict) else None,
        given,
    )
