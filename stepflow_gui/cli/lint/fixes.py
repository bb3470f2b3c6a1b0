"""Fixes of `stepflow lint`: written to the files, or shown as a difference."""

from pathlib import Path

from stepflow_gui.cli.streams import print_error, show_difference
from stepflow_gui.export.file_difference import file_difference
from stepflow_gui.lint.fixing import Fixed, save
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.files.store import ChangedOnDisk, SaveFailed


def save_fixes(fixed: Fixed, folder: Path) -> list[str]:
    """Write what was fixed, the files of an agent all or none; gives a line for each that couldn't be written."""
    complaints = []
    saved: set[Path] = set()
    for group in fixed.groups:
        result = save(group)
        if isinstance(result, list):
            saved.update(result)
        else:
            complaints.append(_not_saved(result, folder))
    if saved:
        count = sum(any(Path(edit.file) in saved for edit in each.fix.edits) for each in fixed.applied)
        print_error(_summary(_counted(len(fixed.applied) if len(saved) == len(fixed.changes) else count), len(saved)))
    return complaints


def _counted(count: int) -> str:
    return ngettext("{count} finding fixed", "{count} findings fixed", count).format(count=count)


def _summary(counted: str, files: int) -> str:
    where = ngettext("{count} file", "{count} files", files).format(count=files)
    return _("{counted} in {files}").format(counted=counted, files=where)


def _not_saved(result: ChangedOnDisk | SaveFailed, folder: Path) -> str:
    path = shown_path(result.path, folder)
    if isinstance(result, ChangedOnDisk):
        return _("{path}: changed on disk in the meantime; nothing was written").format(path=path)
    return _("{path}: can't be written ({reason}); the agent's files are unchanged").format(
        path=path, reason=result.reason
    )


def show_changes(fixed: Fixed, folder: Path, color: str) -> bool:
    """Print what fixes would change, as `patch` reads it, in colours by `--color`; whether there is anything."""
    for change in fixed.changes:
        show_difference("".join(file_difference(change, folder)), color)
    if fixed.changes:
        count = len(fixed.applied)
        counted = ngettext("{count} finding would be fixed", "{count} findings would be fixed", count)
        print_error(_summary(counted.format(count=count), len(fixed.changes)))
    return bool(fixed.changes)
