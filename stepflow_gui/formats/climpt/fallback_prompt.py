"""The step whose prompt is used where a closure step's own can't be read (runtime-semantics 9)."""

from collections.abc import Sequence

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.vocabulary import VALIDATION_STEP_OF_VERDICT


def handler_step(flow: Flow, names: Sequence[str], *, pairs: bool, first: bool = False) -> str:
    """The id of the step whose prompt a verdict's handler shows, which need not be a step of the flow.

    `names` are what the verdict may be called in the mapping, today's name last; `pairs`: the version reads pairs of
    steps there; `first`: in the first iteration of versions that ask the handler then. detect:graph shows the entry
    step's prompt, a pair that of its continuation; else it is the verdict's entry with what continues it, and without
    an entry a pair named by the verdict's word.
    """
    entries = {entry.key: entry.target for entry in flow.entries if not entry.continuation}
    mapped = next((entries[name] for name in names if name in entries), None)
    today = names[-1] if names else ""
    if today == "detect:graph":
        return (mapped.value if mapped else flow.entry_target(None)) or ""
    if pairs:
        later = (entry.target for entry in flow.entries if entry.continuation and entry.key == today)
        return next((target.value for target in later if target), "")
    word = VALIDATION_STEP_OF_VERDICT.get(today, "").partition(".")[2]
    entry = mapped.value if mapped else f"initial.{word}"
    return entry if first else f"continuation.{entry.partition('.')[2]}"


def standby_step(flow: Flow, names: Sequence[str], *, pairs: bool, first: bool = False) -> Step | None:
    """The step whose prompt replaces that of a closure; None where there is none."""
    return flow.steps.get(handler_step(flow, names, pairs=pairs, first=first))
