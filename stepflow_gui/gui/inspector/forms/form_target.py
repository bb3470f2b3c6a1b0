"""What a form is about: a file of the agent, what can be chosen in its lines, and what is asked of it."""

from typing import Protocol

from PySide6.QtWidgets import QWidget

from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.fields import Field
from stepflow_gui.gui.inspector.forms import choices, piece_helping
from stepflow_gui.gui.inspector.forms import form_changes as asking
from stepflow_gui.gui.inspector.forms.field_help import Enter, FieldOffer, Help
from stepflow_gui.gui.inspector.forms.form_fields import FormField
from stepflow_gui.gui.inspector.forms.row_model import RowModel
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.json.tree import JsonTree, JsonValue


class FormTarget(Protocol):
    """A file as it is at one moment. An edit of a line becomes a change, which isn't made here."""

    @property
    def tree(self) -> JsonTree:
        """What the file holds."""

    def steps(self) -> list[str]:
        """What can be gone to."""

    def choices(self, line: FormField) -> list[str]:
        """What can be chosen, the likeliest first."""

    def key_choices(self, line: FormField) -> list[str]:
        """Which keys a new member of a map may have."""

    def set_to(self, line: FormField, value: JsonValue) -> Change:
        """Another value."""

    def remove(self, line: FormField) -> Change:
        """The member or element taken out."""

    def rename(self, line: FormField, new: str) -> Change:
        """Another key for a member whose key is free."""

    def move(self, line: FormField, offset: int) -> Change:
        """An element put further up or down in its list."""

    def add_field(self, pointer: str, field: Field) -> Change:
        """A field that the object at a pointer hasn't yet."""

    def add_item(self, line: FormField) -> Change | None:
        """An element more at the end of a list."""

    def add_entry(self, line: FormField, key: str) -> Change | None:
        """A member more with a free key."""

    def change_form(self, line: FormField, form: int) -> Change:
        """The value as another alternative of its union."""

    def helper(self, line: FormField) -> Help | None:
        """The button beside a line that opens what helps to fill it in."""

    def open_helper(self, line: FormField, field: QWidget, enter: Enter) -> Refusal | None:
        """Open that; a refusal explains why the user's choice isn't allowed."""

    def offers(self, shown: RowModel) -> list[FieldOffer]:
        """What besides can be added to what a row shows."""

    def rewritings(self, line: FormField) -> list[tuple[str, Change]]:
        """Other forms with the same meaning as a line, and their labels in a menu."""


class RegistryTarget:
    """The registry of an agent."""

    def __init__(self, folder: AgentFolder) -> None:
        self._folder = folder
        self._flow = folder.flow
        self.tree = folder.registry.tree

    def steps(self) -> list[str]:
        return [step.id for step in self._flow.steps.values() if not step.is_section]

    def choices(self, line: FormField) -> list[str]:
        return choices.choices(self._folder, line)

    def key_choices(self, line: FormField) -> list[str]:
        return choices.key_choices(self._folder, line)

    def set_to(self, line: FormField, value: JsonValue) -> Change:
        return asking.set_to(self._flow, line, value)

    def remove(self, line: FormField) -> Change:
        return asking.remove(self._flow, line)

    def rename(self, line: FormField, new: str) -> Change:
        return asking.rename(self._flow, line, new)

    def move(self, line: FormField, offset: int) -> Change:
        return asking.move(line, offset)

    def add_field(self, pointer: str, field: Field) -> Change:
        return asking.add_field(self._flow, pointer, field)

    def add_item(self, line: FormField) -> Change | None:
        return asking.add_item(self._flow, line)

    def add_entry(self, line: FormField, key: str) -> Change | None:
        return asking.add_entry(self._flow, line, key)

    def change_form(self, line: FormField, form: int) -> Change:
        return asking.change_form(self._flow, line, form)

    def helper(self, line: FormField) -> Help | None:
        return piece_helping.helper(self._folder, line)

    def open_helper(self, line: FormField, field: QWidget, enter: Enter) -> Refusal | None:
        return piece_helping.open_helper(self._folder, line, field, enter)

    def offers(self, shown: RowModel) -> list[FieldOffer]:
        return piece_helping.offers(self._folder, shown)

    def rewritings(self, line: FormField) -> list[tuple[str, Change]]:
        return piece_helping.rewritings(self._folder, line)
