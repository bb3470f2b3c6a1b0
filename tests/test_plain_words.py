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
    r"\btak(e|es|en|ing) (\w+ )?back\b": "undo, revert, remove",
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
    r"\bgoes? before (it|them)\b": "takes precedence",
    r"\bby chance\b": "at random",
    r"\bnothing elsewhere\b|\bnothing from elsewhere\b": "no external resources",
    r"\bto its corners\b": "every part of",
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


JAPANESE_PHRASES = {
    r"リトライ": "再試行",
    r"イテレーション": "反復",
    r"進み先|行き先": "遷移先",
    r"応答元": "回答者",
    r"判定者|審判": "judge",
    r"loop monitor|ループモニター": "ループ監視",
    r"網羅率": "カバレッジ",
    r"何も言(わずに|いません)|黙って": "警告なしに、報告しません",
    r"テキストに誤り": "構文エラー",
    r"抜け出せないループ|出口のない": "無限ループ",
    r"[一二三]つ(?!か)": "1 つ、2 つ、3 つ",
    r"[？：]": "?, : (half width)",
    r"(?<!か)ことですか(?![?？])": "ことですか?",
    r"\}（…）|\}（\"": "code keeps its own brackets",
    r"つづり": "綴り",
    r"かどうか\Z": "a label names the setting: GitHub と連携",
    r"[ぁ-んァ-ヶ一-龥]judge|judge[ぁ-んァ-ヶ一-龥]": "a space on both sides",
}


def _japanese_texts(checkout: Path) -> Iterator[tuple[str, str]]:
    """Where a text is, and the text without the code in it."""
    for name in catalogue.CATALOGUES:
        merged, _wrong = catalogue.translations("ja", checkout, name)
        for message in merged:
            for text in (message.string,) if isinstance(message.string, str) else message.string or ():
                yield f"catalogue {name}", text
    for page in (checkout / "README.ja.md", *sorted((checkout / "docs/ja").glob("*.md"))):
        yield page.name, re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", page.read_text("utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("phrase", JAPANESE_PHRASES)
def test_no_japanese_text_uses_the_phrase(phrase: str, checkout: Path) -> None:
    found = [
        f"{where}: {' '.join(text[max(0, hit.start() - 30) : hit.end() + 30].split())}"
        for where, text in _japanese_texts(checkout)
        for hit in re.finditer(phrase, text)
    ]
    assert not found, f"write “{JAPANESE_PHRASES[phrase]}” instead:\n" + "\n".join(found)


def test_brackets_of_japanese_pages_have_full_width(checkout: Path) -> None:
    found = [
        f"{where}: {hit[0]}"
        for where, text in _japanese_texts(checkout)
        if where.endswith(".md")
        for hit in re.finditer(r"[ぁ-んァ-ヶ一-龥」。] ?\([^()\n]*[ぁ-んァ-ヶ一-龥\[][^()\n]*\)?", text)
    ]
    assert not found, "\n".join(found)


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
