"""Contracts broken in many places at once: no fix of theirs makes a step worse, and together they come to an end."""

import json
import random
from collections import Counter

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import ERROR
from stepflow_gui.lint.engine.engine import _Run, lint
from stepflow_gui.lint.examples.agent import REGISTRY, SCHEMA, files_of
from stepflow_gui.lint.examples.example import REMOVED, Base, Example, changed
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.project.agent_folder import AgentFolder
from tests.lint.conftest import Lint, Open
from tests.lint.test_fixes import fixed

WORDS = ("next", "repeat", "jump", "closing", "handoff", "escalate", "continue", "done", "retry", "Next", "foo")
FAMILY = frozenset({"SF201", "SF202", "SF205", "SF206", "SF207", "SF219", "SF222", "SF224", "SF230", "SF232"})


def broken(base: Base, by: random.Random) -> Example:
    """Words by chance in enums, which steps often share, in allowedIntents and in transitions."""

    def words(least: int, most: int) -> list[str]:
        return [by.choice(WORDS) for _ in range(by.randint(least, most))]

    files = files_of(changed(base=base))
    registry, schemas = json.loads(files[REGISTRY]), json.loads(files[f"schemas/{SCHEMA}"])
    shares = by.random() < 0.7
    gated = [step for step in registry["steps"].values() if "structuredGate" in step]
    for step in gated:
        if by.random() < 0.5:
            step["structuredGate"]["allowedIntents"] = words(0, 3)
        if by.random() < 0.3:
            step["transitions"] = {word: {"target": by.choice(list(registry["steps"]))} for word in words(0, 3)}
        if by.random() < 0.2:
            step["structuredGate"]["fallbackIntent"] = by.choice(WORDS)
        if shares:
            step["outputSchemaRef"]["schema"] = next(iter(schemas))
    for schema in schemas.values():
        action = schema.get("properties", {}).get("next_action", {}).get("properties", {}).get("action")
        if action and by.random() < 0.5:
            action["enum"] = words(1, 4)
    return changed(base=base, texts={REGISTRY: json.dumps(registry, indent=2), SCHEMA: json.dumps(schemas, indent=2)})


def errors(agent: AgentFolder) -> Counter[str | None]:
    """How many mistakes of its contract each step has that are errors, those that schemas share counted for each."""
    found = _Run(agent, LintSettings(), None, None, None).found(FAMILY.__contains__)
    wrong = [each.finding for each in found if each.severity == ERROR]
    return Counter(step for step, _cause in {(each.step, each.cause or (each.pointer, each.message)) for each in wrong})


@pytest.mark.parametrize("base", ["closing", "c3l", "adt-kind-address"])
def test_no_fix_of_a_broken_contract_takes_back_what_another_does(base: Base, open_example: Open, full: bool) -> None:
    """Some files; --full: many."""
    for seed in range(300 if full else 12):
        agent = open_example(broken(base, random.Random(seed)))
        found = lint(agent)
        before = errors(agent)
        for each in found:
            for fix in each.fixes if each.code in FAMILY else ():
                worse = errors(fixed(agent, fix)) - before
                assert not worse, (seed, each.code, each.message, fix.title, worse)
        settled = fix_all([agent], lint, any_fixes)
        texts = {change.path: change.after for change in settled.changes}
        assert settled.converged, seed
        assert not fix_all(settled.agents, lint, any_fixes, texts).applied, seed


def test_an_intent_that_a_shared_enum_keeps_is_not_taken_out_of_one_step(lint_example: Lint) -> None:
    """The enum would offer it still, so the next fix would allow it again."""
    shared = {"file": SCHEMA, "schema": "initial.issue"}
    changes = {
        "/steps/continuation.issue/outputSchemaRef": shared,
        "/steps/closure.issue/outputSchemaRef": shared,
        "/steps/closure.issue/structuredGate/allowedIntents": ["next", "repeat"],
        "/steps/closure.issue/transitions/next": {"target": "initial.issue"},
        "/steps/closure.issue/transitions/closing": REMOVED,
        f"{SCHEMA}#/continuation.issue": REMOVED,
        f"{SCHEMA}#/closure.issue": REMOVED,
    }
    (found,) = (each for each in lint_example(changes) if (each.code, each.step) == ("SF206", "closure.issue"))
    assert [fix.title for fix in found.fixes] == []


def test_the_last_allowed_intent_is_not_taken_out(lint_example: Lint) -> None:
    found = lint_example({
        "/steps/closure.issue/structuredGate/allowedIntents": ["escalate"],
        "/steps/closure.issue/transitions": {"escalate": {"target": None}},
        f"{SCHEMA}#/closure.issue/properties/next_action/properties/action/enum": ["escalate"],
    })  # fmt: skip
    (kind,) = (each for each in found if each.code == "SF206")
    assert "Remove “escalate”" not in {fix.title for fix in kind.fixes}
    assert "Write “repeat”" in {fix.title for fix in kind.fixes}


def test_an_alias_of_a_shared_enum_is_written_out_in_every_step_that_reads_it(open_example: Open) -> None:
    shared = {"file": SCHEMA, "schema": "initial.issue"}
    agent = open_example({
        "/steps/continuation.issue/outputSchemaRef": shared,
        f"{SCHEMA}#/initial.issue/properties/next_action/properties/action/enum": ["continue", "repeat", "handoff"],
        "/steps/initial.issue/structuredGate/allowedIntents": ["continue", "repeat", "handoff"],
        "/steps/continuation.issue/structuredGate/allowedIntents": ["continue", "repeat", "handoff"],
    })  # fmt: skip
    found = [each for each in lint(agent) if each.code == "SF207"]
    after = lint(fixed(agent, found[0].fixes[0]))
    assert not [each for each in after if each.code in {"SF202", "SF207"}]


def test_a_chain_waits_for_the_repeat_that_the_schema_offers(lint_example: Lint) -> None:
    """That it isn't used follows from the missing word; without it, or with it, the other rule is silent as well."""
    allowed = "/steps/initial.issue/structuredGate/allowedIntents"
    base = changed({"/steps/initial.issue/adaptationChain": ["default"], allowed: ["next"]}, base="adt-kind-address")
    about = [each.code for each in lint_example(base) if each.step == "initial.issue"]
    assert "SF232" not in about
    assert "SF230" not in about
    assert {"SF201", "SF202"} & set(about)
