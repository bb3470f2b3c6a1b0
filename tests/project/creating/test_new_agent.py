"""A new agent from a template: what is written for which names, and what is refused."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.messages import use_language
from stepflow_gui.project.creating import new_agent
from stepflow_gui.project.creating.new_agent import (
    ConfigEdit,
    NewAgentPlan,
    NewAgentRefusal,
    free_name,
    make,
    project_folder,
    title_for,
    want,
)
from stepflow_gui.project.creating.templates import Template, template_of, templates
from stepflow_gui.text.files.new_files import FilesCreated, FilesNotCreated
from stepflow_gui.text.source import Source


@pytest.fixture
def minimal() -> Template:
    found = template_of("minimal")
    assert found is not None
    return found


def wanted(template: Template, folder: Path, name: str = "my-agent", title: str | None = None) -> NewAgentPlan:
    found = want(template, folder, name, title)
    assert isinstance(found, NewAgentPlan), found
    return found


def refused(template: Template, folder: Path, name: str = "my-agent", title: str | None = None) -> NewAgentRefusal:
    found = want(template, folder, name, title)
    assert isinstance(found, NewAgentRefusal)
    return found


@pytest.mark.parametrize("language", ["en", "ja"])
def test_templates_are_described_in_both_languages(language: str) -> None:
    use_language(language)
    try:
        told = [template.about for template in templates()]
    finally:
        use_language("en")
    titles = Counter(about.title for about in told)
    twice = [title for title, count in titles.items() if count > 1]
    assert not twice, f"more than one template.toml has these titles in [{language}]: {twice}"
    assert len(titles) >= 6
    other = [about.text for about in told if any(ord(char) > 0x3000 for char in about.text) != (language == "ja")]
    assert not other, f"`about` in [{language}] of a template.toml is in another language: {other}"


@pytest.fixture
def japanese() -> Iterator[None]:
    use_language("ja")
    yield
    use_language("en")


LETTERS = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("template", templates(), ids=lambda template: template.id)
def test_every_text_is_there_in_japanese_and_names_the_same_things(template: Template) -> None:
    files = template.files("mine", "Mine")
    use_language("en")
    english = template.files("mine", "Mine")
    assert list(files) == list(english)
    for path, text in files.items():
        if path.endswith(".md"):
            assert LETTERS.search(text), f"{path}: no Japanese text in files.ja of the template"
        for said in re.findall(r'"(?:name|description)": "([^"]+)"|^title: (.+)$', text, re.MULTILINE):
            word = "".join(said)
            assert word == "mine" or LETTERS.search(word), (
                f"{path}: resources/templates/ja.toml has no line for {word!r}"
            )
        names = re.compile(r"`[\w.]+`|\{[\w:.-]+\}|\{\{[^}]*\}\}", re.ASCII)
        assert set(names.findall(text)) == set(names.findall(english[path])), path


def test_names_are_filled_in_everywhere(minimal: Template, tmp_path: Path) -> None:
    made = wanted(minimal, tmp_path, "a-2", 'Quotes " and \\ and 日本')
    agent = json.loads(made.files[tmp_path / ".agent" / "a-2" / "agent.json"])
    assert (agent["name"], agent["displayName"]) == ("a-2", 'Quotes " and \\ and 日本')
    assert tmp_path / ".agent" / "climpt" / "config" / "a-2-steps-user.yml" in made.files
    assert made.opened == tmp_path / ".agent" / "a-2" / "steps_registry.json"
    assert made.opened in made.files
    assert not any("@name@" in text or "@title@" in text for text in made.files.values())


def test_the_name_for_people_is_made_of_the_name(minimal: Template, tmp_path: Path) -> None:
    assert title_for("issue--flow-2") == "Issue Flow 2"
    assert '"displayName": "My Agent"' in wanted(minimal, tmp_path).files[tmp_path / ".agent/my-agent/agent.json"]


@pytest.mark.parametrize(
    "name", ["", "A", "-a", "1a", "a_b", "a/b", "../a", "a b", "é", "a" * 65, "climpt", "con", "a\n", "."]
)
def test_a_name_that_is_none(minimal: Template, tmp_path: Path, name: str) -> None:
    assert refused(minimal, tmp_path, name).about == "name"


@pytest.mark.parametrize("title", ["two\nlines", "bell\a", "\ud800"])
def test_a_title_that_is_none(minimal: Template, tmp_path: Path, title: str) -> None:
    assert refused(minimal, tmp_path, title=title).about == "title"


def test_nothing_that_is_there_is_written_over(minimal: Template, tmp_path: Path) -> None:
    config = tmp_path / ".agent" / "climpt" / "config" / "my-agent-steps-app.yml"
    config.parent.mkdir(parents=True)
    config.write_text("mine")
    assert ".agent/climpt/config/my-agent-steps-app.yml" in refused(minimal, tmp_path).message
    own = tmp_path / ".agent" / "other"
    own.mkdir()
    wanted(minimal, tmp_path, "other")
    (own / "notes.md").write_text("mine")
    assert "“other”" in refused(minimal, tmp_path, "other").message


def test_a_free_name_is_found(minimal: Template, tmp_path: Path) -> None:
    assert free_name(minimal, tmp_path) == "my-agent"
    make(wanted(minimal, tmp_path))
    make(wanted(minimal, tmp_path, "my-agent-2"))
    assert free_name(minimal, tmp_path) == "my-agent-3"


def test_an_agent_does_not_nest_in_another(minimal: Template, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / ".agent", tmp_path / ".agent" / "a" / "prompts"):
        assert project_folder(folder) == tmp_path
    assert project_folder(tmp_path / "src" / "..") == tmp_path
    assert wanted(minimal, tmp_path / ".agent").folder == tmp_path


def test_a_folder_that_is_a_file(minimal: Template, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, file / "deep"):
        assert refused(minimal, folder).about == "folder"


def test_a_link_does_not_point_outside(minimal: Template, tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    outside.mkdir()
    (project / ".agent").symlink_to(outside, target_is_directory=True)
    assert refused(minimal, project).about == "folder"
    assert list(outside.iterdir()) == []


def test_all_is_written_with_a_new_configuration(minimal: Template, tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"
    plan = wanted(minimal, folder)
    made = make(plan, ConfigEdit(folder / "stepflow.toml", None, "runtime = {}\n"))
    assert made == FilesCreated((*plan.files, folder / "stepflow.toml"))
    assert {path: path.read_text("utf-8") for path in plan.files} == plan.files
    assert sorted(path.name for path in folder.iterdir()) == [".agent", "stepflow.toml"]


def test_a_configuration_is_as_it_was_where_the_agent_cannot_be_written(
    minimal: Template, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "stepflow.toml"
    config.write_text("strict = true\n")
    plan = wanted(minimal, tmp_path)
    edit = ConfigEdit(config, Source("strict = true\n"), "strict = true\nruntime = 'guide'\n")
    monkeypatch.setattr(new_agent, "make_files", lambda _files, _root: FilesNotCreated(plan.opened, "the disk is full"))
    assert make(plan, edit) == FilesNotCreated(plan.opened, "the disk is full")
    assert config.read_text() == "strict = true\n"
    monkeypatch.undo()
    assert isinstance(make(plan, edit), FilesCreated)
    assert config.read_text() == edit.text


def test_a_configuration_that_changed_meanwhile_is_left(minimal: Template, tmp_path: Path) -> None:
    config = tmp_path / "stepflow.toml"
    config.write_text("strict = false\n")
    plan = wanted(minimal, tmp_path)
    assert isinstance(make(plan, ConfigEdit(config, Source("strict = true\n"), "x = 1\n")), FilesNotCreated)
    assert config.read_text() == "strict = false\n"
    assert not (tmp_path / ".agent").exists()
