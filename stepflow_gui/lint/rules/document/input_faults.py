"""Inputs of a step that end the run whatever happened before: they can never have a value (runtime-semantics 12)."""

from collections.abc import Iterator

from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.prelude import ERROR, Finding, RuleContext, _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.json.values import is_true
from stepflow_gui.text.pointer import join


def input_faults(step: str, inputs: JsonValue, document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Until 2026-03-14 no run read inputs."""
    if not context.era.applies_inputs or step.startswith("section."):
        return
    for name, given in inputs.items() if isinstance(inputs, dict) else ():
        source = given.get("from") if isinstance(given, dict) else None
        if not isinstance(given, dict) or not isinstance(source, str | None):
            continue  # SF004 reports its type
        pointer = join("/steps", step, "inputs", name)
        from_step, dot, _key = str(source or "").rpartition(".")
        if source and not has_placeholder(source) and not (from_step and dot):
            text = _("The input “{name}” of “{step}” comes from “{from}”, which names no step: the run stops there")
            place = join(pointer, "from")
        elif not source and is_true(given.get("required")) and "default" not in given:
            text = _(
                "The input “{name}” of “{step}” is required, and has neither “from” nor a default: the run stops there"
            )
            place = pointer
        else:
            continue
        node = document.tree.at(place)
        span = node.span if node is not None and place != pointer else document.tree.key_span(pointer)
        if span is not None:
            yield Finding(text.format(name=name, step=step, **{"from": source}), span, place, step, severity=ERROR)
