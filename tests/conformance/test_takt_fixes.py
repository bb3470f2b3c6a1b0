"""No fix takes a piece away from a release of TAKT that it is for."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.formats.takt.detect import is_piece
from stepflow_gui.formats.takt.releases import sets
from stepflow_gui.formats.takt.releases.loading import harmed
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import any_fixes, fix_all, safe_fixes
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree


def _texts(conformance: Path, corpus: Path) -> Iterator[tuple[str, str]]:
    for path in sorted((conformance / "takt" / "versions" / "cases").glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8")):
            yield case["id"], case["yaml"]
    for path in sorted((corpus / "takt").rglob("*.yaml")):
        yield str(path.relative_to(corpus)), path.read_text(encoding="utf-8-sig")


@pytest.mark.parametrize("choosing", [safe_fixes, any_fixes])
def test_after_all_fixes_every_release_still_loads_the_file(
    conformance: Path, corpus: Path, tmp_path: Path, choosing: object, full: bool
) -> None:
    """One text in twenty; --full: each."""
    wrong, seen, changed = [], 0, 0
    for index, (name, text) in enumerate(_texts(conformance, corpus)):
        if index % 20 and not full:
            continue
        tree = read_yaml_tree(Source(text))
        if tree.root is None or not is_piece(tree.root.value):
            continue
        folder = tmp_path / str(index) / ".takt" / ("pieces" if "movements" in tree.root.value else "workflows")
        folder.mkdir(parents=True)
        piece = folder / "case.yaml"
        piece.write_text(text, encoding="utf-8", newline="")
        agent = open_agent(piece)
        assert isinstance(agent, AgentFolder), name
        fixed = fix_all([agent], lint, safe_fixes if choosing is safe_fixes else any_fixes)
        seen += 1
        for change in fixed.changes:
            if change.path.name == "case.yaml":
                changed += 1
                worse = harmed(tree, read_yaml_tree(change.after))
                if worse:
                    wrong.append(f"{name}: worse in {sets.written(worse)}")
    assert not wrong, "\n".join(wrong)
    assert seen
    assert changed or choosing is safe_fixes
