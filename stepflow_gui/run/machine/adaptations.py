"""How often a step may repeat, and with which adaptation of its prompt: its adaptationChain (climpt-1.14, 5)."""

from collections.abc import Mapping
from typing import NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.vocabulary import DEFAULT_CHAIN, INTENTS_OF_KIND
from stepflow_gui.messages import _
from stepflow_gui.run.javascript.values import text_of
from stepflow_gui.run.machine.route import EndRun, Routed
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import State
from stepflow_gui.text.pointer import join

Repeats = Mapping[str, int]  # step id -> how many elements of its chain were taken since it was last left
Route = Routed | EndRun | RunError
_RESET_BEFORE_TARGET = frozenset({"handoff", "escalate"})
EXHAUSTED = "chain_exhausted"


def chain_of(step: Step | None) -> tuple[str, ...]:
    """The adaptations of a step's repeats, in order; a text counts letter by letter, as JavaScript indexes it."""
    declared = step.raw.get("adaptationChain") if step is not None else None
    if isinstance(declared, list | str):
        return tuple(text_of(element) for element in declared)
    return DEFAULT_CHAIN


class Repeat(NamedTuple):
    """The counters after an answer, and the adaptation of the next prompt where the step runs again."""

    counts: Repeats
    adaptation: str | None = None


def along_chain(step: Step | None, at: str, intent: str, routed: Route, repeats: Repeats) -> tuple[Route, Repeat]:
    """Where an answer leads that the router sends to `routed`: a repeat only as far as the chain has elements.

    Any other move that succeeds begins the chain anew; a handoff or escalate does so even where its target is missing.
    """
    if intent == "repeat":
        if isinstance(routed, RunError):
            return routed, Repeat(repeats)
        adaptation = next_adaptation(step, at, repeats)
        if isinstance(adaptation, RunError):
            return adaptation, Repeat(repeats)
        return routed, Repeat({**repeats, at: repeats.get(at, 0) + 1}, adaptation)
    allowed = step is None or step.kind is None or intent in INTENTS_OF_KIND[step.kind]
    starts_over = not isinstance(routed, RunError) or (intent in _RESET_BEFORE_TARGET and allowed)
    if starts_over and at in repeats:
        repeats = {each: count for each, count in repeats.items() if each != at}
    return routed, Repeat(repeats)


def repeating(state: State, repeat: Repeat | None) -> State:
    """The state that remembers the counters and the adaptation; None: nothing is counted."""
    if repeat is None:
        return state
    return state._replace(memory=state.memory._replace(repeats=repeat.counts, adaptation=repeat.adaptation))


def next_adaptation(step: Step | None, at: str, repeats: Repeats) -> str | RunError:
    """What the prompt is adapted by when the step runs again; an error where its chain is used up."""
    chain, taken = chain_of(step), repeats.get(at, 0)
    if taken < len(chain):
        return chain[taken]
    pointer = step.pointer if step is not None else None
    message = _("{step} repeats twice in a row, and has no adaptationChain. Answer otherwise, or step back.")
    if step is not None and "adaptationChain" in step.raw:
        message = _("{step} repeats once more than its adaptationChain has elements. Answer otherwise, or step back.")
        pointer = join(step.pointer, "adaptationChain")
    code = "AGENT_ADAPTATION_CHAIN_EXHAUSTED"
    return RunError(EXHAUSTED, message.format(step=at), code, at, pointer)
