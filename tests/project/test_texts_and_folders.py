"""Prompts and other texts of a project, and what a folder holds."""

from pathlib import Path

from stepflow_gui.project.files import Files
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source


def test_a_text_is_read_once_and_an_unsaved_one_before_that_on_disk(tmp_path: Path) -> None:
    file = tmp_path / "f_default.md"
    file.write_text("on disk {", "utf-8")
    files = Files(tmp_path, {})
    found = files.text(file)
    assert isinstance(found, TextFile)
    assert found.source.text == "on disk {"
    assert files.text(file) is found
    typed = files.with_buffers({file: Source("typed")}).text(file)
    assert isinstance(typed, TextFile)
    assert typed.source.text == "typed"


def test_a_text_that_changed_on_disk_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "f_default.md"
    file.write_text("before", "utf-8")
    files = Files(tmp_path, {})
    files.text(file)
    file.write_text("after", "utf-8")
    found = files.without([file]).text(file)
    assert isinstance(found, TextFile)
    assert found.source.text == "after"


def test_a_text_outside_the_project_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret", "utf-8")
    root = tmp_path / "project"
    root.mkdir()
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    files = Files(root, {})
    for path in (root / "link.md", root / ".." / "secret.md"):
        found = files.text(path)
        assert isinstance(found, ReadProblem)
        assert found.kind == "outside"


def test_a_folder_holds_its_files_and_unsaved_ones(tmp_path: Path) -> None:
    prompts = tmp_path / "prompts"
    (prompts / "steps" / "initial").mkdir(parents=True)
    (prompts / "steps" / "initial" / "f_default.md").touch()
    (prompts / "node_modules").mkdir()
    (prompts / "node_modules" / "README.md").touch()
    files = Files(tmp_path, {})
    assert files.below(prompts) == {prompts / "steps" / "initial" / "f_default.md"}
    typed = files.with_buffers({prompts / "steps" / "new.md": Source("new")})
    assert prompts / "steps" / "new.md" in typed.below(prompts)
    assert files.below(tmp_path / "absent") == frozenset()


def test_links_out_of_the_project_and_in_circles_are_not_followed(tmp_path: Path) -> None:
    root, other = tmp_path / "project", tmp_path / "other"
    root.mkdir()
    other.mkdir()
    (other / "secret.md").touch()
    (root / "out").symlink_to(other)
    (root / "round").symlink_to(root)
    (root / "own.md").touch()
    assert Files(root, {}).below(root) == {root / "own.md"}
    assert Files(root, {}).below(other) == frozenset()
