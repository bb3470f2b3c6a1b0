"""Carries out what a run asks for: prompts and schemas from the agent's files, answers and commands by others.

One effect at a time with `carry_out`, for a window or a debugger; or to the end with `run`.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from stepflow_gui.formats.climpt.agent.claude_settings import (
    FOLDER,
    SHARED,
    ClaudeSettings,
    SettingsFault,
)
from stepflow_gui.formats.climpt.eras import Era, guide_for
from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.claude_settings import settings_of_project
from stepflow_gui.project.named_files import missing_system_prompt
from stepflow_gui.project.schemas.repeated_refs import RepeatedRefs
from stepflow_gui.run.effects import Commands, Effects, NoAnswer, Responder, ResponderQuery
from stepflow_gui.run.host.permissions import mode_of, model_of
from stepflow_gui.run.host.validating import validate
from stepflow_gui.run.machine.answer_text import answer_in
from stepflow_gui.run.machine.loading import as_read_in, start
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.run_config import NO_SETTINGS, AgentSettings
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import (
    START,
    Answered,
    Effect,
    Event,
    NotAsked,
    Outcome,
    ProgramEnded,
    Query,
    RunProgram,
    RunValidator,
    Start,
    State,
    Stopped,
    TraceEntry,
)
from stepflow_gui.run.machine.verdict import NO_VERDICT, Verdict
from stepflow_gui.run.prompts.prompt_builder import compose
from stepflow_gui.run.prompts.prompt_files import PromptShelf
from stepflow_gui.run.prompts.prompt_result import NoPrompt, PromptResult

_NO_SCHEMA = frozenset({"no-ref", "ref-incomplete", "file-missing"})  # the step runs without one


class HostEvent(NamedTuple):
    """An event of a run with its cause and its result."""

    entry: TraceEntry
    state: State
    effects: tuple[Effect, ...]
    request: ResponderQuery | None = None


class Ran(NamedTuple):
    """A run from its start to where it ended or stopped. `unanswered`: why it couldn't be continued."""

    history: tuple[HostEvent, ...]
    state: State
    stopped: Stopped | None = None
    unanswered: NoAnswer | None = None

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None where an error stopped it."""
        return self.state.outcome


class Host:
    """Runs an agent. `agents` gives it as its files are when an iteration begins; the registry is that of the start.

    `effects` are for `run` alone; who carries a run out one effect at a time names responder and commands each time.
    """

    def __init__(
        self,
        agents: Callable[[int], AgentFolder],
        effects: Effects | None = None,
        verdict: Verdict = NO_VERDICT,
        era: Era | None = None,
        settings: AgentSettings = NO_SETTINGS,
        *,
        spare_prompts: Mapping[str, str | None] | None = None,
        needs_prompts: bool | None = True,
    ) -> None:
        agent = agents(0)
        era = era or guide_for(agent.flow.format)
        loaded = start(agent, era, verdict.type)
        self.machine = Machine(
            as_read_in(agent.flow, era),
            verdict,
            era,
            settings,
            refused=loaded.error,
            routes=loaded.routes,
            programs=True,
        )
        self._agents = agents
        self._effects = effects
        self._spare = spare_prompts or {}
        # Else a step without a prompt is asked anyway.
        self.needs_prompts = era.needs_prompts if needs_prompts is None else needs_prompts
        self.needs_system_prompt = False  # whether a step isn't asked without the file, where that stops climpt

    def run(self, start: Start | None = None) -> Ran:
        """Run to the end, or to the error that stops the run, by the effects that the host was made with."""
        assert self._effects is not None
        answers = _EffectAdapter(self._effects)
        history: list[HostEvent] = []

        def keep(happened: HostEvent) -> None:
            history.append(happened)

        ran = self.drive(start or Start(), answers, answers, keep)
        return ran._replace(history=tuple(history))

    def drive(
        self, start: Start, responder: Responder, commands: Commands, on_event: Callable[[HostEvent], None]
    ) -> Ran:
        """Run until it ends, stops or can't be continued. `on_event` gets each event; none is kept."""
        state, asked = START, None
        event: Event = start
        while True:
            state, effects = self.machine.step(state, event)
            assert state.last is not None
            on_event(HostEvent(state.last, state, effects, asked))
            stopped = next((effect for effect in effects if isinstance(effect, Stopped)), None)
            if stopped is not None or state.outcome is not None:
                return Ran((), state, stopped)
            moved = self.carry_out(state, effects[-1], responder, commands)
            if isinstance(moved, NoAnswer):
                return Ran((), state, unanswered=moved)
            event, asked = moved

    def never_asked(self) -> dict[str, NotAsked]:
        """The steps whose output schema can't be resolved, and what happens in place of asking them."""
        agent, era = self._agents(0), self.machine.era
        found = {step: schema_for(agent, step, era) for step in (self.machine.flow.steps if era.gates else ())}
        return {step: NotAsked("schema", each.message) for step, each in found.items() if isinstance(each, RunError)}

    def unprompted(self, state: State, query: Query) -> NotAsked | None:
        """What ends the run in place of asking a step whose prompt can't be made; None where the step is asked."""
        _asked, refused = self._prepared(state, query)
        return refused if refused is not None and refused.why != "schema" else None

    def carry_out(
        self, state: State, effect: Effect, responder: Responder, commands: Commands
    ) -> tuple[Event, ResponderQuery | None] | NoAnswer:
        """Carry out what a state waits for: the last of a step's effects.

        Returns the resulting event, and what was asked where it is an answer; `NoAnswer` where the run can't
        be continued, which leaves it as it is. The state is only read, so this may run on another thread.
        """
        event: Event | NoAnswer
        match effect:
            case Query():
                return self._ask(state, effect, responder)
            case RunValidator():
                event = validate(self.machine, state, effect, commands)
            case RunProgram():
                event = self._start_program(effect, commands)
            case _:
                raise AssertionError(effect)  # the machine waits for something in every state that isn't an end
        return event if isinstance(event, NoAnswer) else (event, None)

    def _ask(self, state: State, query: Query, responder: Responder) -> tuple[Event, ResponderQuery | None] | NoAnswer:
        asked, refused = self._prepared(state, query)
        if refused is not None:
            return refused, asked
        assert asked is not None
        answered = responder.answer(asked, state)
        if isinstance(answered, NoAnswer):
            return answered
        answered = answered._replace(by_handler=asked.prompt.by_handler)
        if answered.answer is None and asked.schema is not None and answered.texts:
            answered = answered._replace(answer=answer_in(answered.texts[-1]))
        return answered, asked

    def _prepared(self, state: State, query: Query) -> tuple[ResponderQuery, NotAsked | None] | tuple[None, NotAsked]:
        machine, agent = self.machine, self._agents(query.iteration)
        if self.needs_system_prompt:
            named = missing_system_prompt(agent)
            if named is not None:
                message = _("The system prompt “{path}” of agent.json doesn't exist. Write it, or step back.")
                return None, NotAsked("prompt", message.format(path=named))
        prompt = compose(machine.config, state, PromptShelf(agent, self._spare))
        if isinstance(prompt, NoPrompt):
            if self.needs_prompts:
                return None, NotAsked("check" if query.check else "prompt", prompt.message, prompt.code)
            prompt = PromptResult(None, "built_in", tried=prompt.tried, failure=prompt)
        mode = machine.config.settings.permission_mode
        if machine.era.settings_file:
            allowed = settings_of_project(agent).found
            if isinstance(allowed, ClaudeSettings):
                mode = allowed.mode
            elif self.needs_prompts:
                return None, NotAsked("prompt", _no_settings(allowed), allowed.code)
        step = machine.flow.steps[query.step]
        settings = machine.config.settings
        asked = ResponderQuery(
            query,
            prompt,
            None,
            model_of(step, settings.default_model),
            mode_of(step, mode, machine.era),
        )
        schema = schema_for(agent, query.step, machine.era) if machine.era.gates else None
        if isinstance(schema, RunError):
            return asked, NotAsked("schema", schema.message)
        return asked._replace(schema=schema), None

    def _start_program(self, request: RunProgram, commands: Commands) -> ProgramEnded | NoAnswer:
        if request.missing is not None:
            message = _("The program of {step} asks for “{key}”, which was not given.")
            return ProgramEnded(-1, failed=message.format(step=request.step, key=request.missing))
        return commands.program(request)


def _no_settings(fault: SettingsFault) -> str:
    if fault.kind == "missing":
        return _("{file} is missing: it sets the agents' permissions.").format(file=FOLDER / SHARED)
    if fault.kind == "syntax":
        return _("The agent's settings file is not valid JSON.")
    return _("“{pointer}” in the agent's settings file is missing or invalid.").format(pointer=fault.pointer)


class _EffectAdapter:
    """Effects as a responder and as commands."""

    name = ""
    costs_money = False

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self.command = effects.command
        self.exists = effects.exists
        self.program = effects.program

    def answer(self, asked: ResponderQuery, _state: State) -> Answered:
        return self._effects.answer(asked)

    def preset_result(self, _request: RunValidator, _state: State) -> None:
        return None


def schema_for(agent: AgentFolder, step_id: str, era: Era) -> Mapping[str, Any] | RunError | None:
    """The output schema of a step, resolved afresh; None where it has none or its file is missing."""
    step = agent.flow.steps.get(step_id)
    if step is None or step.schema_ref is None:
        return None
    schema = agent.schema(step)
    if schema.place is not None:
        lost = next((fault for fault in schema.faults if _is_lost(fault, era)), None)
        again = RepeatedRefs(agent).of(schema) if lost is None and era.refuses_cycles else None
        if lost is None and again is None:
            return schema.value
        message = (
            _("the output schema of {step} refers to itself.").format(step=step_id)
            if lost is None or lost.kind == "ref-cycle"
            else _("“{name}” doesn't name a schema.").format(name=lost.detail)
        )
        return RunError(kind="schema", message=message, step=step_id)
    problem = schema.problem
    if problem is None or problem.kind in _NO_SCHEMA or (problem.kind == "file-invalid" and not era.refuses_cycles):
        return None
    message = _("“{name}” doesn't name a schema.").format(name=problem.detail)
    return RunError(kind="schema", message=message, step=step_id)


def _is_lost(fault: SchemaProblem, era: Era) -> bool:
    """Whether a reference makes a schema that can't be resolved; before 2026-03-28 a cycle counted as any object."""
    return fault.kind == "ref-dangling" or (fault.kind == "ref-cycle" and era.refuses_cycles)
