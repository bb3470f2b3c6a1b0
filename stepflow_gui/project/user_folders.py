"""The user's own folders for what Stepflow keeps, never in a project. They needn't exist."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def config_folder(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """The folder for Stepflow's own settings."""
    return _folder("XDG_CONFIG_HOME", ".config", environment, platform)


def state_folder(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """The folder for what Stepflow remembers by itself, such as texts that aren't saved."""
    return _folder("XDG_STATE_HOME", ".local/state", environment, platform)


def _folder(variable: str, below_home: str, environment: Mapping[str, str] | None, platform: str) -> Path:
    environment = os.environ if environment is None else environment
    if platform == "win32" and environment.get("APPDATA"):
        return Path(environment["APPDATA"]) / "Stepflow"
    home = Path.home()
    if platform == "darwin":
        return home / "Library" / "Application Support" / "Stepflow"
    wished = Path(environment.get(variable, ""))
    return (wished if wished.is_absolute() else home / below_home) / "stepflow"
