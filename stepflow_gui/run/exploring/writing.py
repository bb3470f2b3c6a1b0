"""Writes generated scripts as files, such as into an agent's folder of flow tests."""

from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.messages import _
from stepflow_gui.project.finding.locate import marked_root
from stepflow_gui.text.files.new_files import FilesNotCreated, make_files


def write_scripts(texts: Sequence[str], folder: Path, ending: str = ".jsonl") -> str | None:
    """Write them as `explored-001.jsonl` and so on, over none that is there; what keeps them from it, in words."""
    names = [folder / f"explored-{number:03}{ending}" for number in range(1, len(texts) + 1)]
    there = next((name for name in names if name.exists()), None)
    if there is not None:
        return _("{path} already exists; choose another folder").format(path=there)
    files = {name: text.encode("utf-8") for name, text in zip(names, texts, strict=True)}
    made = make_files(files, marked_root(folder / "explored"))
    if isinstance(made, FilesNotCreated):
        return _("{path}: can't be written ({reason})").format(path=made.path, reason=made.reason)
    return None
