"""The user's own folders, as each system has them."""

from pathlib import Path

from stepflow_gui.project.user_folders import config_folder, state_folder


def test_each_system_has_its_place_for_settings() -> None:
    assert config_folder({"XDG_CONFIG_HOME": "/c"}, "linux") == Path("/c/stepflow")
    assert config_folder({"XDG_CONFIG_HOME": "c"}, "linux") == Path.home() / ".config" / "stepflow"
    assert config_folder({}, "darwin") == Path.home() / "Library" / "Application Support" / "Stepflow"
    assert config_folder({"APPDATA": "C:/a"}, "win32") == Path("C:/a/Stepflow")
    assert state_folder({"XDG_STATE_HOME": "/s"}, "linux") == Path("/s/stepflow")
    assert state_folder({"XDG_CONFIG_HOME": "/c"}, "linux") == Path.home() / ".local" / "state" / "stepflow"
    assert state_folder({"APPDATA": "C:/a"}, "win32") == config_folder({"APPDATA": "C:/a"}, "win32")
