"""A script or trace that can't be read: reported once, with its path and what is wrong."""

from pathlib import Path

import pytest

from stepflow_gui.gui.runs.files import responder_of_file
from stepflow_gui.gui.runs.setup_model import CantAnswer, Setup
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.machine import Machine
from tests.run.flows import flow, registry, step

FLOW = registry(step("closure.a", "closure", closing=None))


@pytest.mark.parametrize(
    ("content", "said"), [(None, "no such file or folder."), (b'{"\xe9"}', "not UTF-8 text (byte 2). Save")]
)
def test_a_trace_that_can_not_be_read(content: bytes | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    if content is not None:
        path.write_bytes(content)
    found = responder_of_file(Setup("replay", path), Machine(flow(FLOW)), Simulated())
    assert isinstance(found, CantAnswer)
    assert found.message.startswith(f"{path}: {said}")
