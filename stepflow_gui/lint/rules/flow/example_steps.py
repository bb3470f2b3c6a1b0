"""Steps that examples of flows add to the example agent."""

from typing import Any


def _step(schema: str, **targets: str | None) -> dict[str, Any]:
    return {
        "stepId": "continuation.issue.again",
        "name": "Once more",
        "stepKind": "work",
        "c2": "continuation",
        "c3": "issue",
        "edition": "default",
        "fallbackKey": "continuation_issue",
        "uvVariables": ["issue"],
        "usesStdin": False,
        "outputSchemaRef": {"file": "issue.schema.json", "schema": schema},
        "structuredGate": {
            "allowedIntents": list(targets),
            "intentSchemaRef": "#/properties/next_action/properties/action",
            "intentField": "next_action.action",
        },
        "transitions": {intent: {"target": target} for intent, target in targets.items()},
    }


_SELF = "continuation.issue.again"

AGAIN = _step("continuation.issue", next=_SELF, repeat=_SELF, handoff="closure.issue")
"""Goes on and closes as its neighbour does."""

TRAPPED = _step("initial.issue", next=_SELF, repeat=_SELF)
"""Leads to itself only."""
