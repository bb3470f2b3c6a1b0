"""A piece of each generation of TAKT goes through the terminal: checked, drawn, run, taken to the newest and back."""

from pathlib import Path

import pytest

from stepflow_gui.formats.takt.releases.loading import held_against_releases
from stepflow_gui.formats.takt.releases.sets import between
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree
from tests.cli.conftest import Run
from tests.lint.takt.generations import FILES, NEWEST


@pytest.mark.parametrize("generation", FILES)
def test_a_piece_of_each_generation_is_taken_through_the_terminal(generation: str, run: Run, tmp_path: Path) -> None:
    text = FILES[generation].replace("../personas/coder.md", "coder")
    file = tmp_path / "project" / ".takt" / ("pieces" if "movements:" in text else "workflows") / "flow.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    linted = run("lint", file)
    assert linted.code == 0, linted.out
    assert "warning" not in linted.out
    assert "write" in run("export", file, "--format", "dot").out
    assert run("run", file, "--random", "1", "--seed", "1").code in {0, 1}
    explored = run("run", file, "--explore")
    assert explored.code == 0, explored.out + explored.err
    assert f"The {'piece' if 'movements:' in text else 'workflow'} is complete." in explored.out
    assert run("convert", file, "--to", "takt-latest", "--move-settings", "--write", "--force").code == 0
    held = held_against_releases(read_yaml_tree(Source(file.read_text("utf-8"))))
    assert held.loads & between("0.60.0", "0.60.0")
    assert run("run", file, "--explore", "--runtime", "takt-0.60").code == 0
    back = run("convert", file, "--to", f"takt-{NEWEST[generation]}", "--write", "--force")
    assert back.code == 0, back.out + back.err
    again = file.read_text("utf-8")
    assert held_against_releases(read_yaml_tree(Source(again))).loads & between(NEWEST[generation], NEWEST[generation])
    lists = {line.rstrip() for line in text.splitlines() if line.endswith("s:") and not line.startswith(" ")}
    assert lists <= set(again.splitlines()) or generation == "t0.34"  # which reads both words
    linted = run("lint", file, "--runtime", f"takt-{NEWEST[generation]}")
    assert linted.code == 0, linted.out
    assert "error" not in linted.out
    if generation != "t0.1":  # of which the rules are the transitions of no release
        explored = run("run", file, "--explore", "--runtime", f"takt-{NEWEST[generation]}")
        assert explored.code == 0, explored.out + explored.err
