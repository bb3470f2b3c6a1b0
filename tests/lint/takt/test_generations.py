"""A file of any generation of TAKT: findings are true for the releases that they name, and name none of others."""

import pytest

from stepflow_gui.formats.takt.releases import sets
from stepflow_gui.formats.takt.releases.loading import held_against_releases
from stepflow_gui.formats.takt.releases.setting import releases_of_runtime
from stepflow_gui.formats.takt.releases.table import GENERATIONS, RELEASES
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.piece import whole_piece
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.lint.rules.takt.release_words import wanted_releases
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree
from tests.lint.conftest import Lint, Open

from .generations import FILES, releases_spoken_of

MISTAKES = [
    ("next: COMPLETE", "next: gone"),
    ("next: COMPLETE", "next: complete"),
    ("next_step: COMPLETE", "next_step: gone"),
    ("initial_step: write", "initial_step: wrote"),
    ("initial_movement: write", "initial_movement: wrote"),
    ("  - name: write", "  - name: 2"),
    ("name: flow\n", ""),
    ("instruction: Write", "instructoin: Write"),
    ("instruction: ", "instruction_template: again\n    instruction: "),
    ("{task}", "{max_steps} {max_movements} {max_iterations} {movement_iteration} {step_iteration} {Task}"),
    ("condition: done", "condition: all(done)"),
    ("condition: done", 'condition: all("done")'),
    ("condition: done", "condition: ai('done')"),
    ("condition: done", "condition: stuck"),
    ("condition: done", "condition: a && b && c"),
    ("name: flow\n", "name: flow\nmax_stps: 3\n"),
    ("name: flow\n", "name: flow\nloop_monitors: [{cycle: [write, gone], judge: {rules: []}}]\n"),
    ("name: flow\n", "name: flow\nprovider_options: {}\n"),
    ("permission_mode: edit", "permission_mode: edits"),
    ("edit: true", "edit: yes"),
    ("    rules:", "    output_contracts: plan\n    rules:"),
    ("    rules:", "    effects: []\n    kind: system\n    rules:"),
    ("    rules:", "    parallel:\n      - {name: a, rules: [{condition: ok}]}\n      - {name: a}\n    rules:"),
]


def _generation(name: str) -> sets.Releases:
    names = list(GENERATIONS)
    first = GENERATIONS[name]
    after = names.index(name) + 1
    return sets.since(first) & ~(sets.since(GENERATIONS[names[after]]) if after < len(names) else sets.NONE)


@pytest.mark.parametrize("generation", FILES)
def test_a_sound_file_of_a_generation_has_no_error_nor_warning(generation: str, lint_example: Lint) -> None:
    held = held_against_releases(read_yaml_tree(Source(FILES[generation])))
    assert held.reads_all & _generation(generation), sets.written(held.reads_all)
    found = lint_example(whole_piece(FILES[generation]))
    assert [each.message for each in found if each.severity != "info"] == []


@pytest.mark.parametrize("generation", FILES)
def test_no_finding_names_a_release_that_the_file_isnt_for(generation: str, open_example: Open) -> None:
    spoken = 0
    for right, wrong in MISTAKES:
        if right not in FILES[generation]:
            continue
        text = FILES[generation].replace(right, wrong, 1)
        newest = sets.names(held_against_releases(read_yaml_tree(Source(FILES[generation]))).reads_all)[-1]
        agent = open_example(whole_piece(text))
        for runtime in (None, f"takt-{newest}", "takt-0.12..0.35"):
            settings = LintSettings(runtime)
            context = RuleContext(agent, settings)
            wanted = wanted_releases(context) | context.held.range | (releases_of_runtime(runtime) or sets.NONE)
            for each in lint(agent, settings):
                named = releases_spoken_of(each.message)
                spoken += bool(named)
                assert not named & ~wanted, (wrong, runtime, sets.written(wanted), each.message)
    assert spoken


@pytest.mark.parametrize(
    ("text", "releases"),
    [
        (FILES["t0.53"].replace("max_steps: 5", "max_stps: 5"), "0.58.0–0.59.1"),
        (FILES["t0.12"].replace("max_movements: 5", "max_movements: 0"), "0.12.0–0.15.0"),
        (FILES["t0.30"].replace("copilot", "copilto"), "0.30.0–0.35.4"),
        (FILES["t0.8"].replace("next: COMPLETE", "next: gone"), "0.8.0-alpha.1–0.11.1"),
        (FILES["t0.60"].replace("name: flow\n", "name: flow\nname: again\n"), "0.60.0–head"),
    ],
)
def test_one_mistake_doesnt_move_the_range(text: str, releases: str) -> None:
    assert sets.written(held_against_releases(read_yaml_tree(Source(text))).range) == releases


def test_a_file_that_mixes_words_has_one_finding_for_it(lint_example: Lint) -> None:
    newer = "    tags: [a]\n    session_key: b\n    completion_retry: {}\n"
    text = FILES["t0.8"].replace("    edit: true\n", f"    edit: true\n{newer}").replace("max_", "max_")
    found = lint_example(whole_piece(text))
    assert [each.code for each in found if each.severity != "info"] == ["T031"]
    assert "“tags” (TAKT 0.47+)" in next(each.message for each in found if each.code == "T031")


@pytest.mark.parametrize("key", ["provider_options: {}", "model: small", "overrides: {}"])
def test_a_key_that_moved_is_told_before_any_spelling(key: str, lint_example: Lint) -> None:
    text = FILES["t0.60"].replace("    edit: true\n", f"    edit: true\n    {key}\n")
    for runtime in (None, "takt-latest"):
        messages = [each.message for each in lint_example(whole_piece(text), LintSettings(runtime))]
        assert any("belongs in .takt/runtime.yaml since 0.60" in each for each in messages), messages
        assert not any("Did you mean" in each for each in messages)


def test_every_release_is_one_that_a_message_can_name() -> None:
    assert releases_spoken_of(f"{sets.named(sets.ALL)} refuses to load the file") == sets.ALL
    for name in RELEASES:
        assert releases_spoken_of(f"{sets.named(sets.between(name, name))} refuses") & sets.between(name, name)


@pytest.mark.parametrize(
    ("generation", "said"),
    [
        ("t0.36", "“when” is refused since 0.53.0"),
        ("t0.50", "“condition” is refused in this form since 0.53.0"),
        ("t0.53", "“provider” belongs in .takt/runtime.yaml since 0.60.0"),
    ],
)
def test_what_the_newest_release_refuses_is_pointed_out_once(generation: str, said: str, lint_example: Lint) -> None:
    (found,) = [each for each in lint_example(whole_piece(FILES[generation])) if each.code == "T030"]
    assert found.severity == "info"
    assert any(said in text for text in (found.message, *(each.message for each in found.related)))


@pytest.mark.parametrize("generation", ["t0.8", "t0.17", "t0.34", "t0.60"])
def test_nothing_is_pointed_out_of_pieces_nor_of_what_the_newest_loads(generation: str, lint_example: Lint) -> None:
    assert not [each for each in lint_example(whole_piece(FILES[generation])) if each.code == "T030"]
