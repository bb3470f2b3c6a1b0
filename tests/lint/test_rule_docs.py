"""The pages of the rules are those that the code makes."""

import os
import re
from pathlib import Path

import pytest

import config_docs
import rule_docs
from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.lint.rules.table import MODULES
from stepflow_gui.lint.upstream_codes import UPSTREAM_CODES

if os.environ.get("STEPFLOW_UPDATE_SNAPSHOTS"):
    rule_docs.write()
    config_docs.write()

PAGES = rule_docs.pages()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_as_the_code_makes_it(name: str) -> None:
    file = rule_docs.FOLDER / name
    assert file.is_file(), f"{file} is missing: run python packaging/rule_docs.py"
    assert file.read_text("utf-8") == PAGES[name], f"{file} is out of date: run python packaging/rule_docs.py"


def test_no_page_is_left_over() -> None:
    assert {file.name for file in rule_docs.FOLDER.iterdir()} == set(PAGES)


def test_links_lead_to_pages() -> None:
    links = {link for text in PAGES.values() for link in re.findall(r"\]\((\S+)\)", text)}
    assert {link for link in links if not link.startswith("http")} <= set(PAGES)


def test_every_rule_and_every_code_of_the_runner_is_in_the_index() -> None:
    assert all(f"[{code}]({code}.md)" in PAGES["README.md"] for code in MODULES)
    assert all(f"`{code}`" in PAGES["README.md"] for code in UPSTREAM_CODES)


def test_eras_in_the_pages_are_public_names() -> None:
    named = {found for text in PAGES.values() for found in re.findall(r"climpt-\d{4}-\d\d-\d\d", text)}
    assert named <= set(ERAS)


def test_pages_are_written_and_old_ones_removed(tmp_path: Path) -> None:
    (tmp_path / "SF999.md").touch()
    rule_docs.write(tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == set(PAGES)


def test_the_page_of_the_configuration_is_as_the_code_makes_it() -> None:
    file = config_docs.FILE
    assert file.read_text("utf-8") == config_docs.page(), f"{file} is out of date: run python packaging/config_docs.py"
