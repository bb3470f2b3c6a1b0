"""A small agent that has everything which a change may have to follow."""

from pathlib import Path

import pytest

from tests.formats.changes.hand import Agent

REGISTRY = """{
  "agentId": "demo",
  "version": "1.0.0",
  "userPromptsBase": ".agent/demo/prompts",
  "schemasBase": ".agent/demo/schemas",
  "c1": "steps",
  "entryStep": "initial.issue",
  "entryStepMapping": {
    "poll:state": "initial.issue",
    "count:iteration": "continuation.issue"
  },
  "failurePatterns": {
    "git-dirty": {
      "description": "Uncommitted changes",
      "edition": "failed",
      "adaptation": "git-dirty",
      "params": ["changedFiles"]
    }
  },
  "validators": {
    "git-clean": {
      "type": "command",
      "command": "git status --porcelain",
      "successWhen": "empty",
      "failurePattern": "git-dirty",
      "extractParams": { "changedFiles": "parseChangedFiles" }
    }
  },
  "validationSteps": {
    "closure.issue": {
      "stepId": "closure.issue",
      "name": "Checks",
      "c2": "retry",
      "c3": "issue",
      "validationConditions": [{ "validator": "git-clean" }],
      "onFailure": { "action": "retry", "maxAttempts": 3 },
      "outputSchemaRef": { "file": "issue.schema.json", "schema": "closure.issue" }
    }
  },
  "steps": {
    "initial.issue": {
      "stepId": "initial.issue",
      "name": "Begin",
      "stepKind": "work",
      "c2": "initial",
      "c3": "issue",
      "edition": "default",
      "fallbackKey": "initial_issue",
      "uvVariables": ["issue"],
      "usesStdin": false,
      "outputSchemaRef": { "file": "issue.schema.json", "schema": "initial.issue" },
      "structuredGate": {
        "allowedIntents": ["next", "repeat"],
        "intentSchemaRef": "#/properties/next_action/properties/action",
        "intentField": "next_action.action",
        "handoffFields": ["plan.size"]
      },
      "transitions": {
        "next": {
          "condition": "size",
          "targets": {
            "large": "verification.issue",
            "default": "continuation.issue"
          }
        },
        "repeat": { "target": "initial.issue" }
      },
      "description": "Hands over to continuation.issue; see also closure.issue.extra"
    },
    "continuation.issue": {
      "stepId": "continuation.issue",
      "name": "Go on",
      "stepKind": "work",
      "c2": "continuation",
      "c3": "issue",
      "edition": "default",
      "fallbackKey": "continuation_issue",
      "uvVariables": ["issue"],
      "usesStdin": false,
      "inputs": {
        "size": { "from": "initial.issue.size", "required": true }
      },
      "outputSchemaRef": { "file": "issue.schema.json", "schema": "continuation.issue" },
      "structuredGate": {
        "allowedIntents": ["next", "repeat", "handoff"],
        "intentSchemaRef": "#/properties/next_action/properties/action",
        "intentField": "next_action.action"
      },
      "transitions": {
        "next": { "target": "continuation.issue", "fallback": "initial.issue" },
        "repeat": { "target": "continuation.issue" },
        "handoff": { "target": "closure.issue" }
      }
    },
    "verification.issue": {
      "stepId": "verification.issue",
      "name": "Check",
      "stepKind": "verification",
      "c2": "verification",
      "c3": "issue",
      "edition": "default",
      "fallbackKey": "check_issue",
      "uvVariables": [],
      "usesStdin": false,
      "outputSchemaRef": { "file": "common.schema.json", "schema": "check" },
      "structuredGate": {
        "allowedIntents": ["next", "repeat"],
        "intentSchemaRef": "#/properties/next_action/properties/action",
        "intentField": "next_action.action"
      },
      "transitions": {
        "next": { "target": "closure.issue" },
        "repeat": { "target": "verification.issue" }
      }
    },
    "verification.again": {
      "stepId": "verification.again",
      "name": "Check again",
      "stepKind": "verification",
      "c2": "verification",
      "c3": "again",
      "edition": "default",
      "fallbackKey": "check_again",
      "uvVariables": [],
      "usesStdin": false,
      "outputSchemaRef": { "file": "common.schema.json", "schema": "check" },
      "structuredGate": {
        "allowedIntents": ["next", "repeat"],
        "intentSchemaRef": "#/properties/next_action/properties/action",
        "intentField": "next_action.action"
      },
      "transitions": {
        "next": { "target": "closure.issue" },
        "repeat": { "target": "verification.again" }
      }
    },
    "closure.issue": {
      "stepId": "closure.issue",
      "name": "Close",
      "stepKind": "closure",
      "c2": "closure",
      "c3": "issue",
      "edition": "default",
      "fallbackKey": "issue_closure_default",
      "uvVariables": ["issue"],
      "usesStdin": false,
      "outputSchemaRef": { "file": "issue.schema.json", "schema": "closure.issue" },
      "structuredGate": {
        "allowedIntents": ["closing", "repeat"],
        "intentSchemaRef": "#/properties/next_action/properties/action",
        "intentField": "next_action.action"
      },
      "transitions": {
        "closing": { "target": null },
        "repeat": { "target": "closure.issue" }
      }
    }
  }
}
"""
AGENT = """{
  "version": "1.0.0",
  "name": "demo",
  "displayName": "Demo",
  "description": "Works until closure.issue",
  "parameters": {
    "issue": { "type": "number", "description": "The issue", "required": true, "cli": "--issue" }
  },
  "runner": {
    "flow": { "systemPromptPath": "prompts/system.md", "prompts": { "registry": "steps_registry.json" } },
    "verdict": {
      "type": "poll:state",
      "config": { "maxIterations": 5, "entryStep": "initial.issue" }
    },
    "boundaries": { "allowedTools": ["Read"], "permissionMode": "plan" }
  }
}
"""
ISSUE_SCHEMA = """{
  "initial.issue": {
    "type": "object",
    "required": ["stepId", "next_action", "plan"],
    "properties": {
      "stepId": { "type": "string", "const": "initial.issue" },
      "plan": { "type": "object", "required": ["size"], "properties": { "size": { "type": "string" } } },
      "next_action": {
        "type": "object",
        "required": ["action"],
        "properties": {
          "action": { "type": "string", "enum": ["next", "repeat"] }
        }
      }
    }
  },
  "continuation.issue": {
    "type": "object",
    "required": ["next_action"],
    "properties": {
      "plan": { "$ref": "#/initial.issue/properties/plan" },
      "next_action": {
        "type": "object",
        "required": ["action"],
        "properties": {
          "action": { "type": "string", "enum": ["next", "repeat", "handoff"] }
        }
      }
    }
  },
  "closure.issue": {
    "type": "object",
    "required": ["next_action"],
    "properties": {
      "next_action": {
        "type": "object",
        "required": ["action"],
        "properties": {
          "action": { "type": "string", "enum": ["closing", "repeat"] }
        }
      }
    }
  }
}
"""
COMMON_SCHEMA = """{
  "definitions": {
    "stepId": { "type": "string" },
    "answer": {
      "type": "object",
      "required": ["next_action"],
      "properties": {
        "stepId": { "enum": ["verification.issue", "verification.again"] },
        "next_action": { "$ref": "#/definitions/action" }
      }
    },
    "action": {
      "type": "object",
      "required": ["action"],
      "properties": { "action": { "enum": ["next", "repeat"] } }
    },
    "check": { "allOf": [{ "$ref": "#/definitions/answer" }] }
  }
}
"""
OTHER_SCHEMA = """{
  "plan": { "$ref": "issue.schema.json#/initial.issue/properties/plan" }
}
"""
LAYOUT = """{
  "version": 1,
  "steps": {
    "initial.issue": [0, 0],
    "verification.issue": [120, 80]
  }
}
"""


class Written:
    """The agent on disk, and opened."""

    def __init__(self, root: Path) -> None:
        self.folder = root / ".agent" / "demo"
        self.write("steps_registry.json", REGISTRY)
        self.write("agent.json", AGENT)
        self.write("schemas/issue.schema.json", ISSUE_SCHEMA)
        self.write("schemas/common.schema.json", COMMON_SCHEMA)
        self.write("schemas/other.schema.json", OTHER_SCHEMA)
        self.write(".stepflow/steps_registry.layout.json", LAYOUT)
        for phase in ("initial", "continuation", "verification", "closure"):
            self.write(f"prompts/steps/{phase}/issue/f_default.md", "Issue {uv-issue}\n")
        self.write("prompts/steps/verification/again/f_default.md", "Again\n")
        self.write("prompts/system.md", "You work on issues.\n")

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def open(self) -> Agent:
        return Agent.open(self.folder / "steps_registry.json")


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return Written(tmp_path)


@pytest.fixture
def agent(written: Written) -> Agent:
    return written.open()
