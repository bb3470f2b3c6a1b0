"""Every rule speaks Japanese about itself: whole, of the same things, and with nothing left in English."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import catalogue
import rule_catalogue
from doc_language import speaking
from stepflow_gui.lint.examples.rule_docs import RuleDocs, docs_of, english_docs_of, first_sentence
from stepflow_gui.lint.rules.table import MODULES
from stepflow_gui.messages import use_language

FALLBACK = "fallback を取り除きます。条件付き遷移では `default` がその役割を果たします。"
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
QUOTED = re.compile(r"`[^`]*`|「[^」]*」")
ENGLISH = re.compile(r"\b[a-z]+,? [a-z]+,? [a-z]+\b|\b(the|an?|is|are|of|and|or|that|which|where|not)\b")
ENTRIES = "entries to fill in: .venv/bin/python packaging/rule_catalogue.py missing; then: make catalogue"


@pytest.fixture
def japanese() -> Iterator[None]:
    with speaking("ja"):
        yield


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_rules_and_translations_fit_together(language: str) -> None:
    problems = rule_catalogue.problems(language)
    assert not problems, "\n".join([*problems, ENTRIES])


def texts(docs: RuleDocs) -> tuple[str, str, str]:
    return docs.what, docs.why, docs.fix


@pytest.mark.usefixtures("japanese")
def test_no_english_sentence_is_left() -> None:
    for code in MODULES:
        for text, english in zip(texts(docs_of(code)), texts(english_docs_of(code)), strict=True):
            plain = QUOTED.sub("", text)
            assert text != english, code
            assert JAPANESE.search(plain), f"{code}: {text}"
            assert not ENGLISH.search(plain), f"{code}: {text}"
            assert text.endswith("。"), f"{code}: {text}"


@pytest.mark.usefixtures("japanese")
def test_what_a_rule_reports_is_a_whole_sentence() -> None:
    for code in MODULES:
        first = first_sentence(docs_of(code).what)
        assert first.endswith("。"), f"{code}: {first}"
        assert first.count("。") == 1, f"{code}: {first}"


@pytest.mark.usefixtures("japanese")
def test_english_docs_stay_english_in_a_japanese_program() -> None:
    assert english_docs_of("SF302").what.startswith("Reports steps that no entry reaches")


def translated(folder: Path, checkout: Path, was: str, now: str) -> Path:
    """A copy of the rules' translations in which one text is another."""
    locale = folder / "resources" / "locale" / "ja"
    locale.mkdir(parents=True)
    for file in (checkout / "resources" / "locale" / "ja").glob("rules_*.po"):
        shutil.copy(file, locale)
    changed = locale / "rules_flow.po"
    text = changed.read_text("utf-8")
    assert was in text
    changed.write_text(text.replace(was, now), "utf-8")
    return folder


@pytest.mark.parametrize(
    ("was", "now", "problem"),
    [
        (FALLBACK, "", "SF316: no translation"),
        ("条件付き遷移では `default` が", "条件付き遷移では default が", "SF316: the names and marked words"),
        ('"Remove the fallback. A', '"Remove it. A', "no rule says 'Remove it."),
    ],
)
def test_what_does_not_fit_is_reported(was: str, now: str, problem: str, checkout: Path, tmp_path: Path) -> None:
    problems = rule_catalogue.problems("ja", translated(tmp_path, checkout, was, now))
    assert any(line.startswith(problem) for line in problems), problems


def test_a_missing_translation_is_printed_to_be_filled_in() -> None:
    use = next(each for each in rule_catalogue.uses() if each.code == "SF316" and each.part == "fix")
    assert use.entry.splitlines() == [
        "#. SF316 fix, rules_flow.po",
        'msgid "Remove the fallback. A conditional transition has a `default` for this."',
        'msgstr ""',
    ]


def test_where_the_catalogue_is_missing_the_docs_are_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("stepflow_gui.bundled.resource", tmp_path.joinpath)
    use_language("ja")
    assert docs_of("SF302") == english_docs_of("SF302")
