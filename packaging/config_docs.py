"""The pages of the configuration, made of the field table: `python packaging/config_docs.py` writes them.

The English one is `docs/configuration.md`, the Japanese one `docs/ja/configuration.md`. A test fails when they are out
of date.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from doc_language import speaking
from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.runtimes import RUNTIMES
from stepflow_gui.lint.config.fields import CONFIG, PER_PATH, SUPPRESS

DOCS = Path(__file__).resolve().parent.parent / "docs"
FILES = {"en": "configuration.md", "ja": "ja/configuration.md"}  # below the docs


class Words(NamedTuple):
    """The words around the table's own texts, in one language."""

    introduction: str
    example: str
    keys: str
    columns: str
    required: str
    runners: str
    formats: str
    runner: str
    format: str
    either: str
    tables: str
    texts: str
    table_of: str
    text: str
    boolean: str
    day: str
    comma: str


_ENGLISH = """\
# Configuration

[日本語](ja/configuration.md)

The keys of `stepflow.toml` and `.stepflow.toml`, and of the table `[tool.stepflow]` of a `pyproject.toml`. Only the
nearest of these files, from the registry upwards, is used. In one folder the first of `.stepflow.toml`,
`stepflow.toml`, `pyproject.toml` is used.

Rules are named by codes (`SF201`), code prefixes (`SF2`), names (`enum-transition-mismatch`) and `ALL`. If one list
enables a rule and another disables it, the more specific name wins: a code before a prefix, a longer prefix before a
shorter one, `ALL` last. Between equals the rule is disabled. The command line takes precedence over the file:
`--select` replaces the selection of the file, but what `[[per-path]]` disables stays disabled.

Patterns are those of `.gitignore`, relative to the file's folder. Settings for a path apply to the findings in that
file, and to all findings of that registry.

An unknown key, an invalid value and an unknown rule are reported with their line, and the exit code is 2. The rest of
the file is used."""

_JAPANESE = """\
# 設定

[English](../configuration.md)

`stepflow.toml` と `.stepflow.toml`、および `pyproject.toml` のテーブル `[tool.stepflow]` に書くキーの一覧です。\
レジストリから上位へたどって最も近いものだけが使われます。同じフォルダーでは、`.stepflow.toml`、\
`stepflow.toml`、`pyproject.toml` の順に優先されます。

規則は、コード（`SF201`）、コードの先頭（`SF2`）、名前（`enum-transition-mismatch`）、`ALL` で指定します。あるリストが\
有効にし、別のリストが無効にする規則では、より具体的な指定が優先されます。コードは先頭より、長い先頭は短い先頭よ\
り優先され、`ALL` は最後です。同じ具体さであれば無効になります。コマンドラインは設定ファイルより優先されます。\
`--select` は一から選び直しますが、`[[per-path]]` で無効にした規則は無効のままです。

パターンは `.gitignore` と同じ書き方で、設定ファイルのあるフォルダーからの相対パスです。パスに対する設定は、\
そのファイルの中の指摘と、そのレジストリのすべての指摘に適用されます。

不明なキー、正しくない値、存在しない規則は行番号とともに報告され、終了コードは 2 になります。ファイルの残りの\
設定は有効です。"""

_ENGLISH_EXAMPLE = """\
## Example

```toml
ignore = ["SF502"]                   # codes, code prefixes, names; also select and extend-select
fallback-keys = ["our_initial"]      # in addition to the built-in ones
runtime = "climpt-2026-03-14"        # the version of the runner, or guide
baseline = "stepflow-baseline.json"

[severity]
SF201 = "warning"                    # error, warning, info or off

[[per-path]]
paths = ["legacy/"]                  # patterns as in .gitignore, relative to this file
ignore = ["SF5"]

[[suppress]]
code = "SF301"
step = "initial.issue"               # also pointer and path
reason = "the target is generated"
until = 2030-12-31
```

`stepflow lint --show-settings FILE` prints the settings for a file and where each of them is set. `--config FILE` uses
another configuration, `--isolated` none."""

_JAPANESE_EXAMPLE = """\
## 例

```toml
ignore = ["SF502"]                   # コード、コードの先頭、名前。select と extend-select も
fallback-keys = ["our_initial"]      # 組み込み以外
runtime = "climpt-2026-03-14"        # 指摘の対象とするランナー、または guide
baseline = "stepflow-baseline.json"

[severity]
SF201 = "warning"                    # error、warning、info、off

[[per-path]]
paths = ["legacy/"]                  # .gitignore と同じパターン（このファイルからの相対パス）
ignore = ["SF5"]

[[suppress]]
code = "SF301"
step = "initial.issue"               # pointer と path も
reason = "the target is generated"
until = 2030-12-31
```

`stepflow lint --show-settings FILE` は、ファイルに適用される設定と、それぞれの設定元を表示します。\
`--config FILE` は別の設定を使い、`--isolated` は設定を使いません。"""

WORDS = {
    "en": Words(
        introduction=_ENGLISH,
        example=_ENGLISH_EXAMPLE,
        keys="Keys",
        columns="| key | value | default | meaning |",
        required="required",
        runners="Runners",
        formats="Formats",
        runner="a runner",
        format="a format",
        either=" or ",
        tables="tables",
        texts="list of texts",
        table_of="table of {values}",
        text="text",
        boolean="`true` or `false`",
        day="day",
        comma=", ",
    ),
    "ja": Words(
        introduction=_JAPANESE,
        example=_JAPANESE_EXAMPLE,
        keys="キー",
        columns="| キー | 値 | 既定値 | 意味 |",
        required="必須",
        runners="ランナー",
        formats="形式",
        runner="ランナー",
        format="形式",
        either="または",
        tables="テーブルのリスト",
        texts="文字列のリスト",
        table_of="テーブル（値は {values}）",
        text="文字列",
        boolean="`true` または `false`",
        day="日付",
        comma="、",
    ),
}


def pages() -> dict[str, str]:
    """The page in every language, by its path below the docs."""
    made = {}
    for language, file in FILES.items():
        with speaking(language):
            made[file] = "\n".join(_lines(WORDS[language])) + "\n"
    return made


def _lines(words: Words) -> Iterator[str]:
    yield words.introduction
    yield "\n" + words.example
    for heading, shape in ((words.keys, CONFIG), ("`[[per-path]]`", PER_PATH), ("`[[suppress]]`", SUPPRESS)):
        yield from ("", f"## {heading}", "", words.columns, "|---|---|---|---|")
        for field in shape.fields:
            default = words.required if field.need == "load" else _default(field.default)
            yield f"| `{field.name}` | {_value(field.shape, words)} | {default} | {field.meaning()} |"
    for heading, names in ((words.runners, RUNTIMES.forms), (words.formats, REGISTRY_FORMATS)):
        yield from ("", f"## {heading}", "", words.comma.join(f"`{each}`" for each in names))


def _default(value: object) -> str:
    return "–" if value is None else f"`{json.dumps(value)}`"


def _value(shape: Shape, words: Words) -> str:
    if shape.kind == "either":
        return words.either.join(_value(each, words) for each in shape.either)
    if shape.choices:
        named = {tuple(RUNTIMES): words.runner, REGISTRY_FORMATS: words.format}.get(shape.choices)
        return named or words.comma.join(f"`{choice}`" for choice in shape.choices)
    if shape.kind == "list" and shape.of:
        return words.tables if shape.of.kind == "object" else words.texts
    if shape.kind == "map" and shape.of:
        return words.table_of.format(values=_value(shape.of, words))
    return {"string": words.text, "boolean": words.boolean, "any": words.day}[shape.kind]


def write() -> None:
    """Write the pages."""
    for file, text in pages().items():
        (DOCS / file).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / file).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
