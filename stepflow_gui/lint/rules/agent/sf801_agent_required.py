"""SF801 agent-required.

What it does: reports a field that agent.json must have and hasn't. Those that the runner fills in itself are reported
once for the whole file, as information. An agent.json of the flat layout is read by its own names. A folder below
`.agent` that has a registry and no agent.json at all is pointed out, too.

Why is this bad: climpt refuses to start an agent whose name, displayName, runner or system prompt is missing. A value
that it fills in may be another than the one you have in mind: without permissionMode the agent may only read.

Fix: write the field.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.climpt.agent.flat_fields import AGENT_FLAT
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.closest_name import is_slip, nearest
from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal, Side
from stepflow_gui.lint.rules.agent.sf805_boundary import WORDS
from stepflow_gui.lint.rules.document.agent_faults import NAMES
from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    DOCUMENT,
    ERROR,
    INFO,
    REMOVED,
    Finding,
    Rule,
    RuleContext,
    _,
    changed,
)
from stepflow_gui.lint.rules.refusals import objections, refused_agent, refusing_agent
from stepflow_gui.project.finding.locate import AGENT as AGENT_FILE
from stepflow_gui.project.finding.locate import AGENTS
from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.shown import shown
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Source, Span

RULE = Rule("SF801", "agent-required", ERROR, looks_at=DOCUMENT)

BAD = changed({"agent.json#/displayName": REMOVED})
GOOD = changed()

# Their defaults are what everybody takes, or other rules speak of them.
_UNSAID = frozenset({"prompts", "logging", "cli"})
_BOUNDARIES = "/runner/boundaries"
_PERMISSIONS = (_BOUNDARIES, f"{_BOUNDARIES}/allowedTools", f"{_BOUNDARIES}/permissionMode")


class _Missing(NamedTuple):
    field: Field
    holder: Node
    pointer: str  # of the holder
    misspelt: bool
    is_null: bool  # it is there, and holds null

    @property
    def path(self) -> str:
        return ".".join([*self.pointer.split("/")[1:], self.field.name])


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """What the loader asks for one by one, what it fills in all at once."""
    agent = context.agent_file
    root = document.root
    if document is context.registry:
        yield from _no_file(document, context)
    if document is not context.folder.agent_document or agent is None or root is None:
        return
    shape = AGENT_FLAT if agent.layout == "flat" else AGENT
    filled = []
    refused = objections(agent, context)  # a null that is of a wrong type there
    for missing in _missing(root, shape, context.era.name, ""):
        judged = missing.field.need != "load" or missing.field.name == "name"  # by SF004
        if missing.is_null and judged and agent_pointer(missing) in refused:
            continue
        if missing.field.need == "load":
            message = _("agent.json has no “{field}”: {era} refuses to start the agent").format(
                field=missing.path, era=refusing_agent(context)
            )
            place = agent.place(agent_pointer(missing))
            guess = None if missing.misspelt else _guess(missing, context)
            proposals = _with(missing, guess, document)
            yield Finding(
                message,
                place.span,
                missing.pointer,
                document=document,
                severity=refused_agent(context),
                proposals=proposals,
                lacks=(missing.field.name,),
            )
        elif not missing.misspelt and not _is_elsewhere(missing, context):
            filled.append(missing)
    if filled:
        yield _gathered(filled, agent, document, context)
    yield from _empty(agent, context)


def _is_elsewhere(missing: _Missing, context: RuleContext) -> bool:
    """Of agents that have their permissions in a file of the project: those of climpt 1.14, and its branch."""
    settings = context.settings
    own = context.format == "entry-pair" and settings.runtime is None
    return (own or (context.format in ADDRESSED and settings.guide)) and agent_pointer(missing) in _PERMISSIONS


def _empty(agent: AgentFile, context: RuleContext) -> Iterator[Finding]:
    """Texts that count as missing; SF004 speaks of values of another type, SF805 of words outside their choices."""
    for pointer in agent.falsy_fields(context.era):
        field = field_at(AGENT, pointer, context.era.name)
        is_text = isinstance(field, Field) and field.shape.kind == "string"
        if is_text and agent.value(pointer) == "" and pointer not in WORDS:
            message = _("“{field}” is empty: {era} refuses to start the agent")
            message = message.format(field=agent.name_in_file(pointer), era=refusing_agent(context, pointer))
            yield agent.finding(message, pointer, refused_agent(context))


def _no_file(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Only where it belongs: a registry may well lie elsewhere by itself, and is as good as with one."""
    folder, root = context.folder, document.root
    path = folder.folder / AGENT_FILE
    if root is None or folder.folder.parent.name != AGENTS or folder.agent_document or context.prompts.is_template:
        return
    if folder.agent_problem is None:
        place = document.tree.at("/agentId")
        span = place.span if place else Span(root.start, root.start + 1)
        text = _("agent.json is missing beside the registry: {era} can't start an agent without one").format(
            era=context.climpt.name
        )
        yield Finding(
            text, span, "/agentId" if place else "", severity=INFO, proposals=[_new_agent_file(path, context)]
        )


def agent_pointer(missing: _Missing) -> str:
    """Where a field would stand."""
    return join(missing.pointer, missing.field.name)


def _missing(node: Node, shape: Shape, era: str, pointer: str) -> Iterator[_Missing]:
    for field in shape.fields:
        if field.name in _UNSAID or not field.known_in(era):
            continue
        if field.name == "verdict" and node.member("completion"):
            continue  # SF009 says that it has another name
        value = node.get(field.name)
        is_name = shape is AGENT and field.name in NAMES
        if value is None or (value.value is None and field.need != "no" and not is_name):
            if field.need in {"load", "validate"}:
                yield _Missing(field, node, pointer, _is_misspelt(field, node, shape), value is not None)
        else:
            yield from _below(value, field.shape, era, join(pointer, field.name))


def _below(node: Node, shape: Shape, era: str, pointer: str) -> Iterator[_Missing]:
    if shape.kind == "object":
        if node.kind == "object":
            yield from _missing(node, shape, era, pointer)
    elif shape.kind == "map" and shape.of and node.kind == "object":
        for member in node.members():
            yield from _below(member.value, shape.of, era, join(pointer, member.key))


def _is_misspelt(field: Field, holder: Node, shape: Shape) -> bool:
    """Whether the holder has a key that nothing reads and that is most like the field: SF005 renames that one.

    The field itself, written beside it, would put a default such as all tools in place of what the file says.
    """
    if holder.kind != "object":
        return False
    names = dict.fromkeys(each.name for each in shape.fields)
    return any(key not in names and nearest(key, names) == field.name for key in holder.value)


def _gathered(filled: list[_Missing], agent: AgentFile, document: ParsedFile, context: RuleContext) -> Finding:
    places = []
    for missing in filled:
        default = _taken(missing, agent, context.era)
        message = (
            _("“{field}” is null, as if it were missing") if missing.is_null else _("“{field}” is missing")
        ).format(field=missing.path)
        if default is not None:
            value = json.dumps(default, ensure_ascii=False)
            message = _("“{field}” is missing: {era} uses {value}").format(
                field=missing.path, value=value, era=context.climpt.name
            )
        place = agent.place(agent_pointer(missing))
        places.append(Side(document, place.span, missing.pointer, message))
    names = _(", ").join(missing.path for missing in filled)
    message = _("agent.json leaves out {fields}: {era} fills them in").format(fields=names, era=context.climpt.name)
    found = merge_places(
        places[0].message if len(filled) == 1 else message,
        places,
        severity=INFO,
        proposals=_all(filled, agent, document, context.era),
    )
    return found._replace(lacks=tuple(each.field.name for each in filled if each.pointer == filled[0].pointer))


def _taken(missing: _Missing, agent: AgentFile, era: Era) -> JsonValue:
    """What climpt works with instead: a verdict, for one, is completed by its limit."""
    if agent.layout == "flat":
        return _default(missing.field)
    from stepflow_gui.formats.climpt.agent.defaults import with_defaults  # most files leave nothing out

    at: JsonValue = with_defaults(agent.today, era)
    for key in split(agent_pointer(missing)):
        at = at.get(key) if isinstance(at, dict) else None
    return at


def _default(field: Field) -> JsonValue:
    if field.default is not None or field.shape.kind != "object":
        return field.default
    inner = {each.name: _default(each) for each in field.shape.fields if each.need != "no" and each.name not in _UNSAID}
    return {name: value for name, value in inner.items() if value is not None} or None


def _all(filled: list[_Missing], agent: AgentFile, document: ParsedFile, era: Era) -> Iterator[Proposal]:
    """Write what climpt would take, all at once; no permissions where the file has some in another place."""
    from stepflow_gui.text.json.edit import put_members

    if _has_unread_permissions(document.root.value if document.root else None):
        filled = [each for each in filled if agent_pointer(each) not in _PERMISSIONS]
    holders: dict[str, dict[str, JsonValue]] = {}
    for missing in filled:
        default = _taken(missing, agent, era)
        if default is None:
            return
        holders.setdefault(missing.pointer, {})[missing.field.name] = default
    edits = [
        (document, edit)
        for pointer, members in holders.items()
        for edit in put_members(document.tree, pointer, members)
    ]
    if edits:
        yield Proposal(_("Add the default values"), edits)


def _has_unread_permissions(root: JsonValue) -> bool:
    """Whether a permission, or a key that is one misspelt, stands elsewhere than where it is read."""
    names = [pointer.rpartition("/")[2] for pointer in _PERMISSIONS]
    stack: list[tuple[str, JsonValue]] = [("", root)]
    while stack:
        pointer, value = stack.pop()
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, below in inner:
            where = join(pointer, key)
            if where not in _PERMISSIONS and any(key == name or is_slip(str(key), name) for name in names):
                return True
            stack.append((where, below))
    return False


def _guess(missing: _Missing, context: RuleContext) -> JsonValue:
    match missing.field.name:
        case "name":
            return context.flow.agent_id.value if context.flow.agent_id else context.folder.folder.name
        case "displayName":
            return context.folder.agent.name.value if context.folder.agent and context.folder.agent.name else None
        case "systemPromptPath":
            usual = "prompts/system.md"
            return usual if context.folder.exists(context.folder.folder / usual) else None
    return None


def _with(missing: _Missing, value: JsonValue, document: ParsedFile) -> Iterator[Proposal]:
    name = missing.field.name
    if value is not None and name not in missing.holder.value:
        yield from put(
            document, missing.pointer, name, value, _("Write “{word}”").format(word=f"{name}: {shown(value)}")
        )


def _new_agent_file(path: Path, context: RuleContext) -> Proposal:
    """Write the file at a path, and the others that it then needs; each is an edit of an empty text."""
    from stepflow_gui.formats.climpt.changes.agent import beginning  # few registries lack the file
    from stepflow_gui.lint.rules.agent.sf817_settings_missing import first_settings, settings_to_begin

    folder = context.folder
    settings = settings_to_begin(context)
    system = beginning.system_prompt_of(folder, folder.folder)
    prompts = [TextFile(folder.folder / system, Source(""))] if not folder.exists(folder.folder / system) else []

    def edits() -> DocumentEdits:
        registry = folder.registry.path.relative_to(folder.folder).as_posix()
        value = beginning.first_agent(folder.flow, folder.folder, system, registry)
        text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
        return (
            (ParsedFile.read(path, Source("")), TextEdit(0, 0, text)),
            *((folder.registry, edit) for edit in beginning.of_same_name(folder.flow, value)),
            *((file, TextEdit(0, 0, beginning.first_system_prompt(value))) for file in prompts),
            *((file, TextEdit(0, 0, first_settings(None))) for file in settings),
        )

    begun = [path, *(file.path for file in (*prompts, *settings))]
    return Proposal(_("Create {file}").format(file=path.name), Later(edits, (), begun))
