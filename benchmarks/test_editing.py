"""How long an edit takes, up to the model that the window draws from."""

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.read import read_flow
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import apply
from stepflow_gui.text.json.edit import set_value
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source

pytestmark = pytest.mark.benchmark(min_rounds=5, max_time=0.5)


def test_an_edit_and_the_flow_after_it(benchmark: BenchmarkFixture, iterator_text: str) -> None:
    """A transition of a real registry is pointed elsewhere, the text read again, the flow read from it: 10 ms."""
    tree = read_json(Source(iterator_text))
    pointer, target = _a_target(tree)

    def edit() -> Flow:
        text = apply(iterator_text, set_value(tree, pointer, target + "-elsewhere"))
        document = ParsedFile.read(Path("steps_registry.json"), Source(text))
        return read_flow(document)

    flow = benchmark(edit)
    assert flow.steps
    seconds: float = benchmark.stats["min"] if benchmark.stats else 0.0
    assert seconds <= 0.010


def _a_target(tree: JsonTree) -> tuple[str, str]:
    steps = tree.at("/steps")
    assert steps is not None
    for step in steps.members():
        target = step.value.at("/transitions/next/target")
        if target is not None:
            return join("/steps", step.key, "transitions", "next", "target"), str(target.value)
    pytest.fail("no step has a next one")
