"""What a finding claims about a runner names a version: runners differ, and a file is judged by one of them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import Thin
from tests.real_agents import linted

_VERSIONED = r"[ -](?:\d|since|until|says|--validate|\{releases\})"
_NAMES_OF_FORMATS = r" (?:checks|steps|registries|registry|pieces?)|”|\)"
_VERBS = "refus|stop|ignor|drop|read|take|look|find|fetch|know|end|start|follow|fill|check|keep|lets"
_UNVERSIONED = re.compile(
    rf"(?<!branch of )\b(?:climpt|TAKT|the runner)\b(?!{_VERSIONED}|{_NAMES_OF_FORMATS})[^.:;“]*?\b(?:{_VERBS})"
)
_VERBS_JA = "拒否|停止|無視|読|終|起動|探|使"
_UNVERSIONED_JA = re.compile(rf"(?<!以降の )(?<!後の )(?:climpt|TAKT) ?[はがで][^。]*?(?:{_VERBS_JA})")
# What holds for every runner of JSON.
_OF_ALL = {
    "The file isn't UTF-8 from here on: the runner can't read it. Save it as UTF-8",
    "The file is {encoding}: the runner can't read it. Save it as UTF-8",
    "“{key}” appears twice: the runner uses this one and ignores the earlier one",
    "The step “{key}” appears twice: the runner uses this one and ignores the earlier one",
}


def _messages(folder: Path) -> Iterator[str]:
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"_", "ngettext"}:
                for text in node.args:
                    if isinstance(text, ast.Constant) and isinstance(text.value, str):
                        yield text.value


def test_messages_name_the_version_whose_behaviour_they_report(checkout: Path) -> None:
    texts = set(_messages(checkout / "stepflow_gui" / "lint"))
    assert len(texts) > 500
    assert [text for text in sorted(texts - _OF_ALL) if _UNVERSIONED.search(text)] == []


def test_findings_on_the_examples_of_all_rules_name_it_in_both_languages(checkout: Path) -> None:
    shown = {file.name: file.read_text(encoding="utf-8") for file in (checkout / "tests/lint/snapshots").glob("*.txt")}
    wrong = [(name, line) for name, text in shown.items() for line in text.splitlines() if _claims(line, name)]
    assert wrong == []


def _claims(line: str, name: str) -> bool:
    pattern = _UNVERSIONED_JA if name.endswith(".ja.txt") else _UNVERSIONED
    return bool(pattern.search(line)) and not line.startswith(" " * 7) and "the runner uses this one" not in line


def test_findings_on_real_files_name_it(corpus: Path, thin: Thin) -> None:
    """One registry in twelve; --full: each."""
    found = sorted((corpus / "climpt").rglob("steps_registry.json"))
    texts = {each.message for registry in thin(found, 12) for each in linted(registry)}
    assert texts
    assert [text for text in sorted(texts) if _UNVERSIONED.search(text)] == []
