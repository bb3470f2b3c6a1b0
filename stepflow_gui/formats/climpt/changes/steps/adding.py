"""A new step, with its gate, transitions and schema, as its neighbours have them."""

from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import AddStep, StepKind
from stepflow_gui.formats.climpt.boundaries import why_not
from stepflow_gui.formats.climpt.changes.draft import Draft, bad_new_id, step_of, unsound
from stepflow_gui.formats.climpt.changes.intents import Enum, enum_of, report_unread
from stepflow_gui.formats.climpt.changes.rules import set_target
from stepflow_gui.formats.climpt.changes.steps import new_schema, new_step
from stepflow_gui.formats.climpt.changes.steps.new_step import NewStep, SchemaName
from stepflow_gui.formats.climpt.changes.steps.schema_references import (
    NamedSchema,
    bind_too,
    holder_of,
    name_references,
    schema_of,
    users,
)
from stepflow_gui.formats.climpt.registry import read_registry
from stepflow_gui.formats.climpt.vocabulary import INTENTS_OF_KIND, intents_of
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text import edit
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json import edit as json_edit


class _NewSchema(NamedTuple):
    """Which schema the new step follows, and the intents of its enum."""

    name: SchemaName
    intents: tuple[str, ...]


def add_step(files: AgentFiles, change: AddStep) -> Plan | Refusal:
    """A new step that looks as its neighbours do, beside its model or where it is asked for."""
    flow = files.flow
    refused = bad_new_id(flow, change.step) or _unfit(flow, change)
    if refused:
        return refused
    model = flow.steps[change.like] if change.like else new_step.model_for(flow, change.step, change.kind)
    draft = Draft(files)
    name = change.name or _title(change.step)
    new = NewStep(change.step, change.kind, name)
    if change.kind == "section" or _without_gates(flow):
        pass
    elif flow.format not in new_step.GATED_FORMATS:
        new = new._replace(intents=new_step.first_intents(flow, model, change.step, change.kind) if model else ())
    else:
        planned = _schema(draft, change, model)
        if isinstance(planned, Refusal):
            return planned
        new = new._replace(intents=planned.intents, schema=planned.name, schema_path=_path(files, model))
    value = new_step.fields(flow, model, new)
    after = change.after or (model.id if model else None)
    added = json_edit.insert_member(draft.registry.tree, "/steps", change.step, value, after=after)
    draft.edit(draft.registry, added)
    if change.incoming:
        refused = _connect_to(draft, change)
        if refused:
            return refused
    return draft.plan(_("Add {step}").format(step=change.step))


def _without_gates(flow: Flow) -> bool:
    """Whether one gate more would make a registry for climpt 1.14 unsound: it wants them at every step, or at none."""
    return flow.format == "adt-kind-address" and bool(flow.steps) and not any(step.gate for step in flow.steps.values())


def _unfit(flow: Flow, change: AddStep) -> Refusal | None:
    for named in (change.like, change.after):
        known = step_of(flow, named) if named else None
        if isinstance(known, Refusal):
            return known
    if change.kind == "section" and not change.step.startswith("section."):
        return Refusal(_("The id of a prompt section begins with “section.”"))
    if change.kind != "section" and change.step.startswith("section."):
        return Refusal(_("A step whose id begins with “section.” is a prompt section"))
    if flow.format == "complete" and change.kind == "verification":
        return Refusal(_("This format has no verification steps"))
    if flow.format == "complete" and (change.kind == "closure") != (change.step.split(".")[0] == "complete"):
        return Refusal(_("The id of a step that ends the flow begins with “complete.”, and no other does"))
    return None


def _title(step_id: str) -> str:
    words = step_id.replace(".", " ").replace("-", " ").replace("_", " ").split()
    return " ".join(word[:1].upper() + word[1:] for word in words)


def _schema(draft: Draft, change: AddStep, model: Step | None) -> _NewSchema | Refusal:
    """The new step's schema and intents: its own beside the model's, or the one that several steps share."""
    flow = draft.flow
    own = new_step.first_intents(flow, model, change.step, change.kind)
    if model is None or model.schema_ref is None or not model.schema_ref.file or not model.schema_ref.schema:
        file = f"{change.step.split('.')[-1]}.schema.json"
        draft.note(_("The schema file “{file}” is still to be written").format(file=file))
        return _NewSchema(SchemaName(file, change.step), own)
    file = model.schema_ref.file.value
    schema = schema_of(draft.files, model)
    if schema is None:
        refused = report_unread(draft, model, draft.files.schema(model).problem)
        return refused or _NewSchema(SchemaName(file, change.step), own)
    enum = enum_of(draft.files, model)
    common = _usable(flow, enum, change.kind)
    if len(users(draft.files, schema)) > 1 and common:
        _bind(draft, model, change.step, None)
        return _NewSchema(SchemaName(file, model.schema_ref.schema.value), common)
    refused = unsound(schema.document)
    if refused:
        return refused
    return _beside(draft, change, model, schema, enum if isinstance(enum, Enum) else None)


def _beside(draft: Draft, change: AddStep, model: Step, schema: NamedSchema, enum: Enum | None) -> _NewSchema:
    """A schema of the new step's own, behind the model's."""
    assert model.schema_ref is not None
    assert model.schema_ref.schema is not None
    assert model.schema_ref.file is not None
    inside = enum is not None and enum.document is schema.document and enum.pointer.startswith(schema.pointer + "/")
    common = () if inside else _usable(draft.flow, enum, change.kind)
    intents = common or new_step.first_intents(draft.flow, model, change.step, change.kind)
    name = SchemaName(model.schema_ref.file.value, _named(draft, model, schema, change.step))
    holder = schema.document.tree.at(holder_of(schema))
    if holder is not None and holder.member(change.step):
        text = _("“{file}” has a schema “{name}” already: it is the new step’s")
        draft.note(text.format(file=schema.document.path.name, name=change.step))
        return _NewSchema(name, intents)
    incoming = new_schema.intent_path(model.gate) if model.gate else []
    value = new_schema.lean(schema.node.value, change.step, incoming, None if common else intents)
    tree = schema.document.tree
    added = json_edit.insert_member(tree, holder_of(schema), change.step, value, after=schema.name)
    draft.edit(schema.document, added)
    _bind(draft, model, change.step, schema)
    return _NewSchema(name, intents)


def _bind(draft: Draft, model: Step, new: str, own: NamedSchema | None) -> None:
    bound = bind_too(draft.files, model, new, own)
    if bound:
        draft.edit(*bound)


def _named(draft: Draft, model: Step, schema: NamedSchema, new: str) -> str:
    """The new schema's name in the form in which the model names its own."""
    where = f"{model.pointer}/outputSchemaRef/schema"
    for each in name_references(draft.files, schema):
        if each.document is draft.registry and each.pointer == where:
            return f"{each.head}{new}{each.tail}"
    return new


def _path(files: AgentFiles, model: Step | None) -> str | None:
    """The model's `intentSchemaRef`, if its target exists."""
    schema = files.schema(model) if model else None
    if model is None or model.gate is None or schema is None or schema.enum_place is None or schema.through_field:
        return None
    return model.gate.intent_schema_ref.value if model.gate.intent_schema_ref else None


def _usable(flow: Flow, enum: object, kind: StepKind) -> tuple[str, ...]:
    """The intents of an enum that a step of that kind can take as it is; () where it can't."""
    fitting = intents_of(flow.format) if flow.format == "complete" else INTENTS_OF_KIND[kind]
    values = tuple(enum.values) if isinstance(enum, Enum) else ()
    return values if all(value in fitting for value in values) else ()


def _connect_to(draft: Draft, change: AddStep) -> Refusal | None:
    """Connect a transition to the new step, if allowed: checked in the flow as it will be."""
    assert change.incoming is not None
    incoming, flow = change.incoming, draft.flow
    step = step_of(flow, incoming.step)
    if isinstance(step, Refusal):
        return step
    text = edit.apply(draft.registry.source.text, draft.edits_of(draft.registry))
    source = draft.registry.source.with_text(text)
    later = read_registry(ParsedFile.read(draft.registry.path, source), flow.format)
    reason = why_not(later, incoming.step, incoming.intent, change.step)
    if reason:
        return Refusal(reason)
    edits = set_target(flow, step, incoming.intent, incoming.case, change.step)
    if isinstance(edits, Refusal):
        return edits
    draft.edit(draft.registry, edits)
    return None
