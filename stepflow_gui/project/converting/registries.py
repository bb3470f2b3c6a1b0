"""The registry of an agent, with the schemas and prompts of its steps, from one format into another."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from stepflow_gui.formats import layout_sidecar
from stepflow_gui.formats.changes import RenameStep
from stepflow_gui.formats.climpt.changes.steps.renaming import rename_step
from stepflow_gui.formats.climpt.changes.steps.walks import Walks
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES
from stepflow_gui.formats.converting import addressed, bases, of_checks, of_complete, of_prompts
from stepflow_gui.formats.converting.made import ConvertedRegistry, JsonObject, object_of
from stepflow_gui.formats.converting.of_checks import Checks
from stepflow_gui.formats.converting.rewriting import rewritten
from stepflow_gui.formats.edits import PromptMove, Refusal
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.converting.prompts import declare_variables, rename_issue, write_prompts
from stepflow_gui.project.converting.schemas import offer_intents, schema_file
from stepflow_gui.project.converting.settings_file import move_from_settings, move_to_settings
from stepflow_gui.project.converting.work import CLOSING, ConversionDraft, LostPart, named_before
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.store import ReadProblem


def from_complete(work: ConversionDraft) -> Refusal | None:
    """Give a flow with `complete` intents closure steps; why that can't be, as a Refusal."""
    work.read_as("complete")
    renames = {key: today for key in work.agent.flow.steps if (today := of_complete.newer_id(key)) != key}
    refused = _rename_steps(work, renames)
    if refused:
        return refused
    back = {today: key for key, today in renames.items()}
    made = of_complete.to_closing(work.value(), work.verdict(), schema_file(work))
    work.add_losses(made.lost, back)
    work.steps = {back.get(step_id, step_id): new for step_id, new in made.steps.items()}
    work.intents = {(back.get(step_id, step_id), word): new for (step_id, word), new in made.intents.items()}
    text = rewritten(work.agent.registry.source.text, made.value, made.renamed)
    work.write(work.agent.registry.path, text, CLOSING)
    offer_intents(work, {})
    write_prompts(work, made.prompts)
    rename_issue(work)
    _report_words(work)
    return None


def _rename_steps(work: ConversionDraft, renames: Mapping[str, str]) -> Refusal | None:
    """Other ids for steps, wherever they stand. All are worked out on the same texts, which is quick."""
    layout = work.before.layout_file
    edits: dict[Path, dict[TextEdit, None]] = {}
    moves: list[PromptMove] = []
    walks = Walks()
    for key, today in renames.items():
        done = rename_step(work.agent, RenameStep(key, today, prompts=True, texts=True), walks)
        if isinstance(done, Refusal):
            return done
        for path, listed in done.edits.items():
            if path != layout:
                edits.setdefault(path, {}).update(dict.fromkeys(listed))
        moves += done.moves
        work.notes += [note for note in done.notes if note not in work.notes]
    work.apply({path: list(listed) for path, listed in edits.items()})
    work.move(moves)
    _rename_places(work, renames)
    return None


def _rename_places(work: ConversionDraft, renames: Mapping[str, str]) -> None:
    """Steps keep their places on the canvas."""
    layout = work.before.document(work.before.layout_file)
    if isinstance(layout, ReadProblem) or layout_sidecar.problem(layout) or not layout.source.text.strip():
        return
    edits = layout_sidecar.all_renamed(layout, renames)
    if edits:
        work.apply({layout.path: edits})


def _report_words(work: ConversionDraft) -> None:
    """Prompts that name an intent by its word of before: no text of a person's is rewritten."""
    words: dict[str, list[tuple[str, str]]] = {}
    for (step, word), today in work.intents.items():
        words.setdefault(step, []).append((word, today))
    for old, (new, *_others) in work.steps.items():
        path = work.prompt_there(work.agent, new)
        text = work.agent.text(path) if path is not None else None
        if path is None or text is None or isinstance(text, ReadProblem):
            continue
        for word, today in words.get(old, ()):
            named = re.search(rf"[`\"“'「]{re.escape(word)}[`\"”'」]", text.source.text)
            if word != today and named:
                why = _("the answer is “{intent}” now; the text of prompts stays as it is").format(intent=today)
                what = _("“{intent}” in the prompt").format(intent=word)
                work.add_loss(path, what, why)


def from_checks(work: ConversionDraft, checks: Checks) -> None:
    """Give a flow with checks gates."""
    root = work.before.registry.root
    value = object_of(root.value if root else None)
    prompts = value.get("basePath")
    folders = bases_of(work, prompts if isinstance(prompts, str) and prompts else "prompts")
    made = of_checks.to_closing(value, _agent_id(work), folders, schema_file(work), checks)
    work.steps, work.intents = made.steps, made.intents
    _rename_places(work, {old: new[0] for old, new in made.steps.items()})
    work.rewrite(made, CLOSING)
    if any(isinstance(step.raw.get("check"), dict) for step in work.before.flow.steps.values()):
        work.notes.append(
            _("Prompts of checks may ask for a “result”: “next_action.action” now decides where the run goes")
        )
    if "basePath" in value and value["basePath"] != "prompts":
        work.notes.append(_("userPromptsBase now has the value of basePath"))
    offer_intents(work, made.schemas)
    write_prompts(work, made.prompts)
    declare_variables(work)


def from_prompts(work: ConversionDraft) -> None:
    """Give a flow of prompts without gates gates and closure steps."""
    made = of_prompts.to_closing(work.value(), work.verdict(), schema_file(work))
    work.add_losses(made.lost)
    _rewrite_with_prompts(work, made._replace(lost=()), CLOSING)
    work.notes.append(
        _(
            "“next_action.action” of each answer now decides where the run goes: output schemas ask for"
            " it, prompts may not"
        )
    )
    offer_intents(work, {})
    write_prompts(work, made.prompts)
    rename_issue(work)


def complete_closing(work: ConversionDraft) -> None:
    """Give a flow of an older format what `closing` has beside closure steps: each `fallbackKey`, a c3 that is read."""
    _rewrite_with_prompts(work, bases.completed(work.value()), CLOSING)


def to_c3l(work: ConversionDraft) -> None:
    """Take out what newer runners don't read; prompts and schemas lie where those look for them."""
    before = work.agent
    for step_id, path in _rewrite_with_prompts(work, bases.to_c3l(work.value(), work.verdict()), "c3l"):
        shown = os.path.relpath(path, work.before.root)
        why = _("no built-in prompt replaces it any more: write it")
        what = _("the prompt “{path}”").format(path=Path(shown).as_posix())
        key = before.flow.steps[step_id].fallback_key
        pointer = key.pointer if key else before.flow.steps[step_id].pointer
        work.lost.append(LostPart(work.before.registry.path, pointer, what, why))
    _keep_schemas(work, before)


def _rewrite_with_prompts(work: ConversionDraft, made: ConvertedRegistry, format_id: str) -> list[tuple[str, Path]]:
    """Rewrite the registry and put prompts where steps look for them then; gives the steps that have none, and where.

    Of the losses those are listed whose place was in the registry as it was.
    """
    before = work.agent
    had = {step_id: work.prompt_there(before, step_id) for step_id in before.flow.steps}
    back = {new[0]: old for old, new in work.steps.items()}
    work.add_losses([lost for lost in made.lost if _was_there(work, named_before(lost.pointer, back))], back)
    work.rewrite(made._replace(lost=()), format_id)
    agent = work.agent
    without = []
    for step in agent.flow.steps.values():
        old, candidates = had.get(step.id), agent.prompt_candidates(step)
        if not candidates or any(work.exists(path) for path in candidates):
            continue
        text = before.text(old) if old is not None else None
        if old is None:
            without.append((step.id, candidates[0]))
        elif not isinstance(text, ReadProblem) and text is not None:
            work.write(candidates[0], text.source.text, format_id)
            work.unused.append(old)
    return without


def to_addressed(work: ConversionDraft) -> None:
    """Give steps kind and address, entries pairs, and agent.json's boundaries a settings file."""
    if work.agent.flow.format in {"closing", "complete", "checks"}:
        to_c3l(work)
    verdict = work.verdict()
    made = addressed.to_addressed(work.value(), OLDER_VERDICT_TYPES.get(verdict, verdict) if verdict else None)
    work.rewrite(made, "adt-kind-address")
    if any(lost.pointer.endswith("/transitions/abort") for lost in made.lost):
        offer_intents(work, {})
        work.read_as("adt-kind-address")
    move_to_settings(work)


def from_addressed(work: ConversionDraft) -> None:
    """Revert both."""
    work.rewrite(addressed.from_addressed(work.value()), "c3l")
    move_from_settings(work)


def _was_there(work: ConversionDraft, pointer: str) -> bool:
    return work.before.registry.tree.at(pointer) is not None


def bases_of(work: ConversionDraft, prompts: str) -> JsonObject:
    """The folders of prompts and schemas, as the registry names them from the project root."""
    here = Path(os.path.relpath(work.before.registry.path.parent, work.before.root))
    return {
        "userPromptsBase": (here / prompts).as_posix(),
        "schemasBase": (here / "schemas").as_posix(),
    }


def _agent_id(work: ConversionDraft) -> str:
    name = work.before.agent.name if work.before.agent else None
    return name.value if name and name.value else work.before.folder.name


def _keep_schemas(work: ConversionDraft, before: AgentFolder) -> None:
    """Schema files that only `schemasBase` led to lie where they are found without it."""
    folder = work.agent.registry.path.parent / "schemas"
    base = object_of(before.registry.root.value if before.registry.root else None).get("schemasBase")
    if not isinstance(base, str) or not base:
        return
    files = {
        step.schema_ref.file.value
        for step in work.agent.flow.steps.values()
        if step.schema_ref and step.schema_ref.file
    }
    lost = [file for file in files if not any(work.agent.exists(path) for path in work.agent.schema_candidates(file))]
    for file in lost:
        old = before.document(before.root / base / file)
        if isinstance(old, ParsedFile):
            work.write(folder / file, old.source.text, "c3l")
            work.unused.append(old.path)
