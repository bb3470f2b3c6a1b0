"""An agent.json brought into the current layout: the parts moved with their own text, the rest left alone."""

from collections.abc import Iterator

from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import ConvertAgent
from stepflow_gui.formats.climpt.agent.converting import Converted, converted
from stepflow_gui.formats.climpt.agent.fields import CONFIG
from stepflow_gui.formats.climpt.changes.draft import Draft, unsound
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit, apply, difference
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.indent import line_indent
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Source

_GROUP = "runner"
_OLDER = {field.newer: field.name for field in CONFIG.fields if field.newer}


def convert_agent(files: AgentFiles, change: ConvertAgent) -> Plan | Refusal:
    """The whole file in the current layout; notes list what stays because it has no place there."""
    document = files.document(change.file)
    if isinstance(document, ReadProblem):
        return Refusal(_("“{file}” can’t be read").format(file=change.file.name))
    refused = unsound(document) or _unfit(document)
    if refused:
        return refused
    assert document.root is not None
    made = converted(document.root.value)
    if made.value == document.root.value:
        return Refusal(_("“{file}” has the current layout already").format(file=change.file.name))
    text = document.source.text
    draft = Draft(files)
    draft.edit(document, difference(text, converted_text(document.tree, made)))
    for where in made.kept:
        draft.note(_("“{place}” has no place in the current layout: it stays as it is").format(place=_words(where)))
    for older, newer in made.taken:
        note = _("“{place}” stays too: “{newer}” has another value, and that one is used")
        draft.note(note.format(place=_words(older), newer=_words(newer)))
    return draft.plan(_("Convert {file} to the current layout").format(file=change.file.name))


def _unfit(document: ParsedFile) -> Refusal | None:
    root = document.root
    assert root is not None
    name = document.path.name
    doubled = next(iter(document.tree.duplicates()), None)
    if doubled is not None:
        key = split(doubled.pointer)[-1]
        return Refusal(_("“{name}” appears twice: remove one of the two first").format(name=key))
    if not isinstance(root.value, dict) or not isinstance(root.value.get(_GROUP, {}), dict):
        field = _GROUP if isinstance(root.value, dict) else name
        return Refusal(_("“{field}” is not an object").format(field=field))
    return None


def converted_text(tree: JsonTree, made: Converted) -> str:
    """The text of a converted agent: every part that is as it was keeps its own, indented again."""
    text = apply(tree.source.text, json_edit.set_value(tree, "", made.value))
    after = read_json(Source(text))
    came = {newer: older for older, newer in made.moved}
    return apply(text, _restored(tree, after, "", "", came))


def _restored(tree: JsonTree, after: JsonTree, old: str, new: str, came: dict[str, str]) -> Iterator[TextEdit]:
    before, now = tree.at(old), after.at(new)
    if now is None:
        return
    if before is not None and new not in {"", "/runner"} and before.value == now.value:
        raw = json_edit.text_of(tree, before)
        indents = line_indent(tree.source.text, before.start), line_indent(after.source.text, now.start)
        yield TextEdit(now.start, now.end, _indented(raw, *indents))
        return
    for member in now.members():
        key = member.key
        if before is not None and before.get(key) is None and _OLDER.get(key) is not None:
            key = _OLDER[key]
        here = join(new, member.key)
        yield from _restored(tree, after, came.get(here, join(old, key)), here, came)
    for index in range(len(now.items())):
        yield from _restored(tree, after, join(old, index), join(new, index), came)


def _indented(raw: str, old: str, new: str) -> str:
    first, *others = raw.split("\n")
    return "\n".join([first, *(new + line.removeprefix(old) if line.startswith(old) else line for line in others)])


def _words(pointer: str) -> str:
    return ".".join(split(pointer))
