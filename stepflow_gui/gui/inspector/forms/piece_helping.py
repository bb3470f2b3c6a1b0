"""What helps in the forms of TAKT pieces: the builder of conditions, and files chosen for entries of section maps."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QFileDialog, QWidget

from stepflow_gui.formats.changes import Change, SetField
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.takt.changes.reports import reshapings
from stepflow_gui.formats.takt.fields import SECTIONS
from stepflow_gui.formats.takt.section_files import entry_of, key_for, path_for
from stepflow_gui.formats.takt.sections import sections_of
from stepflow_gui.gui.inspector.forms.field_help import Enter, FieldOffer, Help
from stepflow_gui.gui.inspector.forms.form_fields import FormField
from stepflow_gui.gui.inspector.forms.row_model import RowModel
from stepflow_gui.gui.widgets.popup import main_window_of
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.files.presence import is_folder
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, split

_AS_FILE = "instruction_template"  # a field that may name a file itself
_FOLDERS = {"report_formats": "output-contracts"}  # where upstream keeps what a section names otherwise


def is_condition(line: FormField) -> bool:
    """Whether a line is the condition of a rule."""
    return line.key == "condition" and line.pointer.rpartition("/")[0].rpartition("/")[0].split("/")[-1] in {
        "rules",
        "self",
    }


def helper(folder: AgentFolder, line: FormField) -> Help | None:
    """The button beside a line."""
    if folder.flow.format != "takt" or not line.fits:
        return None
    if is_condition(line):
        return Help("✎", _("Build the condition"))
    if _section_of(line):
        return Help("…", _("Choose a file"))
    return None


def open_helper(folder: AgentFolder, line: FormField, field: QWidget, enter: Enter) -> Refusal | None:
    """Open the button's helper at a field; a refusal explains why the user's choice isn't allowed."""
    if is_condition(line):
        from stepflow_gui.gui.inspector.conditions.about import about_condition_at
        from stepflow_gui.gui.inspector.conditions.builder import ConditionBuilder

        old = line.value if isinstance(line.value, str) else ""
        about = about_condition_at(folder.flow, line.pointer)
        builder = ConditionBuilder(main_window_of(field), about, _("Condition"), old)
        builder.answered.connect(enter)
        builder.open_at(field.mapToGlobal(QPoint(0, field.height() + 2)))
        return None
    section = _section_of(line)
    start = _start(folder, section, line.value)
    name, _kind = QFileDialog.getOpenFileName(main_window_of(field), _("Choose a File"), str(start), _kinds(section))
    if not name:
        return None
    path = path_for(Path(name), section, folder.flow, folder.root)
    if isinstance(path, Refusal):
        return path
    enter(path)
    return None


def offers(folder: AgentFolder, shown: RowModel) -> list[FieldOffer]:
    """What could be added to section maps from files: to the one that a row shows, or to those that don't exist."""
    if folder.flow.format != "takt":
        return []
    wanted = [shown.line.key] if shown.line.pointer == join("", shown.line.key) else []
    wanted += [field.name for pointer, field in shown.addable if not pointer]
    return [
        FieldOffer(_("{field}: From a File…").format(field=section), partial(_ask_file, folder, section))
        for section in dict.fromkeys(wanted)
        if section in SECTIONS
    ]


def added(folder: AgentFolder, section: str, file: Path) -> SetField | Refusal:
    """The entry that a file becomes; no existing one is touched."""
    flow = folder.flow
    path = path_for(file, section, flow, folder.root)
    if isinstance(path, Refusal):
        return path
    known = entry_of(path, section, flow)
    if known is not None:
        text = _("“{key}” of {section} is that file already")
        return Refusal(text.format(key=known.key, section=section))
    key = key_for(file, sections_of(flow.document.root).get(section, {}))
    return SetField(join("", section, key), path)


def rewritings(folder: AgentFolder, line: FormField) -> list[tuple[str, Change]]:
    """Other forms of the reports that a line names."""
    if folder.flow.format != "takt" or not {"output_contracts", "report"} & {*split(line.pointer)}:
        return []
    names = {
        "split": _("An Entry for Each Label"),
        "join": _("Join with the Next Entry"),
        "label": _("Change to “Label: File”"),
        "name": _("Change to the form with “{field}”").format(field="name"),
        "nest": _("Put under “{field}”").format(
            field="output_contracts" if split(line.pointer)[-1] == "report" else "report"
        ),
    }
    return [(names[change.form], change) for change in reshapings(folder.flow, line.pointer)]


def _ask_file(folder: AgentFolder, section: str, parent: QWidget) -> tuple[SetField, str] | Refusal | None:
    start = str(_start(folder, section, None))
    title = _("A File for {section}").format(section=section)
    name, _kind = QFileDialog.getOpenFileName(main_window_of(parent), title, start, _kinds(section))
    found = added(folder, section, Path(name)) if name else None
    return (found, found.pointer) if isinstance(found, SetField) else found


def _section_of(line: FormField) -> str:
    """The section map that a line is an entry of, or the field itself where it may name a file; else nothing."""
    keys = split(line.pointer)
    if len(keys) == 2 and keys[0] in SECTIONS and line.role == "entry":
        return keys[0]
    return _AS_FILE if line.key == _AS_FILE and line.role == "field" else ""


def _start(folder: AgentFolder, section: str, value: JsonValue) -> Path:
    """The folder in which the dialog begins: that of the file that is named, else the one called as the section is."""
    beside = folder.registry.path.parent
    if isinstance(value, str) and "\n" not in value:
        named = beside / value
        if is_folder(named.parent) and named.suffix:
            return named.parent
    homes = [beside / section, beside.parent / section, beside.parent / _FOLDERS.get(section, section)]
    return next((home for home in homes if is_folder(home)), beside)


def _kinds(section: str) -> str:
    return f"Markdown (*.md);;{_('All files')} (*)" if section == "personas" else "Markdown (*.md)"
