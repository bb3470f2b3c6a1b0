"""Files of one name are distinguished wherever several are listed."""

from pathlib import Path

from stepflow_gui.gui.widgets.file_names import names_of


def test_only_files_of_one_name_show_their_folders() -> None:
    base = Path("agent")
    paths = [base / "agent.json", base / "prompts/a/f.md", base / "prompts/b/c/f.md", base / "agent.json"]
    assert names_of(paths) == {paths[0]: "agent.json", paths[1]: "a/f.md", paths[2]: "b/c/f.md"}
