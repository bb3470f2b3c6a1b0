"""agent.json as what a form is about: what can be chosen in its lines, and what is asked of it."""

import copy
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QWidget

from stepflow_gui.formats.changes import Change, MoveItem, RemoveField, RenameKey, SetField
from stepflow_gui.formats.climpt.agent.agent_file import AgentDefinition
from stepflow_gui.formats.climpt.agent.table import agent_table
from stepflow_gui.formats.climpt.tools import tools
from stepflow_gui.formats.climpt.vocabulary import VERDICT_TYPES
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.fields import Field, Shape
from stepflow_gui.gui.inspector.forms.field_help import Enter, FieldOffer, Help
from stepflow_gui.gui.inspector.forms.form_fields import FormField
from stepflow_gui.gui.inspector.forms.new_values import new_value
from stepflow_gui.gui.inspector.forms.row_model import RowModel
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.graph_registry import from_root
from stepflow_gui.text.json.tree import JsonTree, JsonValue
from stepflow_gui.text.pointer import join, split

_MOST = 300


class AgentTarget:
    """An agent.json as it is at one moment."""

    def __init__(self, folder: AgentFolder, agent: AgentDefinition) -> None:
        self._folder = folder
        self._file = agent.document.path
        self._era = agent_table(agent)[1]
        self.tree: JsonTree = agent.document.tree

    def steps(self) -> list[str]:
        return [step.id for step in self._folder.flow.steps.values() if not step.is_section]

    def choices(self, line: FormField) -> list[str]:
        if line.shape is None:
            return []
        found = list(line.shape.choices)
        if line.names == "verdict":
            found = found or list(VERDICT_TYPES)
        elif line.names == "step":
            found = self.steps()
        keys = split(line.pointer)
        if "allowedTools" in keys:
            found = ["*", *tools()]
        elif not found:
            found = list(dict.fromkeys(self._paths(keys[-1])))
        return found[:_MOST]

    def key_choices(self, line: FormField) -> list[str]:
        if line.key == "labels":
            return [name for name in ("requirements", "inProgress", "blocked") if name not in line.value]
        return []

    def set_to(self, line: FormField, value: JsonValue) -> Change:
        return SetField(line.pointer, value, self._file)

    def remove(self, line: FormField) -> Change:
        return RemoveField(line.pointer, self._file)

    def rename(self, line: FormField, new: str) -> Change:
        return RenameKey(line.pointer, new, self._file)

    def move(self, line: FormField, offset: int) -> Change:
        return MoveItem(line.pointer, int(split(line.pointer)[-1]) + offset, self._file)

    def add_field(self, pointer: str, field: Field) -> Change:
        value = copy.deepcopy(field.default) if field.default is not None else self._new(field.shape, field.name)
        return SetField(join(pointer, field.name), value, self._file)

    def add_item(self, line: FormField) -> Change | None:
        inner = line.grows
        if inner is None:
            return None
        value = self._new(inner, "")
        if line.absent:
            return SetField(line.pointer, [value], self._file)
        return SetField(join(line.pointer, line.length), value, self._file)

    def add_entry(self, line: FormField, key: str) -> Change | None:
        inner = line.grows
        return None if inner is None else SetField(join(line.pointer, key), self._new(inner, key), self._file)

    def change_form(self, line: FormField, form: int) -> Change:
        assert line.shape is not None
        return SetField(line.pointer, self._new(line.shape.either[form], line.key), self._file)

    def helper(self, line: FormField) -> Help | None:
        del line
        return None

    def open_helper(self, line: FormField, field: QWidget, enter: Enter) -> Refusal | None:
        del line, field, enter
        return None

    def offers(self, shown: RowModel) -> list[FieldOffer]:
        del shown
        return []

    def rewritings(self, line: FormField) -> list[tuple[str, Change]]:
        del line
        return []

    def _new(self, shape: Shape, key: str) -> JsonValue:
        if shape.narrow is not None:  # a verdict inside a composite
            return {"type": "count:iteration", "config": {"maxIterations": 10}}
        return new_value(shape, key, self._era)

    def _paths(self, name: str) -> Iterator[str]:
        """Files or folders that a field may name, from the agent's folder; registryPath from the project's root."""
        base = self._file.parent
        files = sorted(path for path in self._folder.files_below(base) if not _hidden(path.relative_to(base)))
        match name:
            case "systemPromptPath":
                yield from (_from(path, base) for path in files if path.suffix == ".md" and "system" in path.name)
                yield from (_from(path, base) for path in files if path.suffix == ".md")
            case "registry":
                yield from (_from(path, base) for path in files if path.suffix == ".json" and "registry" in path.name)
            case "registryPath":
                registries = (path for path in files if path.suffix == ".json" and "registry" in path.name)
                yield from (from_root(path, self._folder) for path in registries)
            case "fallbackDir" | "base":
                wanted = ".md" if name == "fallbackDir" else ".json"
                holders = dict.fromkeys(path.relative_to(base).parts[0] for path in files if path.suffix == wanted)
                yield from (holder for holder in holders if (base / holder).suffix != wanted)


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _from(path: Path, base: Path) -> str:
    return path.relative_to(base).as_posix()
