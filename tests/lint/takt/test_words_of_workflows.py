"""What rules say of a file with `steps` is said in its words: it has steps, and is a workflow."""

import re
from collections.abc import Iterator

import pytest

import catalogue
from stepflow_gui.formats.fields import Field, Shape
from stepflow_gui.formats.takt.fields import PIECE_FILE
from stepflow_gui.formats.takt.renames import as_workflow
from stepflow_gui.lint.examples.example import Example
from stepflow_gui.lint.rules.table import MODULES, rule_module
from tests.lint.conftest import Lint

RULES = sorted(code for code in MODULES if code.startswith("T"))
QUOTED = re.compile(r"“[^“”]*”|「[^「」]*」|\{[^{}]*\}|`[^`]*`")
OTHERS = re.compile(r"movement|piece", re.IGNORECASE)
SHAPES = (
    (r"^movements:", "steps:"),
    (r"^initial_movement:", "initial_step:"),
    (r"^max_(iterations|movements):", "max_steps:"),
)


def _of_steps(example: Example) -> Example:
    def changed(text: str) -> str:
        for shape, word in SHAPES:
            text = re.sub(shape, word, text, flags=re.MULTILINE)
        return text

    texts = {name: changed(text) if isinstance(text, str) else text for name, text in example.texts.items()}
    return example._replace(texts=texts)


@pytest.mark.parametrize("code", RULES)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_rule_speaks_of_steps(code: str, language: str, lint_example: Lint, request: pytest.FixtureRequest) -> None:
    if language == "ja":
        request.getfixturevalue("japanese")
    for finding in lint_example(_of_steps(rule_module(code).BAD)):
        for text in (
            finding.message,
            *(fix.title for fix in finding.fixes),
            *(each.message for each in finding.related),
        ):
            assert not OTHERS.search(QUOTED.sub("", text)), f"{finding.code}: {text}"


def test_every_text_of_these_rules_has_words_for_both() -> None:
    japanese, _wrong = catalogue.translations("ja")
    texts: list[str] = []
    for use in catalogue.uses():
        if use.file.as_posix().startswith("stepflow_gui/lint/rules/takt/") and OTHERS.search(use.id):
            message = japanese.get(use.id)
            assert message is not None
            said = message.string if isinstance(message.string, tuple | list) else (message.string,)
            texts += [use.id, use.plural or "", *map(str, said)]
    assert len(texts) > 10
    for text in texts:
        assert not OTHERS.search(QUOTED.sub("", as_workflow(text))), text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a run ends after 10 movements", "a run ends after 10 steps"),
        (
            "“max_movements” of the movement “movement” in piece.yaml",
            "“max_movements” of the step “movement” in piece.yaml",
        ),
        ("The piece’s movements.", "The workflow’s steps."),
    ],
)
def test_what_is_quoted_stays(text: str, said: str) -> None:
    assert as_workflow(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("実行は movement 10 回で終わります", "実行はステップ 10 回で終わります"),
        ("「movement」という movement はありません", "「movement」というステップはありません"),
    ],
)
@pytest.mark.usefixtures("japanese")
def test_japanese_has_no_blanks_around_its_own_words(text: str, said: str) -> None:
    assert as_workflow(text) == said


def _fields(shape: Shape, seen: set[int]) -> Iterator[Field]:
    if id(shape) in seen:
        return
    seen.add(id(shape))
    for field in shape.fields:
        yield field
        yield from _fields(field.shape, seen)
    for inner in (shape.of, *shape.either):
        if inner is not None:
            yield from _fields(inner, seen)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_help_of_fields_too(language: str, request: pytest.FixtureRequest) -> None:
    if language == "ja":
        request.getfixturevalue("japanese")
    fields = [field for field in _fields(PIECE_FILE, set()) if OTHERS.search(QUOTED.sub("", field.meaning()))]
    assert len(fields) > 5
    for field in fields:
        assert not OTHERS.search(QUOTED.sub("", field.worded_for("workflow").meaning()))
        assert field.worded_for("piece") is field
