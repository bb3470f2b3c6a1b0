"""Where a reference of a schema file goes."""

from typing import NamedTuple

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile, Place
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join


class SchemaValue(NamedTuple):
    """A value of a schema file."""

    document: ParsedFile
    pointer: str
    value: JsonValue

    @property
    def place(self) -> Place:
        """Where it stands."""
        node = self.document.tree.at(self.pointer)
        assert node is not None
        return Place(self.document, self.pointer, node.span)


def follow(document: ParsedFile, ref: str, folder: AgentFolder) -> SchemaValue | None:
    """What a `$ref` goes to, its pointer taken without escapes as the runner does; None where that is nothing."""
    file, _hash, path = ref.partition("#")
    path = path.partition("#")[0]
    if "://" in file:
        return None
    found = folder.document(document.path.parent / file) if file else document
    if not isinstance(found, ParsedFile) or found.root is None:
        return None
    at, pointer = found.root.value, ""
    for key in path.removeprefix("/").split("/") if path not in {"", "/"} else ():
        if isinstance(at, list) and key.isdecimal() and int(key) < len(at):
            at = at[int(key)]
        elif isinstance(at, dict) and key in at:
            at = at[key]
        else:
            return None
        pointer = join(pointer, key)
    return SchemaValue(found, pointer, at)
