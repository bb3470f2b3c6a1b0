"""Texts use the words of other tools: phrases that a reader would stumble over don't come back.

The phrases are regular expressions over the English texts of the catalogue, the English pages, CHANGELOG.md and the
docstrings that readers of the code see first; each names what to write instead.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import catalogue

PHRASES = {
    r"(?<!there\s)\b(is|are|was|were) no (?!longer\b|such\b|more\b|need\b|way\b|\{)[\w“`]": "is not a …",
    r"\b(isn|aren)['’]t there\b(?! yet| any)": "doesn't exist, is missing",
    r"\btak(e|es|en|ing) back\b": "undo, revert, remove",
    r"\bby hand\b": "manually",
    r"\b(leads?|led|leading) (to|back|there|here|nowhere|elsewhere|on|out of)\b": "goes to, has no target",
    r"\bfares?\b": "the status",
    r"\banew\b": "again",
    r"\blooked at\b": "read, checked",
    r"\ball right\b": "acceptable",
    r"\bin vain\b": "never",
    r"\bnobody\b": "say what happens instead",
    r"\bcircles?\b": "cycle, infinite loop",
    r"\bgoes round\b": "loops",
    r"\bstands? (there|here|in the way|twice|elsewhere)\b": "is there, appears twice",
    r"\bout of reach\b": "unreachable",
    r"\bshortest ways?\b": "shortest path",
    r"\bway out\b": "exit",
    r"\bto mend\b": "to fix",
    r"\bheed(s|ed)?\b": "apply",
    r"\ball the same\b": "anyway",
    r"\btold apart\b": "distinguished",
    r"\bfor want of\b": "because no … was found",
    r"\bneedn['’]t\b": "it may be intended, doesn't have to",
    r", so that (the|it|its|a|an|no|they|this)\b": "so",
    r"\bof no use\b": "unused",
}


def _texts(checkout: Path) -> Iterator[tuple[str, str]]:
    """Where a text is, and the text."""
    for name in catalogue.CATALOGUES:
        merged, _wrong = catalogue.translations("ja", checkout, name)
        for message in merged:
            for text in (message.id,) if isinstance(message.id, str) else message.id:
                yield f"catalogue {name}", text
    for page in (checkout / "README.md", checkout / "CHANGELOG.md", *sorted((checkout / "docs").rglob("*.md"))):
        if "ja" not in page.relative_to(checkout).parts:
            yield page.name, page.read_text("utf-8")
    package = checkout / "stepflow_gui"
    for module in sorted(package.rglob("*.py")):
        for text in _docstrings(ast.parse(module.read_text("utf-8"))):
            yield module.relative_to(package).as_posix(), text


def _docstrings(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Those of a module, its public classes and functions, and their public methods."""
    yield ast.get_docstring(node) or ""
    for inner in () if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else node.body:
        if isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not inner.name.startswith("_"):
            yield from _docstrings(inner)


@pytest.fixture(scope="module")
def texts(checkout: Path) -> list[tuple[str, str]]:
    return list(_texts(checkout))


@pytest.mark.parametrize("phrase", PHRASES)
def test_no_text_uses_the_phrase(phrase: str, texts: list[tuple[str, str]]) -> None:
    pattern = re.compile(phrase.replace(" ", r"\s+"), re.IGNORECASE)
    found = [
        f"{where}: {' '.join(text[max(0, hit.start() - 50) : hit.end() + 50].split())}"
        for where, text in texts
        for hit in pattern.finditer(text)
    ]
    assert not found, f"write “{PHRASES[phrase]}” instead:\n" + "\n".join(found)


def test_findings_name_a_version_of_climpt_as_the_option_does(checkout: Path) -> None:
    found = [
        f"{module.name}: {text.value!r}"
        for module in sorted((checkout / "stepflow_gui" / "lint").rglob("*.py"))
        for call in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in {"_", "ngettext"}
        for text in call.args
        if isinstance(text, ast.Constant) and re.search(r"climpt 1\.\d", str(text.value))
    ]
    assert not found, "write “climpt-1.14” instead:\n" + "\n".join(found)


def test_no_blank_parts_a_quoted_name_from_japanese(checkout: Path) -> None:
    letter = "[ぁ-んァ-ヶ一-龥]"
    parted = re.compile(f"{letter} 「|」 {letter}")
    snapshots = sorted((checkout / "tests" / "lint" / "snapshots").glob("*.ja.txt"))
    assert snapshots
    assert [each.name for each in snapshots if parted.search(each.read_text("utf-8"))] == []
