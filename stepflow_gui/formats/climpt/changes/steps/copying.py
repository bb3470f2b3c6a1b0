"""A step once more: its text with its own id in place of the old one, and its schema likewise."""

from collections.abc import Iterable

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import DuplicateStep
from stepflow_gui.formats.climpt.changes.draft import Draft, bad_new_id, doubled, step_of, unsound
from stepflow_gui.formats.climpt.changes.steps.references import StepReference, references, rewrite
from stepflow_gui.formats.climpt.changes.steps.schema_references import (
    NamedSchema,
    bind_too,
    bindings_below,
    holder_of,
    name_references,
    schema_of,
)
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text import edit
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.style import style_of
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.json.write import Writer, Written
from stepflow_gui.text.pointer import parent, split


def duplicate_step(files: AgentFiles, change: DuplicateStep) -> Plan | Refusal:
    """The same step under another id, right behind it. It shares the prompt until it is given another address."""
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    refused = bad_new_id(files.flow, change.copy) or doubled(files.flow, step.id)
    if refused:
        return refused
    draft = Draft(files)
    schema = schema_of(files, step)
    inside = [each for each in references(files, step.id) if _below(each, draft.registry, step.pointer)]
    if schema and schema.name == step.id:
        refused = unsound(schema.document)
        if refused:
            return refused
        inside += _copy_schema(draft, step, schema, change.copy)
    elif schema:
        text = _("“{copy}” follows the same schema as “{step}”")
        draft.note(text.format(copy=change.copy, step=step.id))
    bound = bind_too(files, step, change.copy, schema if schema and schema.name == step.id else None)
    if bound:
        draft.edit(*bound)
    edits = _of_all(inside, change.copy) + _named(draft.registry, step, change.name)
    _insert(draft, draft.registry, step.pointer, change.copy, edits)
    return draft.plan(_("Duplicate {step} as {copy}").format(step=step.id, copy=change.copy))


def _copy_schema(draft: Draft, step: Step, schema: NamedSchema, new: str) -> list[StepReference]:
    """Copy the schema, and give the places in the step that name it."""
    named = name_references(draft.files, schema)
    holder = schema.document.tree.at(holder_of(schema))
    if holder is not None and holder.member(new):
        text = _("“{file}” has a schema “{name}” already: it is the new step’s")
        draft.note(text.format(file=schema.document.path.name, name=new))
    else:
        own = [each for each in named if _below(each, schema.document, schema.pointer)]
        edits = _of_all([*own, *bindings_below(schema, step.id)], new)
        _insert(draft, schema.document, schema.pointer, new, edits)
    return [each for each in named if _below(each, draft.registry, step.pointer)]


def _below(each: StepReference, document: ParsedFile, pointer: str) -> bool:
    return each.document is document and each.pointer.startswith(pointer + "/")


def _of_all(found: Iterable[StepReference], new: str) -> list[TextEdit]:
    return [each for _document, edits in rewrite(list(found), new).values() for each in edits]


def _named(registry: ParsedFile, step: Step, name: str | None) -> list[TextEdit]:
    """The copy's display name: two steps of one name can't be distinguished."""
    if step.name is None:
        return []
    writer = Writer(registry.source.text, style_of(registry.tree))
    return [TextEdit(*step.name.span, writer.string(name or f"{step.name.value} 2"))]


def _insert(draft: Draft, document: ParsedFile, pointer: str, key: str, edits: Iterable[TextEdit]) -> None:
    """Put a changed copy of a member behind it."""
    node = document.tree.at(pointer)
    assert node is not None
    text = Written(edit.apply(json_edit.text_of(document.tree, node), _shifted(node, edits)))
    old = split(pointer)[-1]
    draft.edit(document, json_edit.insert_member(document.tree, parent(pointer), key, text, after=old))


def _shifted(node: Node, edits: Iterable[TextEdit]) -> list[TextEdit]:
    unique = dict.fromkeys(edits)
    return [TextEdit(each.start - node.start, each.end - node.start, each.text) for each in unique]
