"""Exports that need no picture make no layout."""

import subprocess
import sys

import pytest

from stepflow_gui.export.formats import FORMATS

PICTURES = {"svg", "png", "pdf", "html", "json"}  # JSON holds where the boxes stand

CODE = """
import sys
from pathlib import Path
from benchmarks.agents import write_agent
from stepflow_gui.export.formats import FORMATS
from stepflow_gui.export.options import ExportOptions
from stepflow_gui.project.agent_folder import open_agent
agent = open_agent(write_agent(Path(sys.argv[1]), 6))
assert FORMATS[sys.argv[2]].content(agent, ExportOptions())
print(*(name for name in sys.modules if name.startswith("stepflow_gui.flow.layout.")), "networkx" in sys.modules)
"""


@pytest.mark.parametrize("format_id", sorted(FORMATS.keys() - PICTURES))
def test_a_format_of_text_loads_no_layout_engine(format_id: str, tmp_path: object) -> None:
    command = [sys.executable, "-c", CODE, str(tmp_path), format_id]
    loaded = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    assert loaded.endswith("False\n")
    assert "stepflow_gui.flow.layout.layered" not in loaded.split()
    assert "stepflow_gui.flow.layout.router" not in loaded.split()
