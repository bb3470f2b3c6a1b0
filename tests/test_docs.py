"""The documents name only what exists, and the Japanese README shows the same as the English one."""

import json
import re
from pathlib import Path

import pytest

from stepflow_gui.cli.main import COMMANDS, main

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
    shown = {
        link for name in ("README.md", "README.ja.md") for link in IMAGE.findall((checkout / name).read_text("utf-8"))
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


def test_the_json_in_the_readme_is_what_is_printed(
    checkout: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (sample,) = (text for kind, text in BLOCK.findall((checkout / "README.md").read_text("utf-8")) if kind == "json")
    monkeypatch.chdir(checkout / "resources" / "examples" / "issue-flow-broken")
    main(["lint", "--format", "json"])
    printed = json.loads(capsys.readouterr().out)
    shown = json.loads(sample)
    assert shown.pop("diagnostics")[0] in printed.pop("diagnostics")
    assert shown == printed


def test_the_readmes_name_every_command(checkout: Path) -> None:
    for name in ("README.md", "README.ja.md"):
        text = (checkout / name).read_text("utf-8")
        left = [f"`stepflow {command}`" for command in COMMANDS if f"`stepflow {command}" not in text]
        assert not left, f"the table of commands in {name} has no row for {', '.join(left)}"
