"""The words around the rules' own texts on the pages under `docs`, in each language."""

from typing import NamedTuple


class Words(NamedTuple):
    """Headings, names and sentences; `{…}` is filled in."""

    this_language: str
    rules: str
    introduction: str
    families: dict[str, str]  # by the beginning of the code
    severities: dict[str, str]
    about: str
    all_formats: str
    what: str
    why: str
    bad: str
    good: str
    fix: str
    where: str
    no_file: str
    reported: str
    all_rules: str
    guides: dict[str, str]  # the titles of the pages that rules link to
    columns: str
    upstream: str
    upstream_columns: str
    no_rule: str
    comma: str


WORDS = {
    "en": Words(
        this_language="English",
        rules="Rules",
        introduction="What `stepflow lint` finds. A code never changes its meaning; `stepflow explain CODE` shows the "
        "same pages.",
        families={
            "SF0": "Documents",
            "SF1": "Steps",
            "SF2": "Intents and the gate",
            "SF3": "Flow",
            "SF4": "Entries",
            "SF5": "Prompts and variables",
            "SF6": "Validators and failure patterns",
            "SF7": "Output schemas",
            "SF8": "agent.json",
            "SF9": "Registries with checks",
            "T": "TAKT pieces",
        },
        severities={"error": "error", "warning": "warning", "info": "info"},
        about="Severity: {severity} · Formats: {formats}",
        all_formats="all",
        what="What it does",
        why="Why is this bad",
        bad="Example",
        good="Use instead",
        fix="Fix",
        where="{pointer} in {file}",
        no_file="there is no such file.",
        reported="The runner reports it as {codes}.",
        all_rules="All rules",
        guides={
            "configuration": "Configuration",
            "convert": "Convert an older flow",
            "debugging": "Flows with checks",
            "fix-a-mismatch": "Fix a mismatch",
            "formats": "Formats and runtimes",
            "gate": "How a gate decides",
            "pieces": "Write a TAKT piece",
            "takt-releases": "TAKT releases",
        },
        columns="| code | name | severity | formats |",
        upstream="Error codes of the runner",
        upstream_columns="| code | found before a run by |",
        no_rule="nothing: only a run can tell",
        comma=", ",
    ),
    "ja": Words(
        this_language="日本語",
        rules="規則",
        introduction="`stepflow lint` が見つけるものの一覧です。コードの意味が変わることはありません。"
        "`stepflow explain CODE` でも同じ説明を表示できます。",
        families={
            "SF0": "文書",
            "SF1": "ステップ",
            "SF2": "intent とゲート",
            "SF3": "フロー",
            "SF4": "入口",
            "SF5": "プロンプトと変数",
            "SF6": "バリデーターと失敗パターン",
            "SF7": "出力スキーマ",
            "SF8": "agent.json",
            "SF9": "チェックを使うレジストリ",
            "T": "TAKT のピース",
        },
        severities={"error": "エラー", "warning": "警告", "info": "情報"},
        about="重大度: {severity} · 形式: {formats}",
        all_formats="すべて",
        what="内容",
        why="なぜ問題か",
        bad="悪い例",
        good="良い例",
        fix="直し方",
        where="{file} の {pointer}",
        no_file="このファイルはありません。",
        reported="ランナーはこれを {codes} として報告します。",
        all_rules="すべての規則",
        guides={
            "configuration": "設定",
            "convert": "古いフローの変換",
            "debugging": "チェックのあるフロー",
            "fix-a-mismatch": "不一致を直す",
            "formats": "形式とランタイム",
            "gate": "ゲートが決める仕組み",
            "pieces": "TAKT ピースを書く",
            "takt-releases": "TAKT のリリース",
        },
        columns="| コード | 名前 | 重大度 | 形式 |",
        upstream="ランナーのエラーコード",
        upstream_columns="| コード | 実行前に見つける規則 |",
        no_rule="なし（実行しなければ分かりません）",
        comma="、",
    ),
}
