"""The user's own folders for what Stepflow keeps, never in a project. They may not exist."""

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


def data_folder(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """The folder for what a person made and can't be kept with a project, such as places of steps."""
    return _folder("XDG_DATA_HOME", ".local/share", environment, platform)


def runtime_folder(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """The folder by which all of a person's programs on this machine know of each other, whatever their settings."""
    environment = os.environ if environment is None else environment
    wished = Path(environment.get("XDG_RUNTIME_DIR", ""))
    if platform not in {"win32", "darwin"} and wished.is_absolute() and wished.is_dir():
        return wished / "stepflow"
    import getpass  # with tempfile loads what most commands never need
    import tempfile

    return Path(tempfile.gettempdir()) / f"stepflow-{getpass.getuser()}"


def _folder(variable: str, below_home: str, environment: Mapping[str, str] | None, platform: str) -> Path:
    environment = os.environ if environment is None else environment
    if platform == "win32" and environment.get("APPDATA"):
        return Path(environment["APPDATA"]) / "Stepflow"
    home = Path.home()
    if platform == "darwin":
        return home / "Library" / "Application Support" / "Stepflow"
    wished = Path(environment.get(variable, ""))
    return (wished if wished.is_absolute() else home / below_home) / "stepflow"
