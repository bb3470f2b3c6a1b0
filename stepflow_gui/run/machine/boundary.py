"""What upstream does at GitHub when a closure step has finished: reported, never done (runtime-semantics 8)."""

from stepflow_gui.formats.climpt.vocabulary import CLOSURE_ACTIONS
from stepflow_gui.run.javascript.values import text_of
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.state import AtBoundary, Memory, State
from stepflow_gui.text.json.tree import JsonValue


def crossing(config: RunConfig, state: State, at: str, answer: JsonValue) -> tuple[State, AtBoundary]:
    """A closure step at its boundary with the outside: what the verdict handler learns there, and what it would do."""
    memory = state.memory._replace(reported=state.memory.reported.at_boundary(answer))
    return state._replace(memory=memory), _calls(config, at, answer, memory)


def _calls(config: RunConfig, step: str, answer: JsonValue, memory: Memory) -> AtBoundary:
    """The calls of `gh` that would follow; none but under poll:state, whose issue it is."""
    issue = memory.args.get("issue")
    if config.verdict.type != "poll:state" or issue is None:
        return AtBoundary(step, ())
    action = config.settings.closure_action
    wanted = answer.get("closure_action") if isinstance(answer, dict) else None
    if config.era.keeps_verdict and wanted in CLOSURE_ACTIONS:
        action = wanted
    calls = []
    changes = (("--add-label", config.settings.labels_added), ("--remove-label", config.settings.labels_removed))
    labels = [f"{option} {','.join(names)}" for option, names in changes if names]
    if labels and (action != "close" or config.era.closing == "word"):
        calls.append(f"issue edit {text_of(issue)} {' '.join(labels)}")
    if action != "label-only":
        calls.append(f"issue close {text_of(issue)}")
    return AtBoundary(step, tuple(calls))
