"""The pages of the rules are those that the code makes, in both languages."""

import os
import posixpath
import re
from pathlib import Path

import pytest

import config_docs
import rule_docs
import takt_docs
from stepflow_gui import messages
from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.lint.rules.table import MODULES
from stepflow_gui.lint.upstream_codes import UPSTREAM_CODES

if os.environ.get("STEPFLOW_UPDATE_SNAPSHOTS"):
    rule_docs.write()
    config_docs.write()
    takt_docs.write()

RENEW = ".venv/bin/python packaging/rule_docs.py"
PAGES = rule_docs.pages()
FOLDERS = rule_docs.FOLDERS.values()
FENCED = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_as_the_code_makes_it(name: str) -> None:
    file = rule_docs.DOCS / name
    assert file.is_file(), f"{file} is missing: run {RENEW}"
    assert file.read_text("utf-8") == PAGES[name], f"{file} is out of date: run {RENEW}"


def there(docs: Path) -> set[str]:
    return {file.relative_to(docs).as_posix() for folder in FOLDERS for file in (docs / folder).iterdir()}


def test_no_page_is_left_over() -> None:
    assert there(rule_docs.DOCS) <= set(PAGES), f"pages of rules that are gone: run {RENEW}"


def test_links_go_to_pages() -> None:
    links = {
        posixpath.normpath(posixpath.join(posixpath.dirname(name), link))
        for name, text in PAGES.items()
        for link in re.findall(r"\]\(([^)\s]+)\)", text)
        if not link.startswith("http")
    }
    guides = {f"{folder}{page}.md" for folder in ("", "ja/") for pages in rule_docs.GUIDES.values() for page in pages}
    assert links == set(PAGES) | guides
    assert all((rule_docs.DOCS / guide).is_file() for guide in guides)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_rule_and_every_code_of_the_runner_is_in_the_index(folder: str) -> None:
    index = PAGES[f"{folder}/README.md"]
    assert all(f"[{code}]({code}.md)" in index for code in MODULES)
    assert all(f"`{code}`" in index for code in UPSTREAM_CODES)


@pytest.mark.parametrize("code", MODULES)
def test_the_languages_show_the_same_examples(code: str) -> None:
    shown = [FENCED.findall(PAGES[f"{folder}/{code}.md"]) for folder in FOLDERS]
    assert shown[0] == shown[1]


@pytest.mark.parametrize("code", MODULES)
def test_no_heading_is_left_in_english(code: str) -> None:
    headings = [re.findall(r"^## (.+)$", PAGES[f"{folder}/{code}.md"], re.MULTILINE) for folder in FOLDERS]
    assert len(headings[0]) == len(headings[1]) > 2
    assert not set(headings[0]).intersection(headings[1])


def test_eras_in_the_pages_are_public_names() -> None:
    named = {found for text in PAGES.values() for found in re.findall(r"climpt-\d{4}-\d\d-\d\d", text)}
    assert named <= set(ERAS)


def test_pages_are_written_and_old_ones_removed(tmp_path: Path) -> None:
    for folder in FOLDERS:
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "SF999.md").touch()
    rule_docs.write(tmp_path)
    assert there(tmp_path) == set(PAGES)
    assert messages.language() == "en"


def test_the_pages_of_the_configuration_are_as_the_code_makes_them() -> None:
    for name, text in config_docs.pages().items():
        file = config_docs.DOCS / name
        assert file.read_text("utf-8") == text, f"{file} is out of date: run .venv/bin/python packaging/config_docs.py"


def test_the_pages_of_the_configuration_name_the_same_keys_and_values() -> None:
    pages = [re.sub(r" +#.*$", "", text, flags=re.MULTILINE) for text in config_docs.pages().values()]  # no comments
    marked = [sorted(re.findall(r"`[^`]*`", text)) for text in pages]
    assert marked[0] == marked[1]


def test_the_pages_of_the_releases_of_takt_are_as_the_tables_make_them() -> None:
    for name, text in takt_docs.pages().items():
        file = takt_docs.DOCS / name
        assert file.read_text("utf-8") == text, f"{file} is out of date: run .venv/bin/python packaging/takt_docs.py"


def test_the_pages_of_the_releases_of_takt_name_the_same() -> None:
    marked = [sorted(set(re.findall(r"`[^`]*`", text))) for text in takt_docs.pages().values()]
    assert marked[0] == marked[1]
