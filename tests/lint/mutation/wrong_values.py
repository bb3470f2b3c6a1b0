"""A value that is none of its field's, at each place of an agent's files: what is found beside the first finding."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join, split

from .measuring import new_findings
from .mistakes import AGENT, REGISTRY
from .originals import Original

_CHECKS = {
    "/failurePatterns": {
        "tests": {"description": "Tests fail", "edition": "failed", "adaptation": "tests", "params": ["output"]}
    },
    "/validators": {
        "tests": {
            "type": "command",
            "command": "make test",
            "successWhen": "exitCode:0",
            "failurePattern": "tests",
            "extractParams": {"output": "stdout"},
        }
    },
}
_STEP = "/steps/initial.issue"
_SPARE = {f"{_STEP}/structuredGate/failFast": False, f"{_STEP}/structuredGate/fallbackIntent": "next"}
_CHOICE = {"targets": {"small": "continuation.issue", "default": "continuation.issue"}}
_REGISTRY = {
    **_CHECKS,
    f"{_STEP}/description": "Understands the issue",
    f"{_STEP}/model": "sonnet",
    "/steps/continuation.issue/inputs": {"approach": {"from": "initial.issue.approach", "required": True}},
    f"{_STEP}/transitions/next": {"condition": "understanding", **_CHOICE},
}
_VALIDATION = {"stepId": "closure.polling", "name": "Checks", "c2": "closure", "c3": "issue"}
_RETRY = {"onFailure": {"action": "retry", "maxAttempts": 3}}
_BRANCH = {"type": "string", "description": "The branch", "required": False, "default": "main", "cli": "--branch"}
_AGENT = {
    "/parameters/branch": {**_BRANCH, "validation": {"pattern": "[a-z]+", "enum": ["main", "next"]}},
    "/parameters/size": {"type": "number", "description": "How much", "cli": "--size", "validation": {"min": 1}},
}
_RUNNER = {
    **_AGENT,
    "/runner/flow/schemas": {"inspection": True},
    "/runner/boundaries/sandbox": {
        "enabled": True,
        "network": {"mode": "custom", "trustedDomains": ["example.org"]},
        "filesystem": {"allowedPaths": ["build"]},
    },
    "/runner/integrations/github/labels": {"inProgress": "doing", "completion": {"add": ["done"], "remove": ["doing"]}},
    "/runner/actions": {"enabled": True, "types": ["issue-action"], "outputFormat": "issue-action"},
    "/runner/execution": {
        "worktree": {"enabled": True, "root": "../worktrees"},
        "finalize": {"autoMerge": False, "push": False, "createPr": True, "prTarget": "main"},
    },
}
MORE: Mapping[str, Mapping[str, Mapping[str, object]]] = {
    "issue-flow": {
        REGISTRY: {
            **_REGISTRY,
            **_SPARE,
            "/validationSteps/closure.polling": {
                **_VALIDATION,
                "validationConditions": [{"validator": "tests"}],
                **_RETRY,
            },
        },
        AGENT: _RUNNER,
    },
    "complete-flow": {REGISTRY: _REGISTRY, AGENT: _AGENT},
    "verified-flow": {
        AGENT: {"/runner/verdict": {"type": "count:check", "config": {"maxChecks": 5, "maxIterations": 20}}},
    },
    "project-flow": {
        AGENT: {
            "/runner/verdict": {
                "type": "meta:composite",
                "config": {
                    "operator": "or",
                    "conditions": [
                        {"type": "detect:keyword", "config": {"verdictKeyword": "DONE"}},
                        {"type": "detect:structured", "config": {"signalType": "ready", "requiredFields": ["met"]}},
                    ],
                },
            }
        },
    },
    "minimal": {
        REGISTRY: {
            "/steps/closure.task/runner": {"command": "make", "args": ["${context.task}"], "timeout": 500},
            "/pathTemplate": "{c1}/{c2}/{c3}/f_{edition}_{adaptation}.md",
        },
    },
    "check-flow": {},
    "addressed-flow": {
        REGISTRY: {
            **_REGISTRY,
            **_SPARE,
            "/validators/tests/phase": "postllm",
            f"{_STEP}/permissionMode": "plan",
            f"{_STEP}/address/adaptation": "default",
            "/entryStep": "initial.issue",
            "/validationSteps/closure.polling": {
                **_VALIDATION,
                "preflightConditions": [],
                "postLLMConditions": [{"validator": "tests"}],
                **_RETRY,
            },
        },
        AGENT: {key: value for key, value in _RUNNER.items() if "flow" not in key},
    },
}
"""Fields that the templates don't use, by template and file: their values, by their place."""


def with_more(original: Original, template: str) -> Original:
    """A new agent with the fields that its template doesn't use."""
    agent = original.agent
    texts = dict(original.texts)
    for file, document in ((REGISTRY, agent.registry), (AGENT, agent.agent_document)):
        more = MORE.get(template, {}).get(file)
        if more and document is not None and document.root is not None:
            content = json.loads(document.source.text)
            for pointer, value in more.items():
                *above, last = split(pointer)
                holder = content
                for key in above:
                    holder = holder.setdefault(key, {})
                holder[last] = value
            texts[document.path] = document.source.with_text(json.dumps(content, ensure_ascii=False, indent=2))
    return Original(agent.with_buffers(texts), texts)


VALUES: Sequence[object] = (None, "", 0, False, [], {}, "x", 5)


class WrongValue(NamedTuple):
    """A value written at one place, and what is new then."""

    document: ParsedFile
    pointer: str
    value: object
    new: list[Diagnostic]

    @property
    def further(self) -> int:
        """The findings beyond one."""
        return max(0, len(self.new) - 1)

    def __str__(self) -> str:
        found = [f"{each.code} {each.pointer} {each.message}" for each in self.new]
        return f"{self.document.path.name} {self.pointer} = {json.dumps(self.value)}: {found}"


def wrong_values(original: Original, one_in: int = 1, part: int = 0) -> Iterator[WrongValue]:
    """Every value at every place of registry and agent.json, one at a time; or one in so many of them."""
    agent = original.agent
    before = lint(agent)
    documents = [agent.registry, *([agent.agent_document] if agent.agent_document else [])]
    places = [(document, *place) for document in documents if document.root for place in _places(document.root, "")]
    cases = [(*place, value) for place in places for value in VALUES if not _same(place[2].value, value)]
    for document, pointer, node, value in cases[part::one_in]:
        text = apply(document.source.text, [TextEdit(node.start, node.end, json.dumps(value))])
        texts = {**original.texts, document.path: document.source.with_text(text)}
        yield WrongValue(document, pointer, value, new_findings(lint(agent.with_buffers(texts)), before))


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def _places(node: Node, pointer: str) -> Iterator[tuple[str, Node]]:
    """Every member and element below a node, in file order."""
    children: list[tuple[str | int, Node]] = (
        [(member.key, member.value) for member in node.members()]
        if node.kind == "object"
        else list(enumerate(node.items()))
        if node.kind == "array"
        else []
    )
    for key, child in children:
        where = join(pointer, key)
        yield where, child
        yield from _places(child, where)
