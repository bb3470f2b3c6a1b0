"""TAKT pieces: the linter over all that upstream ships, and the window from a key in a long one to its badges."""

import sys
import time
from pathlib import Path

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent

LONGEST_LINT = 0.050  # seconds of CPU, for the median piece
LONGEST_KEY = 0.150  # seconds from a key to the badge


@pytest.fixture(scope="module")
def pieces(corpus: Path) -> list[Path]:
    """The pieces and workflows of two versions of TAKT."""
    found = sorted((corpus / "takt").glob("*/builtins/*/pieces/*.yaml"))
    found += sorted((corpus / "takt").glob("*/builtins/*/workflows/*.yaml"))
    if not found:
        pytest.skip(f"no data: {corpus} holds no pieces")
    return found


def test_linting_every_piece(pieces: list[Path]) -> None:
    """In one process, each opened, read and linted again."""
    costs = []
    for piece in pieces:
        start = time.process_time()
        agent = open_agent(piece)
        assert isinstance(agent, AgentFolder)
        lint(agent)
        costs.append((time.process_time() - start, piece.name))
    costs.sort()
    middle, (most, name) = costs[len(costs) // 2][0], costs[-1]
    total = sum(cost for cost, _name in costs)
    figures = f"{total:.2f} s of CPU, median {1000 * middle:.0f} ms, most {1000 * most:.0f} ms ({name})"
    sys.stdout.write(f"\n{len(pieces)} pieces: {figures}")
    assert middle <= LONGEST_LINT


def test_from_key_to_badge(pieces: list[Path], tmp_path: Path, painted: list[None]) -> None:
    """A letter more and less in a target of the middle step of the longest, 17 KB."""
    from benchmarks.test_live import Live  # needs the window

    piece = tmp_path / "pieces" / "long.yaml"
    piece.parent.mkdir()
    piece.write_bytes(max((path.read_bytes() for path in pieces), key=len))
    live = Live(tmp_path, piece, painted)
    try:
        targets = [rule.target for rule in live.document.folder.flow.steps[live.step].transitions]
        target = next(target for target in targets if target)
        live.caret_at(target.span.end - 1)
        graph, badge = live.type_keys()
        steps = len(live.document.folder.flow.steps)
        size = piece.stat().st_size
        sys.stdout.write(
            f"\n{size} bytes, {steps} movements: graph {1000 * graph:.0f} ms, badge {1000 * badge:.0f} ms\n"
        )
        assert badge <= LONGEST_KEY
    finally:
        live.close()
