"""The window's questions as Qt dialogs."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton, QWidget

from stepflow_gui.gui.widgets.file_names import short_names
from stepflow_gui.gui.widgets.prompts import OnClose, OnConflict
from stepflow_gui.messages import _, ngettext

_LISTED = 10  # files that a question names


class DialogPrompts:
    """Asks with message boxes over a window."""

    def __init__(self, window: QWidget) -> None:
        self._window = window

    def changed_on_disk(self, path: Path) -> OnConflict:
        if not path.exists():  # nothing is there to be merged
            return self._removed(path)
        box, picked = self._ask(
            _("“{file}” changed on disk").format(file=path.name),
            _(
                "Another program changed this file since it was read. Saving now would overwrite what it wrote; merging"
                " keeps both."
            ),
            [
                (_("Merge"), QMessageBox.ButtonRole.AcceptRole),
                (_("Overwrite"), QMessageBox.ButtonRole.DestructiveRole),
                (_("Reload from Disk"), QMessageBox.ButtonRole.ActionRole),
                (_("Cancel"), QMessageBox.ButtonRole.RejectRole),
            ],
        )
        box.deleteLater()
        return [OnConflict.MERGE, OnConflict.OVERWRITE, OnConflict.RELOAD, OnConflict.CANCEL][picked]

    def _removed(self, path: Path) -> OnConflict:
        box, picked = self._ask(
            _("“{file}” was removed from the disk").format(file=path.name),
            _("Saving recreates it, and its folder if that is gone too."),
            [
                (_("Save"), QMessageBox.ButtonRole.AcceptRole),
                (_("Cancel"), QMessageBox.ButtonRole.RejectRole),
            ],
        )
        box.deleteLater()
        return [OnConflict.OVERWRITE, OnConflict.CANCEL][picked]

    def unsaved(self, path: Path) -> OnClose:
        title = _("Save the changes to “{file}”?").format(file=path.name)
        return self._ask_unsaved(title, _("Your changes are lost if you don't save them."), _("Save"))

    def unsaved_several(self, paths: Sequence[Path]) -> OnClose:
        title = ngettext("Save the changes to {count} file?", "Save the changes to {count} files?", len(paths)).format(
            count=len(paths)
        )
        folders = short_names([path.parent for path in paths])
        lines = [f"{folder}/{path.name}" for folder, path in zip(folders, paths, strict=True)][:_LISTED]
        if len(paths) > _LISTED:
            more = len(paths) - _LISTED
            lines.append(ngettext("and {count} more", "and {count} more", more).format(count=more))
        text = "\n".join((*lines, "", _("Your changes are lost if you don't save them.")))
        return self._ask_unsaved(title, text, _("Save All"))

    def _ask_unsaved(self, title: str, text: str, save: str) -> OnClose:
        box, picked = self._ask(
            title,
            text,
            [
                (save, QMessageBox.ButtonRole.AcceptRole),
                (_("Don't Save"), QMessageBox.ButtonRole.DestructiveRole),
                (_("Cancel"), QMessageBox.ButtonRole.RejectRole),
            ],
        )
        box.deleteLater()
        return [OnClose.SAVE, OnClose.DISCARD, OnClose.CANCEL][picked]

    def open_folder(self) -> Path | None:
        chosen = QFileDialog.getExistingDirectory(self._window, _("Open Folder"))
        return Path(chosen) if chosen else None

    def open_file(self) -> Path | None:
        kinds = f"{_('Registries and pieces')} (*.json *.yaml *.yml);;{_('All files')} (*)"
        chosen, _kind = QFileDialog.getOpenFileName(self._window, _("Open File"), "", kinds)
        return Path(chosen) if chosen else None

    def open_log(self) -> Path | None:
        kinds = f"{_('Run logs')} (*.jsonl *.log);;{_('All files')} (*)"
        chosen, _kind = QFileDialog.getOpenFileName(self._window, _("Open Run Log"), "", kinds)
        return Path(chosen) if chosen else None

    def save_file(self, title: str, name: str) -> Path | None:
        chosen, _kind = QFileDialog.getSaveFileName(self._window, title, name)
        return Path(chosen) if chosen else None

    def inform(self, title: str, text: str) -> None:
        box, _picked = self._ask(title, text, [(_("OK"), QMessageBox.ButtonRole.AcceptRole)])
        box.deleteLater()

    def _ask(self, title: str, text: str, buttons: list[tuple[str, QMessageBox.ButtonRole]]) -> tuple[QMessageBox, int]:
        box = QMessageBox(self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(title)
        box.setInformativeText(text)
        made: list[QPushButton] = [box.addButton(label, role) for label, role in buttons]
        # Enter picks what loses nothing: the first button, unless that one destroys something.
        safe = made[-1] if buttons[0][1] == QMessageBox.ButtonRole.DestructiveRole else made[0]
        safe.setProperty("primary", True)
        box.setDefaultButton(safe)
        box.setEscapeButton(made[-1])
        box.exec()
        clicked = box.clickedButton()
        return box, next((index for index, button in enumerate(made) if button is clicked), len(made) - 1)
