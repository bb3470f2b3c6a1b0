"""The pages on formats and runtimes, made of the tables of runtimes: `python packaging/format_docs.py` writes them.

The English one is `docs/formats.md`, the Japanese one `docs/ja/formats.md`. A test fails when they are out of date.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from doc_language import speaking
from stepflow_gui.formats.climpt.eras import ERAS, Era, era_for, guide_for
from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.formats.names import format_name

DOCS = Path(__file__).resolve().parent.parent / "docs"
FILES = {"en": "formats.md", "ja": "ja/formats.md"}  # below the docs


class Text(NamedTuple):
    """A text in both languages."""

    en: str
    ja: str


class Difference(NamedTuple):
    """A row of the table of runtimes: what differs, and what a runtime has there (whether it does so, or how)."""

    what: Text
    of: Callable[[Era], bool | Text]


INTRODUCTION = Text(
    """\
# Formats and runtimes

[日本語](ja/formats.md)

Stepflow reads the registries that climpt has had over time, and the pieces and workflows of TAKT. It opens, draws,
lints, edits and runs all of them. A **format** is the shape of a file, a **runtime** the version of the runner that
findings and runs are about ([why that matters](runtimes.md)).""",
    """\
# 形式とランタイム

[English](../formats.md)

Stepflow は、climpt のこれまでのレジストリと、TAKT のピースやワークフローを読みます。\
どの形式も、表示、検査、編集、実行できます。\
**形式**はファイルの形、**ランタイム**は指摘や実行が対象とするランナーのバージョンです\
（[ランタイムで変わること](runtimes.md)）。""",
)
FORMATS = Text(
    """\
## Formats

The format is detected from the file. A characteristic has to apply to more than half of the steps, so a single
mistake doesn't change the format of a file. `--registry-format`, or `format` in the
[configuration](configuration.md), sets another one. [Convert](convert.md) shows which formats can be converted to
which.

| format | name | detected by | runtime by default |
|---|---|---|---|""",
    """\
## 形式

形式はファイルから判断されます。特徴がステップの半数より多く当てはまる必要があるので、1 つの間違いで形式が\
変わることはありません。`--registry-format`、または[設定](configuration.md)の `format` で指定できます。\
どの形式からどの形式へ変換できるかは\
[変換](convert.md)にあります。

| 形式 | 名前 | 判断の基準 | 既定のランタイム |
|---|---|---|---|""",
)
MARKS = {
    "closing": Text(
        "gates, and `fallbackKey`, `userPromptsBase` or `schemasBase`",
        "ゲートがあり、`fallbackKey`、`userPromptsBase`、`schemasBase` のいずれかがある",
    ),
    "c3l": Text("gates, and none of these", "ゲートがあり、上のいずれもない"),
    "complete": Text(
        "gates with the intent `complete`, and neither `closing` nor `handoff`",
        "intent `complete` のゲートがあり、`closing` も `handoff` もない",
    ),
    "checks": Text(
        "step ids such as `s_a8f3`, or `check` beside `prompt`",
        "ステップの ID が `s_a8f3` の形、または `prompt` の隣に `check` がある",
    ),
    "adt-kind-address": Text("steps with `kind` and `address`", "ステップに `kind` と `address` がある"),
    "entry-pair": Text("entries of `initial` and `continuation`", "入口が `initial` と `continuation` の組"),
    "gateless": Text("steps without gates and transitions", "ステップにゲートも遷移もない"),
    "transitions-only": Text("transitions, and no gates", "遷移があり、ゲートがない"),
    "c3l-completion": Text("`completionSteps`, and no gates", "`completionSteps` があり、ゲートがない"),
    "c3l-flat": Text("only prompts, by c2 and c3", "c2 と c3 によるプロンプトだけ"),
    "flow-array": Text("a `flow` that consists of lists", "リストからなる `flow`"),
    "prompt-path": Text("steps with `promptPath`, and no c2", "ステップに `promptPath` があり、c2 がない"),
}
TAKT = Text(
    "| `takt` | TAKT piece, TAKT workflow | YAML with `movements`, or `steps` and `initial_step` "
    "| by the file: [TAKT releases](takt-releases.md) |",
    "| `takt` | TAKT ピース、TAKT ワークフロー | `movements`、または `steps` と `initial_step` のある YAML "
    "| ファイルによる: [TAKT のリリース](takt-releases.md) |",
)
RUNTIMES = Text(
    """\
## Runtimes

`guide` follows the published documents, all others are versions of climpt. The column `guide` is for the format
`closing`. Flows with checks have a runtime of their own, `climpt-2026-01-09`: see
[Flows with checks](debugging.md#flows-with-checks). Releases of TAKT are in [TAKT releases](takt-releases.md).
""",
    """\
## ランタイム

`guide` は公開文書に従い、ほかは climpt のバージョンです。`guide` の列は形式 `closing` の場合です。\
チェックのあるフローには専用のランタイム `climpt-2026-01-09` があります\
（[チェックのあるフロー](debugging.md#チェックのあるフロー)）。\
TAKT のリリースは[TAKT のリリース](takt-releases.md)にあります。
""",
)
FILES_FOUND = Text(
    """\
## Where files are looked up

The root of a project is the nearest folder upward that holds `.agent/`, `.takt/`, `.git` or a `stepflow.toml`.
`agent.json` lies beside the registry. `userPromptsBase` and `schemasBase` start at the root.

| file | places, in this order |
|---|---|
| schema | `schemasBase` below the root; `schemas.base` of agent.json below the root and the agent's folder; \
`schemas` beside the registry |
| prompt | `userPromptsBase` below the root; `prompts` beside the registry; \
`prompts.fallbackDir` of agent.json (`guide`) |

If a file is missing, findings name the first place, and *Step Files* in the window lists every path tried.""",
    """\
## ファイルの探し方

プロジェクトのルートは、上位へたどって最初に `.agent/`、`.takt/`、`.git`、`stepflow.toml` のいずれかがある\
フォルダーです。`agent.json` はレジストリの隣にあります。`userPromptsBase` と `schemasBase` はルートからの相対パスです。

| ファイル | 探す場所（この順） |
|---|---|
| スキーマ | ルートの下の `schemasBase`。ルートとエージェントのフォルダーの下の、agent.json の `schemas.base`。\
レジストリの隣の `schemas` |
| プロンプト | ルートの下の `userPromptsBase`。レジストリの隣の `prompts`。\
agent.json の `prompts.fallbackDir`（`guide` のみ） |

ファイルがない場合、指摘は最初の場所を示します。ウィンドウの「ステップのファイル」には、探した場所がすべて表示されます。""",
)
BEHAVIOUR = Text("| behaviour |", "| 動作 |")
_YES, _NO = Text("yes", "はい"), Text("–", "–")

DIFFERENCES = (
    Difference(
        Text("A registry that it refuses", "拒否するレジストリ"),
        lambda era: {
            "reported": Text("is reported, and runs up to the mistake", "報告し、間違いの箇所まで実行"),
            "stop": Text("stops the run at its start", "開始時に停止"),
            "dropped": Text("is dropped; the run finds no entry", "無視され、入口が見つからない"),
        }[era.load_errors],
    ),
    Difference(
        Text("The kind of a step limits its intents", "ステップの種類が intent を制限する"), lambda era: era.kinds
    ),
    Difference(Text("`failFast` is read", "`failFast` を読む"), lambda era: era.fail_fast),
    Difference(
        Text("`abort` may be left out of `allowedIntents`", "`abort` は `allowedIntents` になくてもよい"),
        lambda era: "abort" in era.always_allowed,
    ),
    Difference(
        Text("`repeat` goes", "`repeat` の後のステップ"),
        lambda era: {
            "stays": Text("to the same step", "同じステップ"),
            "moves": Text("where its transition leads", "その遷移先"),
            "moves at c2 closure": Text(
                "to the same step; in closure steps where its transition leads",
                "同じステップ。closure ステップではその遷移先",
            ),
        }[era.repeat],
    ),
    Difference(
        Text("`target: null` ends the run for every intent", "`target: null` はどの intent でも実行を終える"),
        lambda era: era.null_ends,
    ),
    Difference(
        Text("An intent without a transition ends the run", "遷移のない intent は実行を終える"),
        lambda era: era.no_rule_ends,
    ),
    Difference(
        Text("`handoff` and `escalate` may be conditional", "`handoff` と `escalate` に条件を付けられる"),
        lambda era: era.uniform_rules or not era.own_rules,
    ),
    Difference(
        Text("`abort` is a success", "`abort` は成功として終わる"),
        lambda era: era.abort_succeeds and "abort" in era.finishing,
    ),
    Difference(
        Text("The limit of iterations is a success", "反復の上限は成功として終わる"), lambda era: era.limit_succeeds
    ),
    Difference(
        Text("An error during the run makes it a failure", "実行中のエラーがあれば失敗になる"),
        lambda era: era.needs_clean_run,
    ),
    Difference(
        Text("A step with another `stepId` in its answer ends the run", "回答の `stepId` が異なると実行を終える"),
        lambda era: era.refuses_other_ids,
    ),
    Difference(
        Text("`fallbackKey` replaces a missing prompt", "見つからないプロンプトを `fallbackKey` で補う"),
        lambda era: era.spare_prompts,
    ),
    Difference(
        Text("`fallbackDir` is searched for a missing prompt", "見つからないプロンプトを `fallbackDir` で探す"),
        lambda era: era.reads_fallback_dir,
    ),
    Difference(
        Text(
            "A missing prompt of an adaptation is replaced by the one without it",
            "adaptation 用のプロンプトがなければ、adaptation なしのものを使う",
        ),
        lambda era: era.plain_prompts,
    ),
    Difference(
        Text("`permissionMode` of a step is read", "ステップの `permissionMode` を読む"), lambda era: era.step_modes
    ),
    Difference(
        Text("A closure step can start a program", "closure ステップがプログラムを起動できる"),
        lambda era: era.subprocesses,
    ),
    Difference(
        Text("`onFailure.maxAttempts` counts", "`onFailure.maxAttempts` が数えるもの"),
        lambda era: {
            "unread": Text("nothing: it isn't read", "なし（読まない）"),
            "tries": Text("attempts", "試行"),
            "retries": Text("retries after the first attempt", "最初の試行の後の再試行"),
        }[era.attempts],
    ),
    Difference(
        Text(
            "Validators also run before a closure step is asked",
            "closure ステップに問い合わせる前にもバリデーターを実行",
        ),
        lambda era: era.preflight,
    ),
    Difference(
        Text("A cycle of `$ref` refuses the registry", "`$ref` の循環はレジストリを拒否する"),
        lambda era: era.refuses_cycles,
    ),
    Difference(Text("Entries are pairs", "入口は組である"), lambda era: era.entry_pairs),
)


def pages() -> dict[str, str]:
    """The page in every language, by its path below the docs."""
    made = {}
    for language, file in FILES.items():
        with speaking(language):
            made[file] = "\n".join(_lines(language)) + "\n"
    return made


def _lines(language: str) -> Iterator[str]:
    yield from (_in(INTRODUCTION, language), "", _in(FORMATS, language))
    for name, mark in MARKS.items():
        row = (f"`{name}`", format_name(name), _in(mark, language), f"`{era_for(name).name}`")
        yield f"| {' | '.join(row)} |"
    yield from (_in(TAKT, language), "", _in(RUNTIMES, language))
    eras = [guide_for("closing"), *(era for era in ERAS.values() if era.name != "guide" and era.gates)]
    yield _in(BEHAVIOUR, language) + "".join(f" `{era.name.removeprefix('climpt-')}` |" for era in eras)
    yield "|---" * (len(eras) + 1) + "|"
    for difference in DIFFERENCES:
        cells = (_in(_text(difference.of(era)), language) for era in eras)
        yield f"| {' | '.join((_in(difference.what, language), *cells))} |"
    yield from ("", _in(FILES_FOUND, language))


def _text(found: bool | Text) -> Text:
    return found if isinstance(found, Text) else _YES if found else _NO


def _in(text: Text, language: str) -> str:
    return text.ja if language == "ja" else text.en


def unnamed() -> Iterable[str]:
    """Formats that the page has no row for."""
    return set(REGISTRY_FORMATS) - set(MARKS)


def write() -> None:
    """Write the pages."""
    for file, text in pages().items():
        (DOCS / file).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
