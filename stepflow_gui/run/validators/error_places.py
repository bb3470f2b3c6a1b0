"""Reads the errors of type checkers, linters and formatters, with the places that they name."""

import re
from collections.abc import Iterable

from stepflow_gui.run.javascript.values import trimmed
from stepflow_gui.text.json.tree import JsonValue

UNKNOWN_FILE = "unknown"
_REST = r"[^\n\r\u2028\u2029]+"
_PLACE = r"(?:\s*\n\s*at\s+(?P<file>\S+?):(?P<line>[0-9]+):(?P<column>[0-9]+))?"
_TYPE_ERROR = re.compile(rf"error: TS[0-9]+ \[ERROR\]:\s*(?P<message>{_REST}){_PLACE}")
_TYPE_ERROR_CUT = re.compile(rf"error: TS[0-9]+ \[ERROR\]:\s*(?P<message>{_REST}?){_PLACE}")
_AT = r"(?P<file>\S+?):(?P<line>[0-9]+)(?::(?P<column>[0-9]+))?"
_PLACED_ERROR = re.compile(rf"error: (?P<message>{_REST}?) at {_AT}")
_NUMBERED = re.compile(rf"(?P<message>TS[0-9]+: {_REST})")
_LINT = (
    re.compile(rf"\((?P<rule>[a-z-]+)\)\s+(?P<message>{_REST}?){_PLACE}"),
    re.compile(rf"(?P<file>\S+?):(?P<line>[0-9]+):(?P<column>[0-9]+) - (?P<rule>[\w-]+): (?P<message>{_REST})"),
    re.compile(rf"error\[(?P<rule>[\w-]+)\]: (?P<message>{_REST}?) at (?P<file>\S+?):(?P<line>[0-9]+)"),
)
_FILES = re.compile(r"(?a:\b)([A-Za-z0-9_./-]+\.tsx?):[0-9]+")
_FORMATTED = (".ts", ".tsx", ".js", ".jsx", ".json", ".md")

Error = dict[str, JsonValue]


def type_errors(stderr: str, *, cut: bool) -> list[Error]:
    """The errors of a type check. `cut`: messages of one character and no places, as runners before 2026-04-07."""
    return _first([_TYPE_ERROR_CUT if cut else _TYPE_ERROR, _PLACED_ERROR, _NUMBERED], stderr)


def lint_errors(output: str) -> list[Error]:
    """The findings of a linter, each with its rule."""
    return _first(_LINT, output)


def lint_files(output: str) -> list[str]:
    """The files that those are in."""
    files = (error["file"] for error in lint_errors(output))
    return [file for file in dict.fromkeys(files) if file != UNKNOWN_FILE]


def mentioned_files(output: str) -> list[str]:
    """TypeScript files that are named with a line, those of packages left out."""
    return [file for file in dict.fromkeys(_FILES.findall(output)) if "node_modules" not in file]


def unformatted_files(stdout: str) -> list[str]:
    """The files that a formatter lists."""
    lines = (trimmed(line) for line in stdout.split("\n"))
    return [line for line in lines if line.endswith(_FORMATTED) and not line.startswith(("Checked", "error"))]


def format_summary(stdout: str) -> str:
    """The same as a text for a prompt."""
    files = unformatted_files(stdout)
    if not files:
        return "No formatting issues found."
    return "\n".join(["Files needing format:", *(f"  - {file}" for file in files)])


def _first(patterns: Iterable[re.Pattern[str]], text: str) -> list[Error]:
    for pattern in patterns:
        found = [_error(match) for match in pattern.finditer(text)]
        if found:
            return found
    return []


def _error(match: re.Match[str]) -> Error:
    parts = match.groupdict()
    error: Error = {"message": trimmed(parts["message"])}
    if parts.get("rule"):
        error["rule"] = parts["rule"]
    if parts.get("file") is None:
        return error | {"file": UNKNOWN_FILE, "line": 0}
    error |= {"file": parts["file"], "line": int(parts["line"])}
    if parts.get("column"):
        error["column"] = int(parts["column"])
    return error
