"""How files are called where several are listed: by their names, and those of one name by what distinguishes them."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
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


def short_names(paths: Sequence[Path]) -> list[str]:
    """A name for each file: its own, with as much of its path as distinguishes it from others of that name."""
    names: dict[Path, str] = {}
    alike = list(dict.fromkeys(paths))
    count = 1
    while alike:
        counts = Counter(path.parts[-count:] for path in alike)
        names |= {path: "/".join(path.parts[-count:]) for path in alike}
        alike = [path for path in alike if counts[path.parts[-count:]] > 1 and count < len(path.parts)]
        count += 1
    return [names[path] for path in paths]
