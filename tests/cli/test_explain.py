"""`stepflow explain` and `stepflow rules`."""

import json

import pytest

from stepflow_gui.cli.explain import explanation_lines
from stepflow_gui.lint.report.printable import width
from stepflow_gui.lint.rules.table import MODULES, name_of
from stepflow_gui.lint.upstream_codes import UPSTREAM_CODES
from stepflow_gui.messages import LANGUAGES

from .conftest import Run, Write


@pytest.mark.parametrize("word", ["SF501", "sf501", "fallback-key-form"])
def test_a_rule_is_explained_with_both_examples(word: str, run: Run) -> None:
    code, out, err = run("explain", word)
    assert (code, err) == (0, "")
    assert out.startswith("SF501 fallback-key-form (error; closing, complete)\n")
    for text in ("What it does:", "Why is this bad:", "Fix:", '"fallbackKey": "initial.issue"', '"initial_issue"'):
        assert text in out


JAPANESE = {
    "SF401": """\
SF401 entry-missing (エラー; closing, c3l, complete, adt-kind-address, checks, gateless, transitions-only, c3l-flat, \
c3l-completion, flow-array, prompt-path, entry-pair)

内容:
  `entryStep` も `entryStepMapping` もないレジストリを報告します。
  開始位置の指定がまだなかった頃の形のファイルは、それを必要とするランタイムが選ばれている場合だ
  け報告します。

なぜ問題か:
  ランナーは開始位置を推測せず、レジストリの読み込みを拒否します。

直し方:
  最初のステップを `entryStep` に、または verdict type ごとのステップを `entryStepMapping` に書
  きます。

悪い例: """,
    "SF501": """\
SF501 fallback-key-form (エラー; closing, complete)

内容:
  小文字の語をアンダースコアでつないだ形（`initial_issue`）ではない `fallbackKey` を報告します。
  点、ハイフン、空白、大文字を含むもの、空のもの、アンダースコアが両端にあるものや連続するもので
  す。

なぜ問題か:
  組み込みプロンプトは、この形のキーで引かれます。ほかの形では見つからないため、ステップの
  プロンプトファイルがないときや値を埋められないときに、「No fallback prompt found for key …」で
  実行が停止します。

直し方:
  意図したキーを書きます。ステップの ID は点、キーはアンダースコアを使います。

悪い例: steps_registry.json#/steps/initial.issue/fallbackKey
    "fallbackKey": "initial.issue"

良い例: steps_registry.json#/steps/initial.issue/fallbackKey
    "fallbackKey": "initial_issue"
""",
    "SF811": """\
SF811 labels-conflict (警告; すべての形式)

内容:
  エージェントの終了時に、追加と削除の両方が指定されたラベルを報告します。

なぜ問題か:
  意図したのはどちらか一方のはずで、どちらになるかは GitHub 次第です。

直し方:
  ラベルをどちらか一方のリストにだけ残します。

悪い例: """,
}


@pytest.mark.usefixtures("japanese_catalogue")
@pytest.mark.parametrize("code", JAPANESE)
def test_a_rule_is_explained_in_japanese(code: str, run: Run) -> None:
    ran = run("explain", code, "--lang", "ja")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out[: len(JAPANESE[code])] == JAPANESE[code]


@pytest.mark.usefixtures("japanese_catalogue")
def test_examples_are_the_same_in_both_languages(run: Run) -> None:
    def shown(language: str) -> list[str]:
        told = run("explain", *MODULES, "--lang", language).out.splitlines()
        return [line for line in told if line.startswith("    ") and not line.startswith(("    (", "    （"))]

    assert len(shown("en")) > len(MODULES)
    assert shown("ja") == shown("en")


@pytest.mark.usefixtures("japanese_catalogue")
def test_the_rules_as_json_in_japanese(run: Run) -> None:
    english, japanese = (
        json.loads(run("rules", "--format", "json", "--lang", each).out)["rules"] for each in ("en", "ja")
    )
    for told, said in zip(english, japanese, strict=True):
        assert {key for key in told if told[key] != said[key]} == {"what", "why", "fix"}


@pytest.mark.usefixtures("japanese_catalogue")
def test_a_sarif_report_in_japanese_helps_in_japanese(run: Run, write_agent: Write) -> None:
    ran = run("lint", write_agent("a", {"/entryStep": "initial.isue"}), "--format", "sarif", "--lang", "ja")
    (rule,) = json.loads(ran.out)["runs"][0]["tool"]["driver"]["rules"]
    assert rule["id"] == "SF402"
    assert rule["shortDescription"]["text"] == (
        "`entryStep` や `entryStepMapping` の値のうち、存在しないステップを指すものを報告します。"
    )
    assert rule["help"]["text"].endswith("意図したステップを書きます。")


@pytest.mark.parametrize("code", MODULES)
def test_every_rule_can_be_explained(code: str) -> None:
    lines = list(explanation_lines(code))
    assert lines[0].startswith(f"{code} {name_of(code)} (")
    assert any(line.startswith("Bad: ") for line in lines)


@pytest.mark.parametrize("code", UPSTREAM_CODES)
def test_every_code_of_the_runner_links_to_rules_or_none_can_find_it(code: str) -> None:
    lines = list(explanation_lines(code.lower()))
    assert lines[0].startswith(f"{code} is an error of the runner")


def test_a_code_of_the_runner_goes_to_the_rules_that_find_it_before(run: Run) -> None:
    out = run("explain", "SR-TRANS-002").out
    assert out.splitlines()[1] == "  SF306 null-target"
    assert "\nSF306 null-target (" in out


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("SF30l", "there is no rule “SF30l”. Did you mean “SF301”?"),
        ("SR-TRANS-200", "Did you mean “SR-TRANS-"),
        ("zzz", "there is no rule “zzz”"),
    ],
)
def test_an_unknown_word_is_2_and_the_others_are_explained(word: str, says: str, run: Run) -> None:
    code, out, err = run("explain", word, "SF301")
    assert code == 2
    assert "SF301 target-unknown" in out
    assert says in err
    assert err.splitlines()[1:] == ["Run “stepflow rules” for a list."]


def test_the_rules_are_listed(run: Run) -> None:
    lines = run("rules").out.splitlines()
    assert [line.split()[0] for line in lines] == list(MODULES)
    assert any(line.split()[:3] == ["SF201", "error", "enum-transition-mismatch"] for line in lines)


@pytest.mark.usefixtures("japanese_catalogue")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_columns_of_the_list_are_straight(language: str, run: Run) -> None:
    lines = run("rules", "--lang", language).out.splitlines()
    assert len({width(line[: line.index(name_of(line.split()[0]))]) for line in lines}) == 1


def test_the_rules_as_json(run: Run) -> None:
    told = json.loads(run("rules", "--format", "json").out)
    assert [rule["code"] for rule in told["rules"]] == list(MODULES)
    rule = next(rule for rule in told["rules"] if rule["code"] == "SF206")
    assert rule["upstream"][:2] == ["SR-INTENT-001", "SR-VALID-001"]
    assert rule["formats"] == ["closing", "c3l", "adt-kind-address", "entry-pair", "gateless"]
    assert all(rule["what"] and rule["why"] and rule["fix"] for rule in told["rules"])
