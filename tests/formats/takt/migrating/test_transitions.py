"""The transitions of 0.1 and 0.2 as rules of later releases."""

import pytest

from stepflow_gui.formats.takt.migrating.migration import Migration, migrated
from stepflow_gui.formats.takt.releases.loading import held_against_releases
from stepflow_gui.formats.takt.releases.sets import Releases
from stepflow_gui.formats.takt.releases.setting import releases_of_runtime
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree

OLD = """\
name: x
max_iterations: 5
initial_step: plan
steps:
  - name: plan
    agent: coder
    instruction_template: Do it   # really
    on_no_status: stay
    transitions:   # by status
      - condition: done   # fine
        next_step: review
      - condition: always
        next_step: ABORT
  - name: review
    agent: coder
    instruction_template: Look at it
    transitions: [{condition: approved, next_step: COMPLETE}, {condition: rejected, next_step: plan}]
"""


def _release(name: str) -> Releases:
    found = releases_of_runtime(name)
    assert found
    return 1 << (found.bit_length() - 1)


def _taken(name: str, text: str = OLD) -> Migration:
    made = migrated(Source(text), _release(name))
    assert isinstance(made, Migration), made
    return made


@pytest.mark.parametrize("release", ["takt-0.3", "takt-0.7", "takt-0.11", "takt-0.15", "takt-0.29", "takt-0.33"])
def test_transitions_become_rules(release: str) -> None:
    made = _taken(release)
    assert "    rules:   # by status\n      - condition: done   # fine\n        next: review\n" in made.text
    assert "rules: [{condition: approved, next: COMPLETE}, {condition: rejected, next: plan}]" in made.text
    assert "next_step" not in made.text
    tree = read_yaml_tree(Source(made.text))
    assert isinstance(tree, YamlTree)
    assert held_against_releases(tree).loads & _release(release)


@pytest.mark.parametrize("release", ["takt-0.35", "takt-0.49", "takt-0.52", "takt-0.59", "takt-0.60"])
def test_they_come_to_the_newest_releases(release: str) -> None:
    made = _taken(release)
    assert not made.refused
    tree = read_yaml_tree(Source(made.text))
    assert isinstance(tree, YamlTree)
    assert held_against_releases(tree).loads & _release(release)
    (step, _review) = [each.value for each in tree.root.get("steps").items()]  # type: ignore[union-attr]
    assert [rule["next"] for rule in step["rules"]] == ["review", "ABORT"]


def test_what_has_no_counterpart_is_listed() -> None:
    made = _taken("takt-0.3")
    assert {each.pointer for each in made.left} == {"/steps/0/transitions/1/condition", "/steps/0/on_no_status"}
    assert any("look for a status in the response" in each for each in made.meaning)


def test_always_alone_is_the_only_result() -> None:
    alone = OLD.replace("      - condition: done   # fine\n        next_step: review\n", "")
    assert {each.pointer for each in _taken("takt-0.3", alone).left} == {"/steps/0/on_no_status"}


@pytest.mark.parametrize("release", ["takt-0.1", "takt-0.2"])
def test_releases_that_read_transitions_keep_them(release: str) -> None:
    assert _taken(release).text == OLD


def test_rules_beside_them_stay() -> None:
    both = OLD.replace("    on_no_status: stay\n", "    rules: [{condition: other, next: COMPLETE}]\n")
    made = _taken("takt-0.3", both)
    assert "rules: [{condition: other, next: COMPLETE}]" in made.text
    assert "    transitions:   # by status" in made.text
    assert "/steps/0/transitions" in {each.pointer for each in made.left}
