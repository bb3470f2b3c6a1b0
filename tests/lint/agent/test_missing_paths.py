"""SF807: what each runtime does where a path of agent.json goes to nothing, and how severe that is."""

from typing import Any, Literal

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.examples.example import changed
from tests.lint.conftest import Lint

Base = Literal["closing", "c3l"]
FLOW = "agent.json#/runner/flow"
VERDICT = "agent.json#/runner/verdict"
_CUSTOM = {"type": "meta:custom", "config": {"handlerPath": "own.ts"}}
_MISSING: dict[str, dict[str, Any]] = {
    "system prompt": {f"{FLOW}/systemPromptPath": "prompts/none.md"},
    "registry": {f"{FLOW}/prompts/registry": "other.json"},
    "fallbackDir": {f"{FLOW}/prompts/fallbackDir": "none"},
    "schemas": {f"{FLOW}/schemas": {"base": "none"}},
    "verdict": {VERDICT: _CUSTOM},
    "verdict in composite": {
        VERDICT: {"type": "meta:composite", "config": {"operator": "or", "conditions": [_CUSTOM, _CUSTOM]}}
    },
}
_BUILT_IN = "{era} uses a built-in text, climpt 2026-04-01 and later stop"
_STOPS = "and {era} stops there"
_NEWER = ("climpt-2026-04-01", "climpt-2026-04-08", "climpt-2026-04-20")
_OLDER = ("climpt-2026-01-18", "climpt-2026-03-14")
_CLAIMS = [
    *(("system prompt", era, "error", _STOPS) for era in _NEWER),
    *(("system prompt", era, "warning", _BUILT_IN) for era in _OLDER),
    *(("registry", era, "warning", "{era} reads “steps_registry.json” instead") for era in (*_OLDER, *_NEWER)),
    *(("fallbackDir", era, "info", "{era} runs without it") for era in _OLDER),
    *(("fallbackDir", era, None, "") for era in _NEWER),
    *(("schemas", era, "warning", "there is no folder “none”") for era in (*_OLDER, *_NEWER)),
    *(("verdict", era, "error", _STOPS) for era in (*_OLDER, *_NEWER)),
    *(("verdict in composite", era, "warning", "“own.ts” doesn't exist") for era in (*_OLDER, *_NEWER)),
]


def _found(
    changes: dict[str, Any], runtime: str | None, lint_example: Lint, base: Base = "closing"
) -> list[Diagnostic]:
    found = lint_example(changed(changes, base=base), LintSettings(runtime))
    return [each for each in found if each.code == "SF807"]


@pytest.mark.parametrize(("missing", "era", "severity", "words"), _CLAIMS)
def test_what_a_runtime_does_without_a_path(
    missing: str, era: str, severity: str | None, words: str, lint_example: Lint
) -> None:
    found = _found(_MISSING[missing], era, lint_example)
    assert {each.severity for each in found} == ({severity} if severity else set())
    assert all(words.format(era=era) in each.message for each in found)


@pytest.mark.parametrize("missing", _MISSING)
@pytest.mark.parametrize("base", ["closing", "c3l"])
def test_the_guide_stops_at_none(missing: str, base: Base, lint_example: Lint) -> None:
    found = _found(_MISSING[missing], "guide", lint_example, base)
    assert {each.severity for each in found} == {"warning"}


def test_the_guide_names_the_version_that_stops(lint_example: Lint) -> None:
    (found,) = _found(_MISSING["system prompt"], "guide", lint_example)
    assert "climpt-2026-03-14 uses a built-in text, climpt 2026-04-01 and later stop" in found.message
    (found,) = _found(_MISSING["system prompt"], "guide", lint_example, "c3l")
    assert "climpt-2026-04-20 stops there" in found.message


def test_the_module_of_a_verdict_is_looked_for_in_the_agents_folder(lint_example: Lint) -> None:
    changes = {VERDICT: {"type": "meta:custom", "config": {"handlerPath": ".agent/issue-flow/agent.json"}}}
    assert len(_found(changes, None, lint_example)) == 1
