"""The pages on menus and keys, made of the rows of actions: `python packaging/key_docs.py` writes them.

The English one is `docs/keys.md`, the Japanese one `docs/ja/keys.md`. A test fails when they are out of date.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtGui import QKeySequence

from stepflow_gui import messages
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.actions import MENUS, SUBMENUS, Actions, ActionSpec, plain_title, whole_title
from stepflow_gui.gui.widgets.application import make_application

DOCS = Path(__file__).resolve().parent.parent / "docs"
FILES = {"en": "keys.md", "ja": "ja/keys.md"}  # below the docs
_FORM = QKeySequence.SequenceFormat.PortableText  # as keyboards are labelled, whatever system this runs on


class Words(NamedTuple):
    """The words around the tables, in one language."""

    introduction: str
    columns: str
    places: dict[str, str]
    end: str


_WORDS = {
    "en": Words(
        """\
# Menus and keys

[日本語](ja/keys.md)

Every action of the window is in one menu or in the settings (Ctrl+,), and in the command palette (Ctrl+K). On macOS
press ⌘ instead of Ctrl. *Help ▸ Keyboard Shortcuts…* changes the keys of an action.

While the caret is in a text, keys apply to the text first. Keys followed by a place work only while that panel has the
focus. If a shortcut has two key presses, the first one opens the palette with all such shortcuts on top: press the
next key with Ctrl to run one, or type to search. Keys from earlier versions still work unless another action uses
them; the first time that you press a key with a new meaning, the status bar shows it.""",
        "| action | keys |",
        {"canvas": "canvas", "outline": "outline", "source": "source"},
        """\
## In panels

| keys | where | what they do |
|---|---|---|
| arrows, Home, End, Tab | canvas | select another step |
| Ctrl+arrows, with Shift | canvas | move the selected steps by 8, by 1 |
| Enter; Up, Down; Escape | canvas, at a parallel movement | its first sub-step; the next one; back to the movement |
| menu key | everywhere | the context menu of the selection |
| Escape | everywhere | close what was opened last, or clear the selection |
| Ctrl+Tab, Ctrl+PgDown | source | the next file; with Shift, or Ctrl+PgUp, the previous one |
| Ctrl+Space | source | complete |
| Ctrl+Shift+[, Ctrl+Shift+] | source | fold and unfold lines; all lines from the palette |
| Ctrl+I | source | show information about this place |
| Alt+Up | source | show the path to this place |
| Alt+Enter | source | show the fixes for this place |
| Ctrl+Shift+PgDown, Ctrl+Shift+PgUp | everywhere | the next agent, the previous one |
| Ctrl+Shift+W | everywhere | close the agent |
| Alt+Up, Alt+Down | lists of forms | move an item |
| 1 to 9 | choices of a run | pick that row |
""",
    ),
    "ja": Words(
        """\
# メニューとキー

[English](../keys.md)

ウィンドウの操作はどれも、いずれかのメニューまたは設定（Ctrl+,）にあり、コマンドパレット（Ctrl+K）からも\
使えます。macOS では Ctrl の代わりに ⌘ を使います。キーは「ヘルプ ▸ キーボードショートカット…」で\
変更できます。

テキストにカーソルがある間は、キーはまずテキストの操作になります。場所が書かれたキーは、フォーカスが\
そこにある間だけ働きます。2 回押すキーは、1 回目でパレットが開き、先頭にその一覧が出ます。続けて Ctrl と\
次のキーを押すと実行され、文字を入力すると検索になります。以前のキーは、別の操作で使わない限り引き続き\
使えます。変わったキーを初めて押すと、今の意味がステータスバーに表示されます。""",
        "| 操作 | キー |",
        {"canvas": "キャンバス", "outline": "アウトライン", "source": "ソース"},
        """\
## パネルの中のキー

| キー | 場所 | 働き |
|---|---|---|
| 矢印、Home、End、Tab | キャンバス | 別のステップを選択 |
| Ctrl+矢印（Shift を加えると細かく） | キャンバス | 選択したステップを 8、または 1 だけ移動 |
| Enter、上下、Escape | キャンバス（parallel の movement） | 最初のサブステップへ、次のサブステップへ、movement に戻る |
| メニューキー | どこでも | 選択中のもののメニュー |
| Escape | どこでも | 最後に開いたものを閉じる、または選択を解除 |
| Ctrl+Tab、Ctrl+PgDown | ソース | 次のファイル（Shift を加えるか Ctrl+PgUp で前） |
| Ctrl+Space | ソース | 補完 |
| Ctrl+Shift+[、Ctrl+Shift+] | ソース | 行の折りたたみと展開（すべてはパレットから） |
| Ctrl+I | ソース | この場所の説明 |
| Alt+Up | ソース | この場所までの経路 |
| Alt+Enter | ソース | この場所の修正 |
| Ctrl+Shift+PgDown、Ctrl+Shift+PgUp | どこでも | 次のエージェント、前のエージェント |
| Ctrl+Shift+W | どこでも | エージェントを閉じる |
| Alt+Up、Alt+Down | フォームの一覧 | 項目を移動 |
| 1 ～ 9 | 実行の選択肢 | その行を選ぶ |
""",
    ),
}


def pages(window: MainWindow) -> dict[str, str]:
    """The pages by their file below the docs, of a window with nothing open."""
    language = messages.language()
    made = {}
    for code, file in FILES.items():
        messages.use_language(code)
        made[file] = "\n".join(_page(window.desk.actions, _WORDS[code]))
    messages.use_language(language)
    return made


def write() -> None:
    """Write both."""
    make_application()
    with tempfile.TemporaryDirectory() as folder:
        window = MainWindow(Settings(Path(folder) / "settings.ini"))
        for file, text in pages(window).items():
            (DOCS / file).write_text(text, "utf-8")
        window.close()


def _page(actions: Actions, words: Words) -> Iterator[str]:
    yield words.introduction
    for menu, title in MENUS:
        rows = [spec for spec in actions.specs if _menu_of(spec) == menu and (spec.keys or spec.also)]
        yield f"\n## {plain_title(title())}\n\n{words.columns}\n|---|---|"
        for spec in rows:
            yield f"| {whole_title(spec)} | {', '.join(_keys(spec, words))} |"
    yield f"\n{words.end}"


def _menu_of(spec: ActionSpec) -> str:
    assert spec.place is not None
    menu = spec.place.menu
    return SUBMENUS[menu][0].menu if menu in SUBMENUS else menu


def _keys(spec: ActionSpec, words: Words) -> Iterator[str]:
    where = ", ".join(words.places[place] for place in spec.where)
    seen: set[str] = set()
    for key in spec.keys:
        text = QKeySequence(key).toString(_FORM).replace(", ", " ")
        if text and text not in seen:
            seen.add(text)
            yield f"{text} ({where})" if where else text
    for place, also in spec.also:
        yield f"{also} ({words.places[place]})"


if __name__ == "__main__":
    write()
