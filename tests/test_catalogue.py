"""Every text that the code asks for has a Japanese one, and no translation is left over or broken."""

import ast
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import catalogue

PO = """
msgid "{count} step"
msgid_plural "{count} steps"
msgstr[0] "{count} ステップ"

msgid "Open “{name}”"
msgstr "「{name}」を開く"
"""
_JAPANESE = "ぁ-んァ-ヶ一-龥々ー"
OTHER_WORDS = {
    "エントリ": "入口",
    "エントリー": "入口",
    "開始ステップ": "入口ステップ",
    "プロンプト部品": "プロンプトセクション",
    "プロンプト断片": "プロンプトセクション",
    "クロージャ": "closure ステップ",
    "クローズステップ": "closure ステップ",
    "ワークステップ": "work ステップ",
    "検証者": "バリデーター",
    "インテント": "intent",
    "トランジション": "遷移",
    "許可インテント": "allowedIntents",
}
"""Names that things don't have in Japanese, with those that they have."""
CODE = """
print(_("Open “{name}”").format(name=name))
print(ngettext("{count} step", "{count} steps", count).format(count=count))
"""


@pytest.mark.slow
@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_code_and_translations_fit_together(language: str) -> None:
    problems = catalogue.problems(language)
    entries = "entries to fill in: .venv/bin/python packaging/catalogue.py missing; then: make catalogue"
    assert not problems, "\n".join([*problems, entries])


def test_a_japanese_word_has_one_spelling(checkout: Path) -> None:
    """Words such as フォルダー keep their long mark everywhere."""
    files = [*(checkout / "resources/locale/ja").glob("*.po"), checkout / "README.ja.md"]
    words = {word for file in files for word in re.findall("[ァ-ヴー]+", file.read_text("utf-8"))}
    assert not {word for word in words if f"{word}ー" in words}


def test_japanese_quotes_are_japanese(checkout: Path) -> None:
    for file in sorted((checkout / "resources" / "locale" / "ja").glob("*.po")):
        entries = file.read_text("utf-8").split("\n\n")
        found = [entry for entry in entries if "“" in (said := entry.partition("\nmsgstr")[2]) or "”" in said]
        assert not found, f"{file.name}: {found}"


@pytest.mark.parametrize(
    ("pattern", "way"),
    [
        (
            f"[{_JAPANESE}」] ?\\((?!&\\w\\))|\\((?!&)[^()]*[{_JAPANESE}]",
            "brackets have full width but for a menu's letter",
        ),
        (" （|）（?=[。、]）", "no blank goes before a bracket"),
        (f"[0-9A-Za-z][{_JAPANESE}]|[{_JAPANESE}][0-9A-Za-z]", "a blank parts Japanese from digits and Latin letters"),
    ],
)
def test_japanese_is_set_consistently(pattern: str, way: str, checkout: Path) -> None:
    for file in sorted((checkout / "resources" / "locale" / "ja").glob("*.po")):
        for entry in file.read_text("utf-8").split("\n\n"):
            said = entry.partition("\nmsgstr")[2].replace('"\n"', "").replace("\\n", "\n")
            assert not re.search(pattern, said), f"{file.name}: {way}: {said}"


def test_quotes_in_the_code_are_translated(checkout: Path) -> None:
    """A word quoted by an f-string keeps its English quotes in a Japanese sentence."""
    found = [
        f"{file.relative_to(checkout)}:{node.lineno}"
        for file in sorted((checkout / "stepflow_gui").rglob("*.py"))
        if "“{" in (code := file.read_text("utf-8"))
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.JoinedStr)
        for before, after in pairwise(node.values)
        if isinstance(before, ast.Constant)
        and str(before.value).endswith("“")
        and isinstance(after, ast.FormattedValue)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("word", OTHER_WORDS)
def test_a_thing_has_one_japanese_name(checkout: Path, word: str) -> None:
    pages = [*(checkout / "docs/ja").rglob("*.md"), checkout / "README.ja.md"]
    for file in (*(checkout / "resources/locale/ja").glob("*.po"), *pages):
        assert word not in file.read_text("utf-8"), f"{file.name}: {word} is called {OTHER_WORDS[word]}"


def test_look_ups_are_of_literals(checkout: Path) -> None:
    """What isn't written out can't be found by the extraction, so it would never be translated."""
    found = [f"{file}:{line}" for file, line in catalogue.unfindable(checkout)]
    assert not found, "\n".join(found)


def project(folder: Path, code: str, **rooms: str) -> Path:
    """A project with one module and the given Japanese files."""
    (folder / "stepflow_gui").mkdir()
    (folder / "stepflow_gui" / "window.py").write_text(code, "utf-8")
    (folder / "resources" / "locale" / "ja").mkdir(parents=True)
    for room, text in rooms.items():
        (folder / "resources" / "locale" / "ja" / f"{room}.po").write_text(text, "utf-8")
    return folder


def test_a_catalogue_that_fits_has_no_problem(tmp_path: Path) -> None:
    assert catalogue.problems("ja", project(tmp_path, CODE, gui=PO)) == []


@pytest.mark.parametrize(
    ("code", "po", "problem"),
    [
        (CODE + 'print(_("Save"))', PO, "no translation of 'Save'"),
        (CODE + 'print(_("Save"))', PO + '\nmsgid "Save"\nmsgstr ""\n', "no translation of 'Save'"),
        (CODE, PO + '\nmsgid "Close"\nmsgstr "閉じる"\n', "nothing asks for 'Close'"),
        (CODE, PO.replace("「{name}」", "「{step}」"), "the placeholders of"),
        (CODE, PO.replace("{count} ステップ", "ステップ"), "the placeholders of"),
        (CODE, PO.replace("steps", "things"), "the plural of"),
        (CODE, PO + '\nmsgid "Open “{name}”"\nmsgstr "「{name}」を開きます"\n', "appears twice"),
    ],
)
def test_what_does_not_fit_is_reported(code: str, po: str, problem: str, tmp_path: Path) -> None:
    problems = catalogue.problems("ja", project(tmp_path, code, gui=po))
    assert len(problems) == 1
    assert problem in problems[0]


def test_two_rooms_may_share_a_text_but_not_translate_it_differently(tmp_path: Path) -> None:
    same = 'msgid "Open “{name}”"\nmsgstr "「{name}」を開く"\n'
    folder = project(tmp_path, CODE, gui=PO, cli=same)
    assert catalogue.problems("ja", folder) == []
    (folder / "resources" / "locale" / "ja" / "cli.po").write_text(same.replace("を開く", "を表示"), "utf-8")
    assert any("differently" in line for line in catalogue.problems("ja", folder))


def test_the_compiled_catalogue_speaks_japanese(checkout: Path) -> None:
    """Through the program itself, in a process of its own."""
    code = (
        "from stepflow_gui.messages import use_language, _; use_language('ja'); print(_('Qt can\\'t start: {reason}'))"
    )
    subprocess.run([sys.executable, "packaging/catalogue.py", "compile"], cwd=checkout, check=True)
    said = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code], cwd=checkout, check=True, capture_output=True, encoding="utf-8"
    )
    assert said.stdout.strip() == "Qt を起動できません: {reason}"
