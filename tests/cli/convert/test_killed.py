"""`convert` killed at any step: the next start of any command leaves the agent as it was, or converted, and no more."""

import signal
from pathlib import Path

import pytest

from tests.dying import Tree, deaths
from tests.project.converting.agents import from_template

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")


@pytest.mark.parametrize("links", [True, False])
def test_in_place_it_is_done_or_undone_as_one(tmp_path: Path, checkout: Path, links: bool, full: bool) -> None:
    first = tmp_path / "first"
    first.mkdir()
    from_template(first, checkout, "complete-flow")
    words = ["convert", ".agent/demo", "--to", "closing", "--write"]
    died = list(deaths(first, words, "saves", stride=1 if full else 2, links=links))
    before, converted = died[0].after, died[-1].after
    assert ".agent/demo/prompts/steps/complete" in before
    assert ".agent/demo/prompts/steps/closure/issue/f_default.md" in converted
    assert not any("complete" in name or name.endswith(".tmp") for name in converted)
    assert [each.after for each in died if each.after not in (before, converted)] == []
    assert [each.state for each in died if each.state] == []
    halves = [each for each in died if each.killed not in (before, converted)]
    assert len(halves) > 10
    assert any(_is_converted(each.killed) and ".agent/demo/prompts/steps/complete" in each.killed for each in halves)


def test_into_a_new_folder_it_is_whole_or_absent(tmp_path: Path, checkout: Path, full: bool) -> None:
    first = tmp_path / "first"
    first.mkdir()
    from_template(first, checkout, "complete-flow")
    words = ["convert", ".agent/demo", "--to", "closing", "--output", "new/agent"]
    died = list(deaths(first, words, "saves", stride=1 if full else 3))
    before, copied = died[0].after, died[-1].after
    assert "new/agent/steps_registry.json" in copied
    assert [each.after for each in died if each.after not in (before, copied)] == []
    assert [each.state for each in died if each.state] == []
    assert sum(any(".tmp" in name for name in each.killed) for each in died) > 3


def _is_converted(files: Tree) -> bool:
    return '"closing"' in (files[".agent/demo/steps_registry.json"] or "")
