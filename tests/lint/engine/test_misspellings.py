"""One cause, one fix: what follows from a misspelt word waits until it is fixed."""

import json
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.config.selecting import RuleSelection, SelectionLayer
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.lint.conftest import Lint, Open

STEP = "/steps/initial.issue"
GATE = f"{STEP}/structuredGate"


def codes(found: Iterable[Diagnostic]) -> list[str]:
    return [each.code for each in found]


def fixed(agent: AgentFolder) -> dict[str, str]:
    """The texts that all fixes give, by file name."""
    return {change.path.name: change.after.text for change in fix_all([agent], lint, any_fixes).changes}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("transitions", "transition"),
        ("structuredGate", "structuredGaet"),
        ("outputSchemaRef", "outputSchmaRef"),
        ("stepKind", "stepkind"),
        ("uvVariables", "uvVariable"),
        ("fallbackKey", "fallbackkey"),
        ("c3", "3c"),
    ],
)
def test_a_misspelt_key_is_renamed_and_nothing_else_is_added(right: str, wrong: str, open_example: Open) -> None:
    agent = open_example()
    text = agent.registry.source.text
    at = agent.registry.tree.key_span(f"{STEP}/{right}")
    assert at is not None
    broken = text[: at.start] + f'"{wrong}"' + text[at.end :]
    agent.registry.path.write_text(broken, "utf-8")
    agent = agent.reread([agent.registry.path])
    assert codes(lint(agent)) == ["SF005"]
    assert fixed(agent) == {agent.registry.path.name: text}


def test_an_entry_for_a_misspelt_verdict_is_renamed(open_example: Open) -> None:
    entries = {"count:iteratino": "initial.issue"}
    verdict = {"type": "count:iteration", "config": {"maxIterations": 9}}
    changes: dict[str, Any] = {
        "/entryStep": REMOVED,
        "/entryStepMapping": entries,
        "agent.json#/runner/verdict": verdict,
    }
    agent = open_example(changes)
    found = lint(agent)
    assert [(each.code, each.severity) for each in found] == [("SF403", "error")]
    made = json.loads(fixed(agent)[agent.registry.path.name])
    assert made["entryStepMapping"] == {"count:iteration": "initial.issue"}


def test_a_misspelt_verdict_leaves_the_registry_as_it_is(open_example: Open) -> None:
    entries = {"count:iteration": "initial.issue"}
    verdict = {"type": "count:iteratino", "config": {"maxIterations": 9}}
    changes: dict[str, Any] = {
        "/entryStep": REMOVED,
        "/entryStepMapping": entries,
        "agent.json#/runner/verdict": verdict,
    }
    agent = open_example(changes)
    assert codes(lint(agent)) == ["SF802"]
    assert list(fixed(agent)) == ["agent.json"]


def test_a_step_under_a_misspelt_key_gets_its_name_back(open_example: Open) -> None:
    agent = open_example()
    text = agent.registry.source.text
    for both in (False, True):
        broken = text.replace('    "continuation.issue": {', '    "continuation.isue": {')
        broken = broken.replace('"stepId": "continuation.issue"', '"stepId": "continuation.isue"') if both else broken
        assert broken != text
        agent.registry.path.write_text(broken, "utf-8")
        agent = agent.reread([agent.registry.path])
        assert len(lint(agent)) == 1
        assert fixed(agent) == {agent.registry.path.name: text}


def test_what_is_wrong_besides_is_reported_as_well(lint_example: Lint) -> None:
    changes: dict[str, Any] = {f"{STEP}/modle": "opus", f"{GATE}/intentField": REMOVED}
    found = lint_example(changes)
    assert {"SF005", "SF211"} <= set(codes(found))
    assert all(each.fixes for each in found if each.code == "SF211")


def test_a_misspelling_that_is_suppressed_takes_nothing_along(lint_example: Lint) -> None:
    kept = [{"code": "SF005", "reason": "ours"}]
    changes = {f"{STEP}/transitions": REMOVED, f"{STEP}/transition": {}, f"{STEP}/x-stepflow": {"ignore": kept}}
    found = lint_example(changes)
    assert "SF107" in codes(found)
    assert "SF005" not in codes(found)


def test_the_case_of_transition_for_transitions(request: pytest.FixtureRequest) -> None:
    case = request.config.getoption("--corpus").parent / "cases" / "climpt" / "11-transitions-misspelt"
    if not case.is_dir():
        pytest.skip(f"no data: {case} is not a folder")
    agent = open_agent(case / ".agent" / "demo" / "steps_registry.json")
    assert isinstance(agent, AgentFolder)
    before = agent.registry.source.text
    made = fixed(agent)[agent.registry.path.name]
    assert made == before.replace('"transition":', '"transitions":')


def test_settings_without_the_rule_leave_what_follows(lint_example: Lint) -> None:
    off = LintSettings(choice=RuleSelection([SelectionLayer("test", ignore=("SF005",))]))
    changes = {f"{STEP}/transitions": REMOVED, f"{STEP}/transition": {}}
    assert "SF107" in codes(lint_example(changes, off))


@pytest.mark.slow
def test_many_misspellings_cost_no_more_each_than_few(tmp_path: Path) -> None:
    """Counted in calls, which a busy machine doesn't change: four times the steps, four times the calls."""
    agents = [misspelt_ids(tmp_path / str(count), count) for count in (300, 1200)]
    calls = [calls_of(partial(lint, agent)) for agent in agents]
    assert calls[1] < 4.3 * calls[0]


def misspelt_ids(folder: Path, count: int) -> AgentFolder:
    """An agent in which no step has the id of its key."""
    steps = {
        f"initial.s{number}": {
            "stepId": f"initial.x{number}",
            "name": "S",
            "c2": "initial",
            "c3": "topic",
            "structuredGate": {"allowedIntents": ["next"]},
            "transitions": {"next": {"target": f"initial.s{(number + 1) % count}"}},
        }
        for number in range(count)
    }
    registry = {"agentId": "a", "version": "1.0.0", "c1": "steps", "entryStep": "initial.s0", "steps": steps}
    path = folder / ".agent" / "a" / "steps_registry.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(registry), "utf-8")
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    return agent


def calls_of(run: Callable[[], object]) -> int:
    """How many functions of Python are called, those of generators too."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count
