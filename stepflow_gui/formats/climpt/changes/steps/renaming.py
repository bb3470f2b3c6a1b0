"""Renaming a step wherever it stands: registry, agent.json, schema files, layout."""

import re
from collections.abc import Iterable, Iterator, Mapping

from stepflow_gui.flow.model import Step
from stepflow_gui.formats import layout_sidecar
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import RenameStep
from stepflow_gui.formats.climpt.changes.draft import (
    Draft,
    bad_new_id,
    doubled,
    listed,
    readable,
    step_of,
    unsound,
)
from stepflow_gui.formats.climpt.changes.steps.references import VALIDATION_KEYS, StepReference, references, rewrite
from stepflow_gui.formats.climpt.changes.steps.schema_references import (
    NamedSchema,
    holder_of,
    name_references,
    schema_of,
    schemas_named,
    step_id_references,
    users,
)
from stepflow_gui.formats.climpt.changes.steps.walks import Walks
from stepflow_gui.formats.climpt.lookup import path_of_fields, prompt_path, with_address_parts
from stepflow_gui.formats.climpt.vocabulary import VALIDATION_STEP_OF_VERDICT
from stepflow_gui.formats.edits import Plan, PromptMove, Refusal
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import Node


def rename_step(files: AgentFiles, change: RenameStep, walks: Walks | None = None) -> Plan | Refusal:
    """Another id for a step, wherever it stands. Who asks for several over the same files gives them the same walks."""
    walks = walks or Walks()
    draft = Draft(files)
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    title = _("Rename {step} to {new}").format(step=change.step, new=change.new)
    if change.new == change.step:
        return draft.plan(title)
    refused = bad_new_id(files.flow, change.new) or doubled(files.flow, change.step)
    if refused:
        return refused
    found = [*references(files, change.step, walks.references(files.flow)), *_schema(draft, step, change.new, walks)]
    for document, edits in rewrite(found, change.new).values():
        refused = unsound(document)
        if refused:
            return refused
        draft.edit(document, edits)
    _mention(draft, change, found, walks)
    _layout(draft, change)
    _report_verdict_key(draft, change.step, found)
    _report_handler(draft, change)
    _follow_prompt(draft, step, change.new, walks, write=change.prompts)
    return draft.plan(title)


def _schema(draft: Draft, step: Step, new: str, walks: Walks) -> list[StepReference]:
    """The schema's name, where it is the step's alone, and the places that bind `stepId` to it."""
    files = draft.files
    found = step_id_references(files, step.id, walks)
    schema = schema_of(files, step)
    if schema is None:
        _report_unread(draft, step)
    for named in dict.fromkeys([*([schema] if schema else []), *schemas_named(files, step.id)]):
        if named.name == step.id and _takes(draft, step, named, new):
            found += name_references(files, named, walks)
    return found


def _takes(draft: Draft, step: Step, schema: NamedSchema, new: str) -> bool:
    """Whether a schema of the step's name gets the new one, too."""
    others = [user for user in users(draft.files, schema) if user != step.id]
    holder = schema.document.tree.at(holder_of(schema))
    if others:
        text = _("The schema “{name}” keeps its name: {steps} use it too")
        draft.note(text.format(name=schema.name, steps=listed(others)))
    elif holder is not None and holder.member(new):
        text = _("The schema “{name}” keeps its name: “{file}” has a “{new}” already")
        draft.note(text.format(name=schema.name, file=schema.document.path.name, new=new))
    return not others and holder is not None and not holder.member(new)


def _report_unread(draft: Draft, step: Step) -> None:
    ref = step.schema_ref
    if ref and ref.file and ref.schema and step.id in ref.schema.value:
        draft.note(
            _("The schema “{name}” keeps its name: it can’t be found in “{file}”").format(
                name=ref.schema.value, file=ref.file.value
            )
        )


def _mention(draft: Draft, change: RenameStep, found: Iterable[StepReference], walks: Walks) -> None:
    """Descriptions that speak of the step: only an id with a dot is surely one."""
    if "." not in change.step:
        return
    taken = {(each.document.path, each.span) for each in found}
    count = 0
    for document in _documents(draft.files):
        edits = [
            edit
            for node in walks.prose(document, change.step)
            if (document.path, node.span) not in taken
            for edit in _mentions(document, node, change)
        ]
        count += len(edits)
        if change.texts:
            draft.edit(document, edits)
    if count and not change.texts:
        draft.note(
            ngettext(
                "{count} description mentions “{step}” and stays as it is",
                "{count} mentions of “{step}” in descriptions stay as they are",
                count,
            ).format(count=count, step=change.step)
        )


def _documents(files: AgentFiles) -> Iterator[ParsedFile]:
    yield files.flow.document
    if files.agent and files.agent.document.tree.valid:
        yield files.agent.document
    for document in files.schema_files():
        if isinstance(document, ParsedFile) and document.tree.valid:
            yield document


def _mentions(document: ParsedFile, node: Node, change: RenameStep) -> Iterator[TextEdit]:
    word = re.compile(rf"(?<![\w.-]){re.escape(change.step)}(?![\w-]|\.\w)")
    written = document.source.text[node.start : node.end]
    for match in word.finditer(written):
        yield TextEdit(node.start + match.start(), node.start + match.end(), change.new)


def _layout(draft: Draft, change: RenameStep) -> None:
    document = readable(draft.files, draft.files.layout_file)
    if document is None:
        return
    problem = layout_sidecar.problem(document)
    if problem:
        draft.note(problem.reason)
    else:
        draft.edit(document, layout_sidecar.renamed(document, change.step, change.new))


def _report_verdict_key(draft: Draft, step_id: str, found: Iterable[StepReference]) -> None:
    verdict = next((key for key, step in VALIDATION_STEP_OF_VERDICT.items() if step == step_id), None)
    keys = {f"/{key}/{step_id}" for key in VALIDATION_KEYS}
    if verdict and any(each.pointer in keys for each in found):
        draft.note(
            _(
                "Runners look for “{step}” in validationSteps under the verdict type {verdict}, and find none now"
            ).format(step=step_id, verdict=verdict)
        )


def _report_handler(draft: Draft, change: RenameStep) -> None:
    """The verdict's handler of `closing` looks for a step by the topic of the entry (runtime-semantics 9)."""
    flow = draft.files.flow
    old, new = (f"continuation.{name.partition('.')[2]}" for name in (change.step, change.new))
    begins = any(entry.target and entry.target.value == change.step for entry in flow.entries)
    if flow.format == "closing" and begins and old in flow.steps and new not in flow.steps:
        text = _("The verdict's handler of climpt-2026-03-14 shows the prompt of “{old}”, and looks for “{new}” now")
        draft.note(text.format(old=old, new=new))


_PARTS = ("c2", "c3", "edition")
_C3 = re.compile(r"[a-z]+(-[a-z]+)*")
_WORD = re.compile(r"[\w-]+")


def _new_parts(step: Step, new: str) -> dict[str, str]:
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


def _follow_prompt(draft: Draft, step: Step, new: str, walks: Walks, *, write: bool) -> None:
    """Offer the moves of the prompt that would fit the new id; with `write` the step gets that address."""
    parts = _new_parts(step, new)
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
    old, new = prompt_path(flow, step), path_of_fields(flow, with_address_parts(step.raw, parts))
    if old is None or new is None or old == new:
        return None
    path = next((path for path in files.prompt_candidates(step) if files.exists(path)), None)
    if path is None or not path.as_posix().endswith("/" + old):
        return None
    holder = path.parents[len(old.split("/")) - 1]
    target = holder / new
    prompts = walks.prompts(flow)
    same = [other for other in prompts.users[old] if other != step.id]
    if same:
        draft.note(_("The prompt “{path}” stays: {steps} use it too").format(path=old, steps=listed(same)))
        return None
    alone = prompts.in_folder[old.rpartition("/")[0]] == 1 and path.name == target.name
    return PromptMove(path.parent, target.parent) if alone else PromptMove(path, target)
