"""A verdict type with the settings of its config, written into an agent.json in one go."""

from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import SetVerdict
from stepflow_gui.formats.climpt.changes.draft import Draft, document_of
from stepflow_gui.formats.climpt.changes.field_order import put
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit, apply, difference
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree, JsonValue
from stepflow_gui.text.pointer import join, parent, split
from stepflow_gui.text.source import Source

_ORDER = ("flow", "verdict", "boundaries", "integrations", "actions", "execution", "logging")  # of new members


def set_verdict(files: AgentFiles, change: SetVerdict) -> Plan | Refusal:
    """The type, and the settings that are given; those that no longer count are taken out."""
    document = document_of(files, change.file)
    if isinstance(document, Refusal):
        return document
    for where in _above(change.holder):
        node = document.tree.at(where)
        if node is not None and node.kind != "object":
            return Refusal(
                _("“{field}” is not an object").format(field=split(where)[-1] if where else document.path.name)
            )
    config = join(change.holder, change.config_key)
    wanted: list[tuple[str, JsonValue]] = [(join(change.holder, change.type_key), change.type)]
    there = document.tree.at(config)
    if there is not None and there.kind != "object":
        wanted.append((config, dict(change.config)))
    else:
        wanted += [(join(config, key), value) for key, value in change.config]
    tree = document.tree
    for pointer, value in wanted:
        tree = _after(tree, _set(tree, pointer, value))
    gone = [join(config, key) for key in change.without if tree.at(join(config, key)) is not None]
    if gone:
        tree = _after(tree, json_edit.remove(tree, *gone))
    return _plan(files, document, tree, change.type)


def _plan(files: AgentFiles, document: ParsedFile, tree: JsonTree, verdict: str) -> Plan:
    draft = Draft(files)
    draft.edit(document, difference(document.source.text, tree.source.text))
    return draft.plan(_("Set the verdict type {verdict}").format(verdict=verdict))


def _set(tree: JsonTree, pointer: str, value: JsonValue) -> list[TextEdit]:
    if tree.at(pointer) is not None:
        return json_edit.set_value(tree, pointer, value)
    holder, keys = pointer, list[str]()
    while tree.at(holder) is None:
        keys.insert(0, split(holder)[-1])
        holder = parent(holder)
    for key in reversed(keys[1:]):
        value = {key: value}
    return put(tree, holder, keys[0], value, (*_ORDER, "type", "config"))


def _above(pointer: str) -> list[str]:
    found = [""]
    for key in split(pointer):
        found.append(join(found[-1], key))
    return found


def _after(tree: JsonTree, edits: list[TextEdit]) -> JsonTree:
    return read_json(Source(apply(tree.source.text, edits)))
