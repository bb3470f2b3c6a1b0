"""Agents without a mistake, made by chance: a registry of a format with all the files that it needs."""

import random
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]
Files = dict[str, Any]
"""Contents by the name of their file: a JSON value, or the text of a file that isn't JSON."""

HOME = ".agent/demo"
REGISTRY = f"{HOME}/steps_registry.json"
AGENT = f"{HOME}/agent.json"
SETTINGS = ".agent/climpt/config/claude.settings.climpt.agents.json"
PROMPTS = f"{HOME}/prompts/steps"
_TOPICS = ("issue", "review", "docs")
_ACTION = "next_action.action"
_WORD_OF_VERDICT = {
    "poll:state": "polling",
    "count:iteration": "iteration",
    "count:check": "check",
    "detect:keyword": "keyword",
    "detect:structured": "structured",
    "detect:graph": "graph",
    "meta:composite": "composite",
    "meta:custom": "custom",
}
_FALLBACK_KEYS = {
    "initial": "initial_issue",
    "closure": "issue_closure_default",
    "complete": "issue_closure_default",
}
_OLDER_VERDICTS: dict[str, Json] = {
    "issue": {},
    "iterate": {"maxIterations": 6},
    "stepMachine": {"registryPath": REGISTRY},
}


def agent(format_id: str, chance: random.Random) -> Files:
    """The files of an agent whose registry is of that format."""
    if format_id == "checks":
        return _with_checks(chance)
    return _Gated(format_id, chance).files()


class _Gated:
    """An agent whose registry has gates."""

    def __init__(self, format_id: str, chance: random.Random) -> None:
        self.format = format_id
        self.chance = chance
        self.topics = chance.sample(_TOPICS, chance.choice((1, 1, 2)))
        self.main = self.topics[0]
        self.schemas: dict[str, Json] = {}
        self.verdict = chance.choice(tuple(_WORD_OF_VERDICT))
        self.in_older_layout = format_id == "complete" and chance.random() < 0.5
        if self.in_older_layout:
            self.verdict = chance.choice(tuple(_OLDER_VERDICTS))

    def files(self) -> Files:
        chance = self.chance
        files: Files = {f"{HOME}/prompts/system.md": "You work.\n"}
        steps = self._of_complete() if self.format == "complete" else self._of_kinds()
        registry: Json = {"agentId": "demo", "version": "1.0.0", "c1": "steps", **self._entry(), "steps": steps}
        for step_id, step in steps.items():
            parts = step.get("address", step)
            named = "".join(f"{{uv-{name}}}\n" for name in step["uvVariables"])
            stdin = "{input_text}\n" if step["usesStdin"] else ""
            files[f"{PROMPTS}/{parts['c2']}/{parts['c3']}/f_{parts['edition']}.md"] = f"# {step_id}\n{named}{stdin}"
        if chance.random() < 0.4 and not self.in_older_layout:
            files |= self._checked_at_closing(registry)
        if self.format == "adt-kind-address":
            files[SETTINGS] = {"permissions": {"allow": ["Read"], "defaultMode": "plan"}}
        if self.verdict == "meta:custom" or self._conditions_have("meta:custom"):
            files[f"{HOME}/verdict.ts"] = "// decides\n"
        files |= {f"{HOME}/schemas/{name}": content for name, content in self.schemas.items()}
        return files | {REGISTRY: registry, AGENT: self._agent()}

    # Steps

    def _of_kinds(self) -> Json:
        chance = self.chance
        flow: list[tuple[str, str]] = []
        for topic in self.topics:
            flow.append((f"initial.{topic}", "work"))
            flow.append((f"continuation.{topic}", "work"))
            if chance.random() < 0.4:
                flow.append((f"verification.{topic}", "verification"))
        closure = f"closure.{self.main}"
        ids = [step_id for step_id, _kind in flow]
        steps: Json = {}
        for at, (step_id, kind) in enumerate(flow):
            onward = ids[at + 1] if at + 1 < len(ids) else None
            rules: Json = {}
            if kind == "work":
                if onward or chance.random() < 0.5:
                    rules["next"] = {"target": onward or step_id}
                if onward is None or chance.random() < 0.2:
                    rules["handoff"] = {"target": closure}
            else:
                rules["next"] = {"target": onward or closure}
                if chance.random() < 0.6:
                    rules["escalate"] = {"target": ids[0]}
            if "next" in rules and chance.random() < 0.2:
                cases = {"fine": rules["next"]["target"], "poor": ids[0], "default": rules["next"]["target"]}
                rules["next"] = {"condition": "status", "targets": cases}
            if chance.random() < 0.5:
                rules["repeat"] = {"target": step_id}
            if chance.random() < 0.2:
                rules["jump"] = {"target": ids[0]}
            steps[step_id] = self._step(step_id, kind, rules)
        rules = {"closing": {"target": None}} | ({"repeat": {"target": closure}} if chance.random() < 0.6 else {})
        steps[closure] = self._step(closure, "closure", rules)
        if chance.random() < 0.15:
            steps["section.rules"] = self._section()
        return steps

    def _of_complete(self) -> Json:
        steps: Json = {}
        for at, topic in enumerate(self.topics):
            following = f"initial.{self.topics[at + 1]}" if at + 1 < len(self.topics) else None
            done = {"target": f"complete.{topic}"}
            onward = {"target": f"continuation.{topic}"}
            first: Json = {"next": onward, "repeat": {"target": f"initial.{topic}"}, "complete": done}
            second: Json = {"next": {"target": following} if following else onward, "complete": done}
            steps[f"initial.{topic}"] = self._step(f"initial.{topic}", "", first)
            steps[f"continuation.{topic}"] = self._step(f"continuation.{topic}", "", second)
            steps[f"complete.{topic}"] = self._step(f"complete.{topic}", "", {"complete": {"target": None}})
        return steps

    def _step(self, step_id: str, kind: str, rules: Json) -> Json:
        chance, (phase, _dot, topic) = self.chance, step_id.partition(".")
        step: Json = {"stepId": step_id, "name": step_id.replace(".", " ")}
        parts = {"c2": phase, "c3": topic, "edition": "default"}
        if self.format == "adt-kind-address":
            step |= {"kind": kind, "address": {"c1": "steps", **parts}}
            step |= {"adaptationChain": ["default"] * 3} if "repeat" in rules else {}
        else:
            step |= ({"stepKind": kind} if kind else {}) | parts
        if self.format in {"closing", "complete"}:
            step["fallbackKey"] = _FALLBACK_KEYS.get(phase, "continuation_issue")
        step["uvVariables"] = ["issue"] if chance.random() < 0.5 else []
        step["usesStdin"] = False
        handed = self._handed(rules)
        gate: Json = {"allowedIntents": list(rules), "intentField": _ACTION}
        if kind:
            gate["intentSchemaRef"] = "#/properties/next_action/properties/action"
        if handed:
            gate["handoffFields"] = handed
        if "jump" in rules:
            gate["targetField"] = "next_action.target"
        if self.chance.random() < 0.1 and kind == "work":
            gate |= {"failFast": False, "fallbackIntent": next(iter(rules))}
        step |= {"outputSchemaRef": self._schema(step_id, rules, handed), "structuredGate": gate, "transitions": rules}
        if kind and chance.random() < 0.1:
            step["inputs"] = {"state": {"from": f"initial.{self.main}.status", "required": False}}
        return step

    def _handed(self, rules: Json) -> list[str]:
        conditional = any("condition" in rule for rule in rules.values())
        if conditional or (self.format == "complete" and "next" in rules):
            return ["result.status"]
        return ["result.status"] if self.chance.random() < 0.2 else []

    def _section(self) -> Json:
        parts = {"c2": "section", "c3": "rules", "edition": "default"}
        section: Json = {"stepId": "section.rules", "name": "rules"}
        if self.format == "adt-kind-address":
            section |= {"kind": "work", "address": {"c1": "steps", **parts}}
        else:
            section |= parts
        return section | {"uvVariables": [], "usesStdin": False}

    def _schema(self, step_id: str, rules: Json, handed: list[str]) -> Json:
        properties: Json = {"action": {"type": "string", "enum": list(rules)}}
        if "jump" in rules:
            properties["target"] = {"type": "string", "enum": [f"initial.{self.main}"]}
        value: Json = {
            "type": "object",
            "required": ["next_action"] + (["result"] if handed else []),
            "properties": {"next_action": {"type": "object", "required": ["action"], "properties": properties}},
        }
        if handed:
            status = {"type": "string", "enum": ["fine", "poor"]}
            result = {"type": "object", "required": ["status"], "properties": {"status": status}}
            value["properties"]["result"] = result
        name = f"{self.main}.schema.json" if self.chance.random() < 0.8 else "more.schema.json"
        inside = "definitions" if self.format == "complete" else ""
        holder = self.schemas.setdefault(name, {})
        if inside:
            holder = holder.setdefault(inside, {})
        holder[step_id] = value
        return {"file": name, "schema": f"#/definitions/{step_id}" if inside else step_id}

    # What is around them

    def _entry(self) -> Json:
        first = f"initial.{self.main}"
        if self.format == "adt-kind-address":
            pair = {"initial": first, "continuation": f"continuation.{self.main}"}
            entry: Json = {"entryStepMapping": {self.verdict: pair}}
            return entry | ({"entryStep": first} if self.verdict == "detect:graph" else {})
        if self.verdict in {"detect:graph", "stepMachine"}:
            return {"entryStep": first}
        both = self.chance.random()
        return ({"entryStepMapping": {self.verdict: first}} if both < 0.8 else {}) | (
            {"entryStep": first} if both > 0.5 else {}
        )

    def _checked_at_closing(self, registry: Json) -> Files:
        """Validators, and the prompts for what they find."""
        addressed = self.format == "adt-kind-address"
        key = f"closure.{_WORD_OF_VERDICT[self.verdict]}"
        validator: Json = {
            "type": "command",
            "command": "git status --porcelain",
            "successWhen": self.chance.choice(("empty", "exitCode:0", "contains:clean", "matches:^ok")),
            "failurePattern": "dirty",
            "extractParams": {"files": "parseChangedFiles"},
        }
        if addressed:
            validator["phase"] = "postllm"
        registry["validators"] = {"git-clean": validator}
        pattern = {"description": "d", "edition": "failed", "adaptation": "dirty", "params": ["files"]}
        registry["failurePatterns"] = {"dirty": pattern}
        conditions = {"postLLMConditions" if addressed else "validationConditions": [{"validator": "git-clean"}]}
        step: Json = {"stepId": key, "name": key, "c2": "retry", "c3": self.main, **conditions}
        if addressed:
            step |= {"address": {"c1": "steps", "c2": "retry", "c3": self.main, "edition": "failed"}}
            step["preflightConditions"] = []
        step["onFailure"] = {"action": "retry", "maxAttempts": 3}
        registry["validationSteps"] = {key: step}
        return {f"{PROMPTS}/retry/{self.main}/f_failed_dirty.md": "Clean {{files}} up.\n"}

    def _agent(self) -> Json:
        parameter = {"type": "number", "description": "The issue", "required": True, "cli": "--issue"}
        top: Json = {"version": "1.0.0", "name": "demo", "displayName": "Demo", "description": "Works"}
        flow: Json = {"systemPromptPath": "prompts/system.md", "prompts": {"registry": "steps_registry.json"}}
        bounds = {"allowedTools": ["Read"], "permissionMode": "plan"}
        if self.in_older_layout:
            behavior = {
                "systemPromptPath": "prompts/system.md",
                "completionType": self.verdict,
                "completionConfig": dict(_OLDER_VERDICTS[self.verdict]),
                **bounds,
            }
            more = {"prompts": {"registry": "steps_registry.json", "fallbackDir": "prompts"}}
            return {**top, "parameters": {"issue": parameter}, "behavior": behavior, **more}
        runner: Json = {"flow": flow, "verdict": {"type": self.verdict, "config": self._config()}}
        if self.format != "adt-kind-address":
            runner["boundaries"] = bounds
        if self.chance.random() < 0.3:
            runner["logging"] = {"directory": "logs", "format": "jsonl"}
        return {**top, "parameters": {"issue": parameter}, "runner": runner}

    def _config(self) -> Json:
        conditions: list[Json] = [{"type": "count:iteration", "config": {"maxIterations": 8}}]
        conditions += (
            [{"type": "meta:custom", "config": {"handlerPath": "verdict.ts"}}] if self._composes_custom else []
        )
        of_type: Mapping[str, Json] = {
            "count:check": {"maxChecks": 5},
            "detect:keyword": {"verdictKeyword": "DONE"},
            "detect:structured": {"signalType": "done"},
            "meta:composite": {"operator": "or", "conditions": conditions},
            "meta:custom": {"handlerPath": "verdict.ts"},
        }
        return {**of_type.get(self.verdict, {}), "maxIterations": 12}

    @property
    def _composes_custom(self) -> bool:
        return len(self.topics) > 1

    def _conditions_have(self, verdict: str) -> bool:
        return self.verdict == "meta:composite" and verdict == "meta:custom" and self._composes_custom


def _with_checks(chance: random.Random) -> Files:
    """An agent whose registry has checks."""
    ids = [f"s_{chance.randrange(16**4):04x}" for _step in range(chance.choice((1, 2, 3)))]
    steps: Json = {}
    files: Files = {f"{HOME}/prompts/system.md": "You work.\n"}
    for at, step_id in enumerate(dict.fromkeys(ids)):
        last = at + 1 == len(set(ids))
        on_pass: Json = {"complete": True} if last else {"next": list(dict.fromkeys(ids))[at + 1]}
        retry = {"retry": True, "maxRetries": chance.choice((1, 3)), "fallback": ids[0]}
        on_fail: Json = chance.choice((retry, {"fallback": ids[0]}, {"next": step_id}))
        prompt, check = ({"c1": c1, "c2": "part", "c3": f"topic-{at}"} for c1 in ("steps", "checks"))
        for parts in (prompt, check):
            files[f"{HOME}/prompts/{parts['c1']}/part/topic-{at}/f_default.md"] = "Work.\n"
        steps[step_id] = {
            "id": step_id,
            "name": f"Part {at}",
            "prompt": prompt,
            "iterations": {"min": 1, "max": chance.choice((1, 3))},
            "check": {
                "prompt": check,
                "responseFormat": {"result": "ok|ng", "message": "string"},
                "onPass": on_pass,
                "onFail": on_fail,
            },
        }
    registry = {"agentId": "demo", "version": "1.0.0", "basePath": "prompts", "entryStep": ids[0], "steps": steps}
    behavior = {
        "systemPromptPath": "prompts/system.md",
        "completionType": "iterate",
        "completionConfig": {"maxIterations": 9},
        "allowedTools": ["Read"],
        "permissionMode": "plan",
    }
    agent_file = {
        "version": "1.0.0",
        "name": "demo",
        "displayName": "Demo",
        "description": "Works",
        "parameters": {},
        "behavior": behavior,
        "prompts": {"registry": "steps_registry.json", "fallbackDir": "prompts"},
    }
    return files | {REGISTRY: registry, AGENT: agent_file}
