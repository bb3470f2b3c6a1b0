"""The prompts of a converted agent: of new steps, and those that lie elsewhere now."""

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from stepflow_gui.formats.climpt.fallback_keys import FALLBACK_KEYS
from stepflow_gui.formats.climpt.lookup import path_of_fields
from stepflow_gui.formats.climpt.new_texts import prompt_text
from stepflow_gui.formats.climpt.prompts import read_prompt, variable_name
from stepflow_gui.formats.converting.made import JsonObject, NewPrompt
from stepflow_gui.messages import _
from stepflow_gui.project.converting.work import CLOSING, ConversionDraft, LostPart, with_values
from stepflow_gui.project.step_files import files_by_step
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

_ISSUE_OF_OLD, _ISSUE = "issue_number", "issue"


def write_prompts(work: ConversionDraft, prompts: Iterable[NewPrompt]) -> None:
    """The prompts of new steps, and those that lie elsewhere now, with the text that they had."""
    agent = work.agent  # with the steps as they are from now on
    users = Counter(path for step in agent.flow.steps.values() for path in agent.prompt_candidates(step))
    for prompt in prompts:
        work.go_on()
        step = agent.flow.steps[prompt.step]
        candidates = agent.prompt_candidates(step)
        if not candidates:
            continue
        there = next((path for path in candidates if work.exists(path)), None)
        old = _old_prompt(work, prompt.old) if prompt.old is not None else None
        if prompt.text == "behind":
            path = there or candidates[0]
            _append(work, prompt, path, old, shared=users[path] > 1)
        elif old is not None and old != there:
            text = work.before.text(old)
            if there is None and not isinstance(text, ReadProblem):
                work.write(candidates[0], text.source.text, CLOSING)
                work.unused.append(old)
        elif prompt.old is None and there is None:
            work.write(candidates[0], prompt_text(step), CLOSING)


def report_missing_prompts(work: ConversionDraft) -> None:
    """List the missing prompts of steps, where no built-in one replaces them."""
    back = {new: old for old, became in work.steps.items() for new in became}
    for step in work.agent.flow.steps.values():
        candidates = [] if step.is_section else work.agent.prompt_candidates(step)
        key = step.fallback_key.value if step.fallback_key else None
        if not candidates or key in FALLBACK_KEYS or any(work.agent.exists(path) for path in candidates):
            continue
        shown = Path(os.path.relpath(candidates[0], work.before.root)).as_posix()
        what, why = _("the prompt “{path}”").format(path=shown), _("the runner stops there: write it")
        pointer = join("/steps", back[step.id]) if step.id in back else "/steps"
        work.lost.append(LostPart(work.before.registry.path, pointer, what, why))


def report_unshown_prompts(work: ConversionDraft) -> None:
    """List the prompts of verification steps, which runners of the format never look for (runtime-semantics 9)."""
    back = {new: old for old, became in work.steps.items() for new in became}
    for step in work.agent.flow.steps.values():
        if step.kind == "verification":
            what = _("the prompt of {step}").format(step=step.id)
            why = _("climpt-2026-03-14 shows the prompt of the verdict's handler at verification steps instead")
            pointer = join("/steps", back.get(step.id, step.id))
            work.lost.append(LostPart(work.before.registry.path, pointer, what, why))


def report_closing_prompts(work: ConversionDraft) -> None:
    """List the missing prompts of the agent's closing action, where a built-in one was used before."""
    back = {new: old for old, became in work.steps.items() for new in became}
    for step_id, files in files_by_step(work.agent).items():
        step = work.agent.flow.steps[step_id]
        key = step.fallback_key.value if step.fallback_key else None
        for file in files:
            if file.kind != "closing-prompt" or file.found or not file.tried or key in FALLBACK_KEYS:
                continue
            shown = Path(os.path.relpath(file.tried[0], work.before.root)).as_posix()
            what, why = _("the prompt “{path}”").format(path=shown), _("the closing action of the agent asks for it")
            pointer = join("/steps", back[step_id]) if step_id in back else "/steps"
            work.lost.append(LostPart(work.before.registry.path, pointer, what, why))


def declare_variables(work: ConversionDraft) -> None:
    """Each step lists what its prompt uses, which is all that it is given."""
    values: dict[str, JsonValue] = {}
    for step in work.agent.flow.steps.values():
        path = work.prompt_there(work.agent, step.id)
        text = work.agent.text(path) if path is not None else None
        if path is None or text is None or isinstance(text, ReadProblem):
            continue
        prompt = read_prompt(text.source.text)
        if prompt.names:
            values[join(step.pointer, "uvVariables")] = [*prompt.names]
        if prompt.reads_input:
            values[join(step.pointer, "usesStdin")] = True
        _report_plain(work, path, text.source.text)
    if values:
        registry = work.agent.registry
        work.write(registry.path, with_values(registry.source.text, values), CLOSING)


def rename_issue(work: ConversionDraft) -> None:
    """Runners filled in `issue_number` from the parameter `issue`, which has that name alone today."""
    agent = work.agent
    parameters = {each.name for each in agent.agent.parameters} if agent.agent else set()
    if _ISSUE not in parameters or _ISSUE_OF_OLD in parameters:
        return
    values: dict[str, JsonValue] = {}
    for step in agent.flow.steps.values():
        listed = step.raw.get("uvVariables")
        made: list[JsonValue] = []
        for each in listed if isinstance(listed, list) else []:
            name = _ISSUE if isinstance(each, str) and variable_name(each) == _ISSUE_OF_OLD else each
            made += [name] if name is each or name not in made else []
        if made == listed or not made or step.raw.get("inputs"):  # an input may have the same name
            continue
        values[join(step.pointer, "uvVariables")] = made
        path = work.prompt_there(agent, step.id)
        text = agent.text(path) if path is not None else None
        if path is not None and text is not None and not isinstance(text, ReadProblem):
            work.write(path, work.now(path).replace(f"{{uv-{_ISSUE_OF_OLD}}}", f"{{uv-{_ISSUE}}}"), CLOSING)
    if values:
        work.write(agent.registry.path, with_values(agent.registry.source.text, values), CLOSING)
        note = _("The variable {old} was renamed to {new}, like the parameter, also in prompts")
        work.notes.append(note.format(old=_ISSUE_OF_OLD, new=_ISSUE))


def _report_plain(work: ConversionDraft, path: Path, text: str) -> None:
    """Parameters in braces alone, which runners of checks filled in as well."""
    for each in work.agent.agent.parameters if work.agent.agent else ():
        for used in (f"{{{{{each.name}}}}}", f"{{{each.name}}}"):
            if used in text:
                why = _("runners with gates fill in only “{variable}”; the text of prompts isn't changed")
                what = _("“{word}” in the prompt").format(word=used)
                work.add_loss(path, what, why.format(variable=f"{{uv-{each.name}}}"))
                break


def _old_prompt(work: ConversionDraft, address: JsonObject) -> Path | None:
    tail = path_of_fields(work.before.flow, {"prompt": address})
    folders = work.before.prompt_folders()
    return next((folder / tail for folder in folders if tail and work.before.exists(folder / tail)), None)


def _append(work: ConversionDraft, prompt: NewPrompt, path: Path, old: Path | None, *, shared: bool) -> None:
    text = work.before.text(old) if old is not None else None
    if text is None or isinstance(text, ReadProblem) or shared or not work.exists(path):
        why = _("it has to be added to the end of the prompt of {step} manually").format(step=prompt.step)
        old_id = next(old_id for old_id, new in work.steps.items() if prompt.step in new)
        what = _("the prompt of the check")
        pointer = join("/steps", old_id, "check", "prompt")
        work.lost.append(LostPart(work.before.registry.path, pointer, what, why))
        return
    work.write(path, work.now(path).rstrip("\n") + "\n\n" + text.source.text, CLOSING)
    work.unused.append(old) if old is not None else None
