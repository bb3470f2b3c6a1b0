"""What climpt's own runner prints where a run can't go on, on one line each; most of it is of seed 002."""

from collections.abc import Sequence

NOT_AN_OBJECT = "Cannot convert undefined or null to object"  # of the validators' parameters
NO_GRAPH_ENTRY = "[StepMachine] No entry step configured"  # of the handler of detect:graph at 2026-03-14
_SEE = "See agents/docs/design/08_step_flow_design.md for requirements."


def no_entry(completion_type: str) -> str:
    """Neither an entry for the completion type nor an `entryStep`."""
    return (
        f'[StepFlow] No entry step configured for completionType "{completion_type}".'
        f' Define either "entryStepMapping.{completion_type}" or "entryStep" in steps_registry.json.'
    )


def incomplete_steps(without_gate: Sequence[str], without_transitions: Sequence[str]) -> str:
    """Flow steps that lack a gate or transitions, checked when the registry is loaded."""
    lines = ["[StepFlow] Flow validation failed. All Flow steps must define structuredGate and transitions."]
    if without_gate:
        lines.append(f"Steps missing structuredGate: {', '.join(without_gate)}")
    if without_transitions:
        lines.append(f"Steps missing transitions: {', '.join(without_transitions)}")
    return " ".join([*lines, _SEE])


def no_intent(step: str, iteration: int) -> str:
    """An answer after the first iteration from which no intent could be read."""
    return (
        f'[StepFlow] No intent produced for iteration {iteration} on step "{step}".'
        " Flow steps must produce structured output with a valid intent."
        " Check that the step's schema includes next_action.action and the LLM returns valid JSON."
    )


def no_routed_step(iteration: int) -> str:
    """A step whose answer had no target, as it has no gate: the next iteration has no step."""
    return (
        f"[StepFlow] No routed step ID for iteration {iteration}."
        " All Flow steps must define structuredGate with transitions."
        " Check steps_registry.json for missing gate configuration."
    )


def no_fallback_prompt(key: str, step: str) -> str:
    """A fallback key that names no built-in prompt (seed 000)."""
    return f'No fallback prompt found for key: "{key}" (step: {step})'
