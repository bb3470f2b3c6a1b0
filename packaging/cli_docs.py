"""The pages on the command line, made of its parsers: `python packaging/cli_docs.py` writes them.

They are `docs/cli.md` and `docs/ja/cli.md`, and the same as man pages in `docs/man`. A test fails when they are out of
date.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from doc_language import speaking
from stepflow_gui import __version__
from stepflow_gui.cli.main import COMMANDS, top_parser
from stepflow_gui.cli.parser import RENAMED, Parser
from stepflow_gui.messages import _

DOCS = Path(__file__).resolve().parent.parent / "docs"
FILES = {"en": ("cli.md", "man/stepflow.1"), "ja": ("ja/cli.md", "man/ja/stepflow.1")}  # below the docs


class Words(NamedTuple):
    """The words around the parsers' own texts, in one language."""

    introduction: str
    columns: str
    renamed: str
    renamed_columns: str
    manual: str
    name: str
    synopsis: str
    description: str
    environment: str
    files: str


WORDS = {
    "en": Words(
        introduction="""\
# Command line

[日本語](ja/cli.md)

`stepflow help COMMAND` and `stepflow COMMAND --help` print the same as this page. Arguments and options may be in any
order; after `--` every word is an argument. `stepflow completion SHELL` prints a script that completes commands,
options and values. All commands use the [exit codes](exit-codes.md) 0, 1 and 2; 2 also means that a run couldn't begin.

Reports are printed in colours on a terminal. `--color` sets this for one call, and otherwise the first of these
environment variables that is set: `NO_COLOR` (no colours), `FORCE_COLOR` and `CLICOLOR_FORCE` (colours in a pipe too).
`STEPFLOW_LANG` sets the language, as `--lang` does. Quotes and arrows are replaced by plain characters if the
terminal's encoding lacks them.""",
        columns="| argument or option | meaning |",
        renamed="""\
## Earlier names

These names are still accepted, but not shown in help and completion. They will be removed in the next release.""",
        renamed_columns="| earlier | now |",
        manual="Stepflow Manual",
        name="NAME",
        synopsis="SYNOPSIS",
        description="DESCRIPTION",
        environment="ENVIRONMENT",
        files="""\
.TP
.B NO_COLOR
print without colours
.TP
.BR FORCE_COLOR ", " CLICOLOR_FORCE
print in colours even if the output is not a terminal
.TP
.B STEPFLOW_LANG
the language of all texts, en or ja
.TP
.B STEPFLOW_DEBUG
print the traceback of an internal error""",
    ),
    "ja": Words(
        introduction="""\
# コマンドライン

[English](../cli.md)

このページの内容は、`stepflow help COMMAND` と `stepflow COMMAND --help` でも表示できます。引数とオプションの順序は\
自由です。`--` の後はすべて引数になります。`stepflow completion SHELL` は、コマンド、オプション、値を補完する\
スクリプトを出力します。[終了コード](exit-codes.md)はどのコマンドも 0、1、2 です。実行を開始できない場合も 2 です。

レポートは端末では色付きで出力されます。呼び出しごとには `--color` で、それ以外は環境変数で決まり、設定されている\
最初のものが使われます。`NO_COLOR`（色なし）、`FORCE_COLOR` と `CLICOLOR_FORCE`（パイプでも色付き）。\
`STEPFLOW_LANG` は `--lang` と同じく言語を設定します。端末の文字コードにない引用符や矢印は、単純な文字に\
置き換えられます。""",
        columns="| 引数またはオプション | 意味 |",
        renamed="""\
## 以前の名前

次の名前もまだ使えますが、ヘルプと補完には表示されません。次のリリースで削除されます。""",
        renamed_columns="| 以前 | 現在 |",
        manual="Stepflow マニュアル",
        name="名前",
        synopsis="書式",
        description="説明",
        environment="環境変数",
        files="""\
.TP
.B NO_COLOR
色を付けずに出力する
.TP
.BR FORCE_COLOR ", " CLICOLOR_FORCE
出力先が端末でなくても色を付ける
.TP
.B STEPFLOW_LANG
表示言語（en または ja）
.TP
.B STEPFLOW_DEBUG
内部エラーのトレースバックを表示する""",
    ),
}


def pages() -> dict[str, str]:
    """All pages by their file below the docs."""
    made = {}
    for language, (page, manual) in FILES.items():
        with speaking(language):
            made[page] = "\n".join(_page(WORDS[language])) + "\n"
            made[manual] = "\n".join(_manual(WORDS[language])) + "\n"
    return made


def write() -> None:
    """Write all."""
    for file, text in pages().items():
        (DOCS / file).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / file).write_text(text, "utf-8")


def _parsers() -> Iterator[Parser]:
    yield top_parser()
    for command in COMMANDS.values():
        yield command.parser()


def _usage(parser: Parser) -> str:
    """The usage in one line, without its heading."""
    words = " ".join(parser.format_usage().split())
    return words.removeprefix(_("Usage: ").strip()).strip()


def _written(action: argparse.Action) -> str:
    """An argument or option as it is written on a command line."""
    if not action.option_strings:
        return str(action.metavar or action.dest)
    names = ", ".join(action.option_strings)
    return f"{names} {action.metavar}" if action.nargs is None else names


# Markdown


def _page(words: Words) -> Iterator[str]:
    yield words.introduction
    for parser in _parsers():
        yield f"\n## {parser.prog}\n\n{parser.description}\n\n```\n{_usage(parser)}\n```"
        for section in parser.sections:
            yield f"\n**{section.title}**\n\n{words.columns}\n|---|---|"
            for action in section.actions:
                yield f"| `{_written(action)}` | {_cell(action.help or '')} |"
        if parser.epilog:
            yield f"\n{parser.epilog}"
    yield f"\n{words.renamed}\n\n{words.renamed_columns}\n|---|---|"
    for before, now in RENAMED.items():
        yield f"| `{before}` | `{now.replace('=', ' ')}` |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


# roff


def _manual(words: Words) -> Iterator[str]:
    top = top_parser()
    yield f'.TH STEPFLOW 1 "" "stepflow {__version__}" "{words.manual}"\n.ad l\n.nh'
    yield f".SH {words.name}\nstepflow \\- {_roff((top.description or '').rstrip('.。'))}"
    yield f".SH {words.synopsis}\n.B {_roff(_usage(top))}"
    for number, parser in enumerate(_parsers()):
        if number:
            yield f".SH {_roff(parser.prog).upper()}\n.B {_roff(_usage(parser))}\n.PP"
            yield _roff(parser.description or "")
        else:
            yield f".SH {words.description}\n{_roff(parser.description or '')}"
        for section in parser.sections:
            yield f".SS {_roff(section.title or '')}"
            for action in section.actions:
                yield f".TP\n.B {_roff(_written(action))}\n{_roff(action.help or '')}"
        if parser.epilog:
            yield f".PP\n{_roff(parser.epilog)}"
    yield f".SH {words.environment}\n{words.files}"


def _roff(text: str) -> str:
    """A text as roff has it: hyphens of options as they are typed, and no line that begins as a request does."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", escaped)


if __name__ == "__main__":
    write()
