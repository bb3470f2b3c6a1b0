"""What to report of a failed save."""

from stepflow_gui.messages import _
from stepflow_gui.text.files.save_together import PartlySaved
from stepflow_gui.text.files.store import ChangedOnDisk, SaveFailed

SAVING = "saving"  # what the banner is about, until a save succeeds


def save_trouble(failed: SaveFailed | PartlySaved | ChangedOnDisk) -> str:
    """Why it failed, and what became of the person's changes."""
    if isinstance(failed, ChangedOnDisk):
        return _("“{file}” changed on disk.").format(file=failed.path.name)
    if isinstance(failed, PartlySaved):
        written = ", ".join(path.name for path in failed.written)
        unwritten = ", ".join(path.name for path in failed.unwritten)
        return _("Only {written} could be saved, not {unwritten} ({reason}). Your changes are still here.").format(
            written=written, unwritten=unwritten, reason=failed.reason
        )
    return _("“{file}” could not be saved ({reason}). Your changes are still here; nothing was written.").format(
        file=failed.path.name, reason=failed.reason
    )
