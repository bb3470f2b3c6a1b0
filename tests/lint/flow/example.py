"""Small flows for the tests of flow rules: steps by name, each with its kind and the targets of its intents."""

from collections.abc import Mapping
from typing import Any

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.examples.example import Base, Example
from stepflow_gui.lint.rules.flow.example_steps import PROMPTS, added

Rules = Mapping[str, Any]

CLOSURE: tuple[str, Rules] = ("closure", {"closing": None, "repeat": "closure.a"})


def flow(entry: str = "initial.a", base: Base = "c3l", /, **steps: tuple[str, Rules]) -> Example:
    """A registry of these steps only, `_` standing for the dots of their ids."""
    changes: dict[str, Any] = {"/steps": {}, "/entryStep": entry, "/entryStepMapping/poll:state": entry}
    for name, (kind, rules) in steps.items():
        changes |= added(name.replace("_", "."), kind, rules)
    return Example(changes, PROMPTS, base)


def with_changes(example: Example, changes: Mapping[str, Any]) -> Example:
    """The example changed further."""
    return example._replace(changes={**example.changes, **changes})


def of(code: str, found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings of one rule."""
    return [each for each in found if each.code == code]


def pointers(code: str, found: list[Diagnostic]) -> list[tuple[str, str | None]]:
    """Severity and place of the findings of one rule."""
    return [(each.severity, each.pointer) for each in of(code, found)]
