"""The pages on releases of TAKT, made of the tables of releases: `python packaging/takt_docs.py` writes them.

The English one is `docs/takt-releases.md`, the Japanese one `docs/ja/takt-releases.md`. A test fails when they are out
of date.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.takt.releases.sets import ALL, Releases, key_row, since, value_row, written
from stepflow_gui.formats.takt.releases.table import GENERATIONS, KEYS, VALUES
from stepflow_gui.formats.takt.releases.traces import CONFIG_KEYS, FOLDERS
from stepflow_gui.formats.takt.releases.variables import VARIABLES

DOCS = Path(__file__).resolve().parent.parent / "docs"
FILES = {"en": "takt-releases.md", "ja": "ja/takt-releases.md"}  # below the docs

_KEY = re.compile(r"[a-z_]+(?:\.[a-z_]+)*")
_LEVELS = ("top", "step", "sub", "rule", "monitor", "judge", "team_leader", "arpeggio")


class Words(NamedTuple):
    """The words around the tables, in one language."""

    introduction: str
    generations: str
    shapes: tuple[str, ...]
    generation_columns: str
    keys: str
    levels: tuple[str, ...]
    key_columns: str
    values: str
    value_columns: str
    variables: str
    variable_columns: str
    around: str
    around_columns: str


_ENGLISH = """\
# TAKT releases

[日本語](ja/takt-releases.md)

What each release of TAKT from 0.1.1 to 0.60.0 does with the keys of a piece or workflow: it reads them, silently drops
them, or refuses to load the file. `head` is the newest known revision, after 0.60.0; releases from 0.61 on are
treated as 0.60.

The releases that a file is for are those that load it and read all of it, else those that drop the least of it.
Mistakes in every release, such as a misspelt key, don't count. The surroundings of the file narrow the releases down,
the strongest evidence first: `runtime` of the [configuration](configuration.md), the version of `takt` that is
installed, locked or named in `package.json`, a version in `.tool-versions`, `mise.toml`, Nix, Docker or CI, the folders
in `.takt`, the keys of `.takt/config.yaml`, and the other files of the folder. Evidence that contradicts the file is
shown but not applied: `stepflow lint --show-settings PIECE` shows all of it, `--format json` has it as `releases` and
`evidence`, and the status bar shows the releases.

`runtime = "takt-0.27"` names one release, `takt-0.12..0.35` all releases from one to another, `takt-latest` the newest
one and `takt-head` the revision after it. Findings apply to these; without the setting, to the releases that the file
is for. A finding that applies only to some of them names them."""

_JAPANESE = """\
# TAKT のリリース

[English](../takt-releases.md)

TAKT 0.1.1 から 0.60.0 までの各リリースが、ピースやワークフローのキーをどう扱うかの一覧です。読む、警告なしに無視す\
る、ファイルを読み込まない、のいずれかです。`head` は、わかっている最新のリビジョン（0.60.0 より後）です。0.61 以降のリ\
リースは 0.60 として扱います。

ファイルの対象のリリースは、ファイルを読み込んですべてを読むリリースです。なければ、無視する項目が最も少ないリリース\
です。綴りを誤ったキーのように、どのリリースでも誤りであるものは除いて判断します。ファイルの周りにあるものが、強い\
順に対象を絞ります。[設定](configuration.md)の `runtime`、インストールされた、またはロックファイルや `package.json` に\
ある `takt` のバージョン、`.tool-versions`、`mise.toml`、Nix、Docker、CI にあるバージョン、`.takt` のフォルダー、\
`.takt/config.yaml` のキー、同じフォルダーの他のファイルです。ファイルと合わないものは選ばずに示します。`stepflow lint \
--show-settings PIECE` はすべてを表示し、`--format json` では `releases` と `evidence` になり、ステータスバーにはリリー\
スが出ます。

`runtime = "takt-0.27"` は 1 つのリリース、`takt-0.12..0.35` はその間のすべて、`takt-latest` は最新のリリース、\
`takt-head` はその後のリビジョンです。指摘はこれらについてのものです。指定がなければ、ファイルの対象のリリースについて\
のもので、その一部だけに当てはまる指摘は、どのリリースかを示します。"""

WORDS = {
    "en": Words(
        introduction=_ENGLISH,
        generations="Generations",
        shapes=(
            "`steps` with `agent` and `transitions`",
            "`rules`, `parallel` and `report`",
            "`movements` and `initial_movement`; `loop_monitors` since 0.7",
            "`persona`, section maps, `output_contracts`, `permission_mode`",
            "`max_movements` instead of `max_iterations`",
            "`required_permission_mode`; the last release with labels of reports",
            "reports need `format`",
            "`allowed_tools` refused on movements",
            "the keys of pieces and of workflows; `instruction_template` refused",
            "`steps`, `initial_step`, `max_steps` only; unknown keys at the top level refused",
            "conditions on the state need `when()`",
            "rules in the order of the file; unknown keys of rules and `ai()` refused",
            "`provider`, `model` and options refused: they belong in `.takt/runtime.yaml`",
        ),
        generation_columns="| from | what is new |",
        keys="Keys",
        levels=(
            "Top level",
            "Steps and movements",
            "Sub-steps",
            "Rules",
            "Loop monitors",
            "Judges",
            "`team_leader`",
            "`arpeggio`",
        ),
        key_columns="| key | read | refused |",
        values="Values",
        value_columns="| value | read |",
        variables="Variables of instructions",
        variable_columns="| variable | replaced |",
        around="Around the file",
        around_columns="| what | releases |",
    ),
    "ja": Words(
        introduction=_JAPANESE,
        generations="世代",
        shapes=(
            "`steps` に `agent` と `transitions`",
            "`rules`、`parallel`、`report`",
            "`movements` と `initial_movement`。0.7 から `loop_monitors`",
            "`persona`、セクション、`output_contracts`、`permission_mode`",
            "`max_iterations` の代わりに `max_movements`",
            "`required_permission_mode`。レポートのラベルはここまで",
            "レポートに `format` が必要",
            "movement の `allowed_tools` を拒否",
            "ピースとワークフローの両方のキー。`instruction_template` を拒否",
            "`steps`、`initial_step`、`max_steps` のみ。先頭の階層の未知のキーを拒否",
            "状態についての条件には `when()` が必要",
            "ルールはファイルの順。ルールの未知のキーと `ai()` を拒否",
            "`provider`、`model`、オプションを拒否。`.takt/runtime.yaml` に書く",
        ),
        generation_columns="| 開始 | 新しい点 |",
        keys="キー",
        levels=(
            "先頭の階層",
            "ステップと movement",
            "サブステップ",
            "ルール",
            "ループ監視",
            "judge",
            "`team_leader`",
            "`arpeggio`",
        ),
        key_columns="| キー | 読む | 拒否する |",
        values="値",
        value_columns="| 値 | 読む |",
        variables="instruction の変数",
        variable_columns="| 変数 | 置き換える |",
        around="ファイルの周り",
        around_columns="| もの | リリース |",
    ),
}


def pages() -> dict[str, str]:
    """The page in every language, by its path below the docs."""
    return {file: "\n".join(_lines(WORDS[language])) + "\n" for language, file in FILES.items()}


def _lines(words: Words) -> Iterator[str]:
    yield words.introduction
    yield from ("", f"## {words.generations}", "")
    shapes = zip(GENERATIONS.values(), words.shapes, strict=True)
    yield from _table(words.generation_columns, ((first, shape) for first, shape in shapes))
    yield from ("", f"## {words.keys}")
    for level, heading in zip(_LEVELS, words.levels, strict=True):
        yield from ("", f"### {heading}", "")
        yield from _table(words.key_columns, _keys(level))
    yield from ("", f"## {words.values}")
    for key, values in VALUES.items():
        yield from ("", f"### `{key}`", "")
        rows = ((value, value_row(key, value)) for value in values)
        yield from _table(words.value_columns, ((f"`{value}`", _releases_text(row.read)) for value, row in rows if row))
    yield from ("", f"## {words.variables}", "")
    yield from _table(
        words.variable_columns, ((f"`{{{name}}}`", _releases_text(known)) for name, known in VARIABLES.items())
    )
    yield from ("", f"## {words.around}", "")
    traces = [*((f".takt/{name}", known) for name, known in FOLDERS.items()), *_config_keys()]
    yield from _table(words.around_columns, ((f"`{name}`", _releases_text(known)) for name, known in traces))


def _keys(level: str) -> Iterator[tuple[str, str, str]]:
    """Every key of a level that a release reads, whatever the forms of its values."""
    names = (found[0] for found in map(_KEY.match, KEYS[level]) if found)
    for name in dict.fromkeys(names):
        row = key_row(level, name)
        if row is not None and row.read:
            yield f"`{name}`", _releases_text(row.read), _releases_text(row.refused)


def _config_keys() -> Iterator[tuple[str, Releases]]:
    return ((f"{name}: (.takt/config.yaml)", known) for name, known in CONFIG_KEYS.items())


def _releases_text(releases: Releases) -> str:
    """The releases of a set; the first of those that go on to the newest alone."""
    if releases == ALL:
        return "0.1.1–"
    return written(releases).replace("–head", "–") if releases & since("head") else written(releases)


def _table(columns: str, rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield columns
    yield "|---" * (columns.count("|") - 1) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def write() -> None:
    """Write the pages."""
    for file, text in pages().items():
        (DOCS / file).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
