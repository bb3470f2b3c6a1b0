"""A flow as lines that a line-by-line diff can compare: the same flow gives the same lines, however it is written."""

from collections.abc import Iterator

from stepflow_gui.export.options import ExportOptions
from stepflow_gui.flow.layout.dimensions import label_of
from stepflow_gui.flow.model import Flow, Step, moves_of
from stepflow_gui.formats.takt.card import is_plain_step
from stepflow_gui.lint.report.json_text import json_text
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import escape

MARK = "# Stepflow"

_SEPARATE = frozenset({"steps"})
_SCALAR = (str, int, float, bool, type(None))


def outline_of(agent: AgentFolder, _options: ExportOptions) -> str:
    """The outline of an agent as text."""
    return outline_text(agent.flow)


def outline_text(flow: Flow) -> str:
    """The lines as one text."""
    return "\n".join([*outline_lines(flow), ""])


def outline_lines(flow: Flow) -> Iterator[str]:
    """The registry's own fields, then each step with its transitions and fields; steps and fields by name."""
    yield MARK
    root = flow.document.root.value if flow.document.root else None
    if not isinstance(root, dict) or not flow.format:
        yield from field_lines(root)
        return
    own = {key: value for key, value in root.items() if key not in _SEPARATE}
    yield from field_lines(own) if own else ()
    for step_id in sorted(flow.steps):
        yield ""
        yield from _step(flow.steps[step_id])
    for odd in sorted(flow.odd_steps, key=lambda text: text.value):
        yield ""
        yield printable(f"step {odd.value}")
        node = flow.document.tree.at(odd.pointer)
        yield from (f"  {line}" for line in field_lines(node.value if node else None))


def _step(step: Step) -> Iterator[str]:
    kind = "" if is_plain_step(step) else step.kind
    yield printable(f"step {step.id}" + (f" ({kind})" if kind else ""))
    for line in sorted(
        f"  {label_of(move)} → {move.target if move.target is not None else '·'}" for move in moves_of(step)
    ):
        yield printable(line)
    for line in field_lines(step.raw) if step.raw else ():
        yield f"  {line}"


def field_lines(value: JsonValue) -> Iterator[str]:
    """`a/b: value` for each value by the sorted path; a list of plain values on one line. Iterative: any depth."""
    stack: list[tuple[str, JsonValue]] = [("", value)]
    while stack:
        place, top = stack.pop()
        if isinstance(top, dict) and top:
            below = [(f"{place}/{escape(key)}" if place else escape(key), top[key]) for key in sorted(top)]
            stack += reversed(below)
        elif isinstance(top, list) and any(not isinstance(item, _SCALAR) for item in top):
            stack += reversed([(f"{place}/{at}" if place else str(at), item) for at, item in enumerate(top)])
        else:
            yield printable(f"{place}: {json_text(top)}" if place else json_text(top))
