"""A piece of each generation of TAKT goes through the terminal: checked, drawn, run, explored, taken to the newest."""

from pathlib import Path

import pytest

from stepflow_gui.formats.takt.releases.loading import held_against_releases
from stepflow_gui.formats.takt.releases.sets import between
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree
from tests.cli.conftest import Run
from tests.lint.takt.generations import FILES


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
