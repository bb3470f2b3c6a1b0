"""The documents name only what exists, both languages show the same, and every page can be found."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import api_docs
import docs_site
import format_docs
from stepflow_gui.cli.main import main

LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?!https?:)([^)#]+)")
IMAGE = re.compile(r"!\[[^\]]+\]\(([^)]+)\)")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r" +#.*$", re.MULTILINE)
CODE = re.compile(r"\bSF\d{3}\b")
OPTION = re.compile(r"--[a-z-]+")
KEYS = re.compile(r"\b(?:Ctrl\+|Shift\+)*F\d+\b")
ANCHOR = re.compile(r"(?<!!)\[[^\]]*\]\((?!https?:)([^)#]*)#([^)]+)\)")


@pytest.mark.parametrize("name", ["README.md", "README.ja.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_have_a_target(name: str, checkout: Path) -> None:
    links = LINK.findall((checkout / name).read_text("utf-8"))
    assert [link for link in links if not (checkout / link).exists()] == []


def test_every_picture_is_there_shown_and_small(checkout: Path) -> None:
    files = [checkout / "README.md", checkout / "README.ja.md", *(checkout / "docs").rglob("[a-z]*.md")]
    shown = {
        Path(os.path.normpath(file.parent / link)).relative_to(checkout).as_posix()
        for file in files
        for link in IMAGE.findall(file.read_text("utf-8"))
    }
    there = {path.relative_to(checkout).as_posix(): path.stat().st_size for path in checkout.glob("docs/images/*.png")}
    assert shown == set(there)
    assert sum(there.values()) < 1_500_000


@pytest.mark.parametrize("pattern", [CODE, OPTION])
def test_both_readmes_name_the_same(pattern: re.Pattern[str], checkout: Path) -> None:
    english, japanese = ((checkout / name).read_text("utf-8") for name in ("README.md", "README.ja.md"))
    assert sorted(set(pattern.findall(english))) == sorted(set(pattern.findall(japanese)))


def test_both_readmes_show_the_same_commands(checkout: Path) -> None:
    def blocks(name: str) -> list[str]:
        return [COMMENT.sub("", text) for _, text in BLOCK.findall((checkout / name).read_text("utf-8"))]

    assert blocks("README.md") == blocks("README.ja.md")


def pages(checkout: Path) -> list[str]:
    return sorted(path.name for path in (checkout / "docs").glob("*.md"))


def test_every_page_has_its_pair(checkout: Path) -> None:
    assert pages(checkout) == sorted(path.name for path in (checkout / "docs" / "ja").glob("*.md"))
    for name in pages(checkout):
        english, japanese = (checkout / "docs" / name).read_text("utf-8"), _japanese(checkout, name)
        assert english.splitlines()[2] == f"[日本語](ja/{name})"
        assert japanese.splitlines()[2] == f"[English](../{name})"


def test_both_pages_show_the_same(checkout: Path) -> None:
    for name in pages(checkout):
        english, japanese = (checkout / "docs" / name).read_text("utf-8"), _japanese(checkout, name)
        assert _shape(english) == _shape(japanese), name
        for pattern in (CODE, OPTION, KEYS):
            assert set(pattern.findall(english)) == set(pattern.findall(japanese)), name


def test_links_of_pages_have_a_target(checkout: Path) -> None:
    for page in (checkout / "docs").glob("**/[a-z]*.md"):
        text = page.read_text("utf-8")
        for link in LINK.findall(text):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
        for other, heading in ANCHOR.findall(text):
            target = (page.parent / other if other else page).read_text("utf-8")
            assert heading in [_anchor(line) for line in target.splitlines()], f"{page.name}: {other}#{heading}"


def _japanese(checkout: Path, name: str) -> str:
    return (checkout / "docs" / "ja" / name).read_text("utf-8")


def _shape(text: str) -> list[str]:
    """Headings, rows of tables, items of lists, and code without its comments, in their order."""
    code = [COMMENT.sub("", block) for _, block in BLOCK.findall(text)]
    marks = re.findall(r"^(#+|\||-) ?", BLOCK.sub("", text), re.MULTILINE)
    return [*code, *marks]


def _anchor(line: str) -> str:
    """What links call a heading by, as GitHub has it."""
    kept = re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower())
    return kept.replace(" ", "-") if line.startswith("#") else ""


def test_the_json_of_the_docs_is_what_is_printed(
    checkout: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (checkout / "docs" / "json.md").read_text("utf-8")
    (sample,) = (text for kind, text in BLOCK.findall(page) if kind == "json")
    monkeypatch.chdir(checkout / "resources" / "examples" / "issue-flow-broken")
    main(["lint", "--format", "json"])
    printed = json.loads(capsys.readouterr().out)
    shown = json.loads(sample)
    assert shown.pop("diagnostics")[0] in printed.pop("diagnostics")
    assert shown == printed


def test_the_example_of_the_configuration_is_valid(
    checkout: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = (checkout / "docs" / "configuration.md").read_text("utf-8")
    (sample,) = (text for kind, text in BLOCK.findall(page) if kind == "toml")
    monkeypatch.chdir(tmp_path)
    assert main(["new", "minimal", "--name", "one"]) == 0
    (tmp_path / "stepflow.toml").write_text(sample, "utf-8")
    assert main(["lint", "--show-settings", ".agent/one/steps_registry.json"]) == 0, capsys.readouterr().err
    assert 'SF201 enum-transition-mismatch = "warning"' in capsys.readouterr().out


def test_a_readme_is_a_screen_long(checkout: Path) -> None:
    for name in ("README.md", "README.ja.md"):
        assert len((checkout / name).read_text("utf-8").splitlines()) < 60, name


def navigation(checkout: Path) -> Iterator[str]:
    nav = (checkout / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    return (line.rpartition(" ")[2] for line in nav.splitlines() if line.endswith(".md"))


def test_the_site_and_its_first_page_lead_to_every_page(checkout: Path) -> None:
    listed = [*navigation(checkout)]
    assert sorted(listed) == sorted([*pages(checkout), "rules/README.md"]), "nav of mkdocs.yml"
    for folder in ("docs", "docs/ja"):
        linked = LINK.findall((checkout / folder / "index.md").read_text("utf-8"))
        assert set(linked) - {"ja/index.md", "../index.md"} == set(listed) - {"index.md"}, folder


def test_no_page_lacks_its_translation(checkout: Path, tmp_path: Path) -> None:
    assert docs_site.untranslated(checkout / "docs") == []
    for page in ("one.md", "ja/other.md", "both.md", "ja/both.md"):
        (tmp_path / page).parent.mkdir(exist_ok=True)
        (tmp_path / page).touch()
    assert docs_site.untranslated(tmp_path) == ["ja/one.md", "other.md"]


def test_the_site_is_built_without_a_warning(tmp_path: Path, checkout: Path) -> None:
    """By `make docs`, too, which brings its own mkdocs: tests install none."""
    pytest.importorskip("material", reason="mkdocs-material isn't installed here: make docs builds the site")
    assert docs_site.main(["--output", str(tmp_path)]) == 0
    for page in ("index.html", "ja/index.html", "ja/rules/SF201.html"):
        built = (tmp_path / page).read_text("utf-8")
        assert re.findall(r'(?:src|href)="(?:https?:)?//[^"]+\.(?:js|css|woff2?)"', built) == []
        (other,) = re.findall(rf'href="([^"]+)" hreflang="{"ja" if page == "index.html" else "en"}" class', built)
        assert (tmp_path / page).parent.joinpath(other).is_file()


@pytest.mark.parametrize("made", [api_docs, format_docs])
def test_pages_made_of_the_code_are_up_to_date(made: ModuleType) -> None:
    for name, text in made.pages().items():
        file = made.DOCS / name
        assert file.read_text("utf-8") == text, f"{file} is out of date: run packaging/{made.__name__}.py"


def test_every_format_has_a_row() -> None:
    assert not format_docs.unnamed()
