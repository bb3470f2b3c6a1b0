"""Registries made up for measuring and for property tests: any size, the same for the same seed."""

import json
from typing import Any

from benchmarks.chance import Chance

_KINDS = ("work", "work", "verification", "work", "closure")
_WORDS = ("check", "plan", "draft", "review", "merge", "report", "audit", "refine", "collect", "settle")


def registry(steps: int, seed: int = 0) -> dict[str, Any]:
    """A gate registry with that many steps: about 1.3 KB of JSON a step, with jumps, repeats and conditions."""
    chance = Chance(seed)
    names = [f"{('initial', 'continuation')[at % 2]}.{_WORDS[at % len(_WORDS)]}-{at}" for at in range(steps)]
    return {
        "agentId": "generated",
        "version": "1.0.0",
        "userPromptsBase": ".agent/generated/prompts",
        "schemasBase": ".agent/generated/schemas",
        "c1": "steps",
        "pathTemplate": "{c1}/{c2}/{c3}/f_{edition}_{adaptation}.md",
        "entryStepMapping": {"poll:state": names[0], "count:iteration": names[min(1, steps - 1)]},
        "steps": {name: _step(name, at, names, chance) for at, name in enumerate(names)},
        "failurePatterns": {
            f"pattern-{at}": {"description": f"何かが失敗した {at}", "edition": "failed", "params": ["files", "errors"]}
            for at in range(min(20, steps))
        },
    }


def _step(name: str, at: int, names: list[str], chance: Chance) -> dict[str, Any]:
    following = names[(at + 1) % len(names)]
    kind = _KINDS[at % len(_KINDS)]
    transitions: dict[str, Any] = {
        "next": {"target": following},
        "repeat": {"target": name},
        "jump": {"target": chance.choice(names)},
    }
    if kind == "closure":
        transitions = {"closing": {"target": None}, "repeat": {"target": chance.choice(names)}}
    elif at % 7 == 3:
        transitions["next"] = {
            "condition": "outcome",
            "targets": {"passed": following, "failed": chance.choice(names), "default": name},
        }
    prefix, _, rest = name.partition(".")
    return {
        "stepId": name,
        "name": f"Step {at}: “{rest}”",
        "stepKind": kind,
        "c2": prefix,
        "c3": rest,
        "edition": "default",
        "fallbackKey": f"{prefix}_{rest}".replace("-", "_"),
        "uvVariables": ["issue_number", "iteration", "previous_summary"][: 1 + chance.below(3)],
        "usesStdin": at % 3 == 0,
        "outputSchemaRef": {"file": "step_outputs.schema.json", "schema": name},
        "structuredGate": {
            "allowedIntents": list(transitions),
            "intentField": "next_action.action",
            "intentSchemaRef": "#/properties/next_action/properties/action",
            "targetField": "next_action.details.target",
            "handoffFields": [f"analysis.part_{part}" for part in range(1 + chance.below(4))],
            "failFast": True,
        },
        "transitions": transitions,
        "description": f"Line one of {rest}.\nLine two\twith “quotes” and a \\ and number {chance.below(1000000)}.",
    }


def registry_text(steps: int, seed: int = 0, indent: int | str | None = 2) -> str:
    """The same as a file: one member a line, or all in one line where there is no indentation."""
    return json.dumps(registry(steps, seed), ensure_ascii=False, indent=indent) + "\n"
