"""Which names reports may have: paths below the folder of the reports (takt.md 7, 15)."""

import posixpath
import re
from typing import Literal
from unicodedata import normalize

Fault = Literal["outside", "form", "reserved"]

_RESERVED_FILE = "resume-artifacts.json"
_RESERVED_FOLDER = ".takt-report-internal"
_DRIVE = re.compile(r"[A-Za-z]:")


def report_path_fault(name: str, *, strict: bool) -> Fault | None:
    """Why a report can't have this name. Where they aren't `strict`, releases only mind paths that leave the folder."""
    if is_outside(name):
        return "outside"
    if not strict:
        return None
    parts = name.split("/")
    if name != name.strip() or "\\" in name or "\0" in name or any(part in {"", ".", ".."} for part in parts):
        return "form"
    folded = portable(name).split("/")
    return "reserved" if folded[0] == _RESERVED_FOLDER or folded[-1] == _RESERVED_FILE else None


def is_outside(name: str) -> bool:
    """Whether a path leaves the folder that it counts from."""
    if name.startswith("/") or _DRIVE.match(name):
        return True
    depth = 0
    for part in name.split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(part, 1)
        if depth < 0:
            return True
    return False


def same_file(name: str) -> str:
    """What two names of reports have in common that are paths of one file."""
    return portable(posixpath.normpath(name))


def portable(name: str) -> str:
    """What two names have in common that are one file where the case of letters doesn't count."""
    return normalize("NFC", name.casefold())
