"""The settings file in which climpt 1.14 has what an agent may do: tools and permission mode (climpt-1.14, 3)."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.formats.climpt.vocabulary import PERMISSION_MODES
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue

FOLDER = Path(".agent", "climpt", "config")
SHARED = "claude.settings.climpt.agents.json"
MODES = ("acceptEdits", "bypassPermissions", "default", "dontAsk", "plan")

Fault = Literal["missing", "syntax", "form"]
CODES = {"missing": "AC-LOAD-001", "syntax": "AC-LOAD-002", "form": "AC-LOAD-003"}


class ClaudeSettings(NamedTuple):
    """The content of the file. `tools` are bare names: what is listed without the part in parentheses."""

    tools: tuple[str, ...] = ()  # none: every tool is refused
    mode: str = "default"


class SettingsFault(NamedTuple):
    """Why there are no settings: no file, no JSON, or a value at a pointer that has the wrong form."""

    kind: Fault
    pointer: str = ""

    @property
    def code(self) -> str:
        """Upstream's code."""
        return CODES[self.kind]


class SettingsFile(NamedTuple):
    """The file in effect, if there is one, and its content."""

    document: ParsedFile | None
    found: ClaudeSettings | SettingsFault


def settings_paths(root: Path, agent: str) -> list[Path]:
    """Where the file of an agent may lie, below the project's root; the first that exists counts."""
    return [root / FOLDER / f"claude.settings.climpt.agents.{agent}.json", root / FOLDER / SHARED]


def read_settings(root: Path, agent: str, read: Callable[[Path], ParsedFile | None]) -> SettingsFile:
    """The settings of an agent; `read` gives a file, or None where there is none."""
    for path in settings_paths(root, agent):
        document = read(path)
        if document is not None:
            return SettingsFile(document, _settings(document))
    return SettingsFile(None, SettingsFault("missing"))


def _settings(document: ParsedFile) -> ClaudeSettings | SettingsFault:
    if document.root is None or not document.tree.valid:
        return SettingsFault("syntax")
    value: JsonValue = document.root.value
    permissions = value.get("permissions") if isinstance(value, dict) else None
    if not isinstance(permissions, dict):
        return SettingsFault("form", "/permissions")
    allow, mode = permissions.get("allow"), permissions.get("defaultMode")
    if "allow" in permissions and not (isinstance(allow, list) and all(isinstance(tool, str) for tool in allow)):
        return SettingsFault("form", "/permissions/allow")
    if "defaultMode" in permissions and mode not in MODES:
        return SettingsFault("form", "/permissions/defaultMode")
    tools = tuple(dict.fromkeys(tool.partition("(")[0].strip() for tool in allow or ()))
    return ClaudeSettings(tools, mode if mode in PERMISSION_MODES else "default")
