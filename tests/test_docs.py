"""The documents name only what exists, and the Japanese README shows the same as the English one."""

import json
import re
from pathlib import Path

import pytest

from stepflow_gui.cli.main import main

LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?!https?:)([^)#]+)")
IMAGE = re.compile(r"!\[[^\]]+\]\(([^)]+)\)")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r" +#.*$", re.MULTILINE)
CODE = re.compile(r"\bSF\d{3}\b")
OPTION = re.compile(r"--[a-z-]+")


@pytest.mark.parametrize("name", ["README.md", "README.ja.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(name: str, checkout: Path) -> None:
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
    from stepflow_gui.cli.commands import COMMANDS

    for name in ("README.md", "README.ja.md"):
        text = (checkout / name).read_text("utf-8")
        assert [command for command in COMMANDS if f"`stepflow {command}" not in text] == []
