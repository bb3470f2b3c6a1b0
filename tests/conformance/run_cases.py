"""Sets up an agent as a run case describes it, runs it with the case's script, and returns what was seen."""

import json
from pathlib import Path
from typing import Any

from stepflow_gui.formats.climpt.agent.claude_settings import settings_paths
from stepflow_gui.formats.climpt.agent.resolving import resolve_agent
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.effects import ResponderQuery
from stepflow_gui.run.host.host import Host, HostEvent, Ran
from stepflow_gui.run.machine.gate import CODE
from stepflow_gui.run.machine.route import HANDOFF_FROM_INITIAL, EndRun, Routed
from stepflow_gui.run.machine.run_config import settings_of
from stepflow_gui.run.machine.state import (
    Answered,
    AtBoundary,
    NotAsked,
    ProgramEnded,
    RunProgram,
    RunValidator,
    Start,
    State,
)
from stepflow_gui.run.machine.verdict import verdict_of
from stepflow_gui.run.validators.command_result import CommandResult
from tests.conformance.shell import shell

Json = dict[str, Any]
AGENT = Path(".agent", "demo")
BUILT_IN = "<built-in handler prompt>"
PROMPTS = {
    "retry_generic": "<generic retry prompt>",
    "validation": "<validation message>",
    "format": "<format retry prompt>",
}


class Scripted:
    """Answers with the script of a case, and changes the files by it."""

    def __init__(self, case: Json, folder: Path) -> None:
        self._setup = case["setup"]
        self._script = list(case["script"])
        self._repeats = case.get("scriptRepeatLast", False)
        self._folder = folder
        self._issue = self._setup.get("issueState", "OPEN")
        self._issue_seen = ""
        self.calls: list[Json] = []

    name = ""
    costs_money = False

    def answer(self, _asked: ResponderQuery, state: State) -> Answered:
        """The next entry of the script. A run is over within a minute: how the issue was first found, it stays."""
        entry = self._next()
        self._change(entry)
        self._issue = entry.get("issueState", self._issue)
        if not state.memory.reported.summaries:
            self._issue_seen = self._issue
        closed = str(self._issue_seen).upper() == "CLOSED"
        if "throw" in entry:
            return Answered(None, failed=entry["throw"], verdict_reached=closed)
        texts = tuple(entry.get("texts", ["working"]))
        return Answered(entry.get("output"), texts, session="s1", verdict_reached=closed)

    def preset_result(self, _request: RunValidator, _state: State) -> None:
        """None: every validator is really run."""

    def command(self, command: str) -> CommandResult:
        """A validator's command, really run."""
        return shell(command, self._folder)

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        return (self._folder / path).exists()

    def program(self, request: RunProgram) -> ProgramEnded:
        """The result that the case gives its program."""
        self.calls.append({"command": request.program.command, "args": list(request.args)})
        result = self._setup["subprocess"]
        return ProgramEnded(result["code"], result.get("stdout", ""))

    def before(self, iteration: int) -> None:
        """Rewrites the files that the case wants rewritten before an iteration's query."""
        for path, content in self._setup.get("before", {}).get(str(iteration), {}).items():
            put(self._folder / path, content)

    def _next(self) -> Json:
        if not self._script:
            return {"output": None, "texts": []}
        entry: Json = self._script[0] if self._repeats and len(self._script) == 1 else self._script.pop(0)
        return entry

    def _change(self, entry: Json) -> None:
        for path in entry.get("touch", ()):
            put(self._folder / path, "")
        for path in entry.get("remove", ()):
            (self._folder / path).unlink(missing_ok=True)
        for path, content in entry.get("write", {}).items():
            put(self._folder / path, content)


def observe(case: Json, era: Era, folder: Path) -> Json:
    """What a run of the case shows, in the form of its expectation."""
    setup = case["setup"]
    _set_up(setup, folder)
    script = Scripted(case, folder)

    def agents(iteration: int) -> AgentFolder:
        script.before(iteration)
        found = open_agent(folder / AGENT / "steps_registry.json")
        assert isinstance(found, AgentFolder)
        return found

    agent = agents(0)
    assert agent.agent is not None
    assert agent.agent_document is not None
    settings = settings_of(resolve_agent(agent.agent_document, era))
    host = Host(agents, verdict=verdict_of(agent.agent), era=era, settings=settings)
    history: list[HostEvent] = []
    start = Start(args=setup.get("args", {}), payload=setup.get("issuePayload", {}))
    ran = host.drive(start, script, script, history.append)
    return _seen(ran._replace(history=tuple(history)), setup, script, era)


def put(path: Path, content: Any) -> None:
    """Writes a file, a document as JSON; None takes it away."""
    if content is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def _set_up(setup: Json, folder: Path) -> None:
    registry = setup["registry"]
    if "address" in json.dumps(registry):
        settings = setup.get("settings", {"permissions": {"allow": ["Read"], "defaultMode": "acceptEdits"}})
        put(folder / settings_paths(Path(), "demo")[1], settings)
        if "agentSettings" in setup:
            put(folder / settings_paths(Path(), "demo")[0], setup["agentSettings"])
    put(folder / AGENT / "agent.json", _agent(setup))
    put(folder / AGENT / "steps_registry.json", registry)
    prompts = folder / AGENT / "prompts" / registry.get("c1", "steps")
    for step_id, step in registry["steps"].items():
        if step_id not in setup.get("missingPrompts", ()):
            parts = step.get("address", step)
            adaptation = f"_{parts['adaptation']}" if parts.get("adaptation") else ""
            name = f"f_{parts.get('edition', 'default')}{adaptation}.md"
            put(prompts / parts["c2"] / parts["c3"] / name, setup.get("prompts", {}).get(step_id, f"STEP {step_id}"))
    for path, text in setup.get("promptFiles", {}).items():
        put(prompts / path, text)
    for file, content in {**_schemas(registry), **setup.get("schemas", {})}.items():
        put(folder / AGENT / "schemas" / file, content)
    for path, content in setup.get("files", {}).items():
        put(folder / path, content)


def _agent(setup: Json) -> Json:
    if "behavior" in setup:
        return {"version": "1.0.0", "name": "demo", "behavior": setup["behavior"], "prompts": {}}
    return _merged(_minimal(), setup["agent"])


def _minimal() -> Json:
    flow = {"systemPromptPath": "prompts/system.md", "prompts": {"registry": "steps_registry.json"}}
    return {"version": "1.0.0", "name": "demo", "displayName": "Demo", "description": "", "runner": {"flow": flow}}


def _merged(under: Json, over: Json) -> Json:
    both = {key: value for key, value in under.items() if isinstance(value, dict) and isinstance(over.get(key), dict)}
    return {**under, **over, **{key: _merged(value, over[key]) for key, value in both.items()}}


def _schemas(registry: Json) -> Json:
    """For each gated step a schema that lets it emit what its gate allows."""
    files: Json = {}
    for step in registry["steps"].values():
        gate, ref = step.get("structuredGate"), step.get("outputSchemaRef")
        if not ref:
            continue
        schema: Json = {}
        if gate and "intentSchemaRef" in gate:
            schema = {"enum": gate["allowedIntents"]}
            for key in reversed(gate["intentSchemaRef"].removeprefix("#/").split("/")):
                schema = {key: schema}
        definitions = files.setdefault(ref["file"], {"definitions": {}})["definitions"]
        definitions[ref["schema"].rpartition("/")[2]] = {"type": "object"} | schema
    return files


def _seen(ran: Ran, setup: Json, script: Scripted, era: Era) -> Json:
    steps: list[Json] = []
    calls: list[str] = []
    for happened in ran.history:
        if happened.request is not None:
            steps.append(_step(happened, happened.request, setup.get("recordPermissionMode", False)))
        for effect in happened.effects:
            if isinstance(effect, AtBoundary):
                if steps:  # a program is not a query, which the data would show
                    steps[-1]["boundaryHook"] = True
                calls += effect.calls
    begun = ran.state.waits != "start"
    seen: Json = {"steps": steps, "end": _end(ran, era), "stepContext": {}}
    if begun:
        context = ran.stopped.context if ran.stopped else ran.state.context
        seen |= {
            "stepContext": {step: dict(left) for step, left in context.items()},
            "finalStepId": ran.stopped.step if ran.stopped else ran.state.step,
        }
    if calls:
        seen["sideEffects"] = calls
    if script.calls:
        seen["subprocessCalls"] = script.calls
    return seen


def _step(happened: HostEvent, asked: ResponderQuery, with_mode: bool) -> Json:
    entry, event = happened.entry, happened.entry.event
    answer = event.answer if isinstance(event, Answered) else None
    seen: Json = {
        "iteration": entry.iteration,
        "stepId": entry.step,
        "prompt": _prompt(asked),
        "hasOutput": answer is not None,
    }
    if with_mode:
        seen["permissionMode"] = asked.permission_mode
    read, way, error = entry.interpretation, entry.transition, entry.error
    if read is not None:
        seen["gate"] = {
            "intent": read.intent,
            "target": read.target,
            "handoff": read.handoff,
            "usedFallback": read.used_fallback,
        }
        if way is None:
            seen["route"] = {"error": error.code if error else None}
        else:
            to = way.step if isinstance(way, Routed) else entry.step
            warned = {"warning": way.warning} if way.warning == HANDOFF_FROM_INITIAL else {}
            adaptation = happened.state.memory.adaptation
            repeats = {"repeatAdaptation": adaptation} if adaptation is not None else {}
            seen["route"] = {"nextStepId": to, "signalClosing": isinstance(way, EndRun)} | warned | repeats
    elif error is not None and error.code == CODE:
        seen["gate"] = {"error": error.kind}
    if isinstance(event, NotAsked):
        seen["summaryErrors"] = 1
        if error is None and happened.state.memory.strikes.get(entry.step or "") == 1:
            seen["schemaResolutionFailed"] = True
    elif isinstance(event, Answered) and event.failed:
        seen["summaryErrors"] = 1
    return seen


def _prompt(asked: ResponderQuery) -> str:
    text = (asked.prompt.text or "").strip()
    return text if text.startswith(("STEP ", "RETRY ")) else PROMPTS.get(asked.prompt.source, BUILT_IN)


def _end(ran: Ran, era: Era) -> Json:
    outcome = ran.outcome
    if outcome is None:
        assert ran.stopped is not None
        code = ran.stopped.error.code
        if ran.state.waits == "start":
            return {"kind": "init_error", "success": False, "errorCode": code}
        end = {"kind": "error", "success": False, "iterations": ran.state.iteration, "errorCode": code}
        if era.refuses_other_ids:
            return end | {"errorKind": ran.stopped.error.kind}
        return end | ({"errorName": "Error"} if code == "AGENT_QUERY_ERROR" else {})
    kind = {"limit": "max_iterations", "validation": "error"}.get(outcome.kind, "completed")
    end = {"kind": kind, "success": outcome.success, "iterations": outcome.iterations}
    if outcome.code:
        end["errorCode"] = outcome.code
    if outcome.verdict is not None:
        end["verdict"] = outcome.verdict
    return end | ({"accumulatedErrors": True} if outcome.errors else {})
