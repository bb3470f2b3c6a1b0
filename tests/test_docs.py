"""The documents name only what exists, and the Japanese README shows the same as the English one."""

import re
from pathlib import Path

import pytest

LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?!https?:)([^)#]+)")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r" +#.*$", re.MULTILINE)
CODE = re.compile(r"\bSF\d{3}\b")
OPTION = re.compile(r"--[a-z-]+")


@pytest.mark.parametrize("name", ["README.md", "README.ja.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(name: str, checkout: Path) -> None:
    links = LINK.findall((checkout / name).read_text("utf-8"))
    assert [link for link in links if not (checkout / link).exists()] == []


@pytest.mark.parametrize("pattern", [CODE, OPTION])
def test_both_readmes_name_the_same(pattern: re.Pattern[str], checkout: Path) -> None:
    english, japanese = ((checkout / name).read_text("utf-8") for name in ("README.md", "README.ja.md"))
    assert sorted(set(pattern.findall(english))) == sorted(set(pattern.findall(japanese)))


def test_both_readmes_show_the_same_commands(checkout: Path) -> None:
    def blocks(name: str) -> list[str]:
        return [COMMENT.sub("", text) for _, text in BLOCK.findall((checkout / name).read_text("utf-8"))]

    assert blocks("README.md") == blocks("README.ja.md")
