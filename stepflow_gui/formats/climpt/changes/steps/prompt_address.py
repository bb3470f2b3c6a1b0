"""Where a step's prompt lies, by the parts of its id that its address repeats."""

import re
from collections.abc import Mapping

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.changes.draft import Draft, listed
from stepflow_gui.formats.climpt.changes.steps.walks import Walks
from stepflow_gui.formats.climpt.lookup import path_of_fields, prompt_path
from stepflow_gui.formats.edits import PromptMove
from stepflow_gui.messages import _
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import JsonValue

_PARTS = ("c2", "c3", "edition")
_C3 = re.compile(r"[a-z]+(-[a-z]+)*")
_WORD = re.compile(r"[\w-]+")


def new_parts(step: Step, new: str) -> dict[str, str]:
    """The parts of the address that change with the id: those that are a word of it, at that word's place."""
    before, after = step.id.split("."), new.split(".")
    if len(before) != len(after):
        return {}
    found: dict[str, str] = {}
    for part, old, word in zip(_PARTS, before, after, strict=False):
        held = getattr(step, part)
        if held and held.value == old and word != old and (_C3 if part == "c3" else _WORD).fullmatch(word):
            found[part] = word
    return found


def follow(draft: Draft, step: Step, new: str, walks: Walks, *, write: bool) -> None:
    """Offer the moves of the prompt that would fit the new id; with `write` the step gets that address."""
    parts = new_parts(step, new)
    if not parts or "promptPath" in step.raw:
        return
    move = _move(draft, step, parts, walks)
    if move:
        draft.moves.append(move)
    if write:
        for part, word in parts.items():
            where = getattr(step, part).pointer
            draft.edit(draft.registry, json_edit.set_value(draft.registry.tree, where, word))


def _move(draft: Draft, step: Step, parts: Mapping[str, str], walks: Walks) -> PromptMove | None:
    """The prompt file that is there; its folder where that is the step's alone."""
    flow, files = draft.flow, draft.files
    old, new = prompt_path(flow, step), path_of_fields(flow, _with(step.raw, parts))
    if old is None or new is None or old == new:
        return None
    path = next((path for path in files.prompt_candidates(step) if files.exists(path)), None)
    if path is None or not path.as_posix().endswith("/" + old):
        return None
    holder = path.parents[len(old.split("/")) - 1]
    target = holder / new
    others = {other: where for other, where in walks.prompts(flow).items() if other != step.id}
    same = [other for other, where in others.items() if where == old]
    if same:
        draft.note(_("The prompt “{path}” stays: {steps} use it too").format(path=old, steps=listed(same)))
        return None
    shared = {other.rpartition("/")[0] for other in others.values()}
    alone = old.rpartition("/")[0] not in shared and path.name == target.name
    return PromptMove(path.parent, target.parent) if alone else PromptMove(path, target)


def _with(raw: Mapping[str, JsonValue], parts: Mapping[str, str]) -> dict[str, JsonValue]:
    address = raw.get("address")
    return {**raw, **parts, "address": {**address, **parts}} if isinstance(address, dict) else {**raw, **parts}
