"""Where TAKT pieces and workflows lie: which YAML files of a folder are taken for one, without reading them whole."""

import re
from collections.abc import Iterable
from pathlib import Path

from stepflow_gui.formats.takt.homes import FOLDERS, HOME, is_home
from stepflow_gui.text.document import YAML_ENDINGS
from stepflow_gui.text.files.store import ReadProblem, read

_OTHERS = ".github"  # its workflows are another program's
# Compiled by `re` when a file is looked at: a registry's lint has no use for them.
_CERTAIN = (
    r"""(?m)^["']?(?:movements|initial_movement|max_movements|piece_config|initial_step|max_steps|workflow_config"""
    r"""|subworkflow|loop_monitors)["']?[ \t]*:"""
)
_SCRIPT = r"(?m)^(?:answers|expect)[ \t]*:"
_NAME = r"(?m)^name[ \t]*:"
_STEPS = r"(?m)^steps[ \t]*:"
_OF_STEPS = r"(?m)^[ \t-]*(?:agent|instruction|instruction_template|persona|rules|parallel|team_leader)[ \t]*:"


def pieces_in(folder: Path, names: Iterable[str]) -> list[Path]:
    """The pieces among the files of a folder, by name; none where the place isn't one for pieces."""
    if not may_hold_pieces(folder):
        return []
    return [folder / name for name in sorted(names) if is_yaml(Path(name)) and is_piece_file(folder / name)]


def may_hold_pieces(folder: Path) -> bool:
    """Whether a folder scan looks for pieces there: below `.takt`, or below a folder of that name."""
    parts = folder.parts
    return HOME in parts or (any(name in parts for name in FOLDERS) and _OTHERS not in parts)


def is_yaml(path: Path) -> bool:
    """Whether a file is YAML by its name."""
    return path.suffix.lower() in YAML_ENDINGS


def is_piece_file(path: Path) -> bool:
    """Whether a file on disk is where pieces lie, or looks like one, be it broken or not."""
    found = read(path)
    return is_home(path) if isinstance(found, ReadProblem) else is_piece_text(path, found.text)


def is_piece_text(path: Path, text: str) -> bool:
    """Whether a file with this text is where pieces lie and is not a script for their runs, or looks like a piece."""
    named = is_home(path) and (bool(re.search(_NAME, text)) or not re.search(_SCRIPT, text))
    return named or looks_like_piece(text)


def looks_like_piece(text: str) -> bool:
    """Whether a text has the keys of a piece or workflow at the beginnings of its lines."""
    if "\r" in text:  # which ends a line of YAML by itself too
        text = text.replace("\r", "\n")
    return bool(re.search(_CERTAIN, text) or (re.search(_STEPS, text) and re.search(_OF_STEPS, text)))


def root_of_pieces(folder: Path) -> Path | None:
    """What a piece's files lie in at least: what holds the folder of pieces; None where the folder isn't one."""
    return next((each.parent for each in (folder, folder.parent) if each.name in FOLDERS), None)
