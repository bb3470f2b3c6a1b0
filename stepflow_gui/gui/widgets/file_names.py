"""How files are called where several are listed: by their names, and those of one name by what tells them apart."""

import os
from collections.abc import Iterable
from pathlib import Path


def names_of(paths: Iterable[Path]) -> dict[Path, str]:
    """Each file's name; where others have the same, with the folders below their common one."""
    alike: dict[str, list[Path]] = {}
    for path in dict.fromkeys(paths):
        alike.setdefault(path.name, []).append(path)
    names: dict[Path, str] = {}
    for name, found in alike.items():
        root = Path(os.path.commonpath(found)) if len(found) > 1 else None
        names |= {path: path.relative_to(root).as_posix() if root else name for path in found}
    return names
