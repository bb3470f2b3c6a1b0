"""Writes generated scripts as files, such as into an agent's folder of flow tests."""

from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.messages import _
from stepflow_gui.run.exploring.scripts import Generated
from stepflow_gui.text.files.store import SaveFailed, reason_of, save
from stepflow_gui.text.source import Source


def write_scripts(scripts: Sequence[Generated], folder: Path) -> str | None:
    """Write them as `explored-001.jsonl` and so on, over none that is there; what keeps them from it, in words."""
    names = [folder / f"explored-{number:03}.jsonl" for number in range(1, len(scripts) + 1)]
    there = next((name for name in names if name.exists()), None)
    if there is not None:
        return _("{path} is there already; name another folder").format(path=there)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return _("{path}: can't be written ({reason})").format(path=folder, reason=reason_of(error))
    for name, script in zip(names, scripts, strict=True):
        saved = save(name, Source(script.text), None)
        if isinstance(saved, SaveFailed):
            return _("{path}: can't be written ({reason})").format(path=name, reason=saved.reason)
    return None
