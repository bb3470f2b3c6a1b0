"""Values of agent.json that are of a wrong type, and names that no agent can have."""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.agent.check import check_raw
from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.fields import Field, field_at
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.document.json_types import a_kind, expectation
from stepflow_gui.lint.rules.prelude import ERROR, WARNING, Finding, RuleContext, _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Span

_JUDGED_ELSEWHERE = ("/runner/verdict/config/",)  # by SF803
_REFUSED = {"name_type", "version_type", "verdict_type_invalid", "type"}


def agent_faults(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """An error where the runner's own check refuses the file, a warning where its JSON Schema does."""
    root, agent = document.root, context.agent_file
    if root is not None and document.tree.valid and root.kind != "object":
        text = _("An agent.json is an object; this file holds {kind}").format(kind=a_kind(root.value))
        yield Finding(text, Span(root.start, min(root.end, root.start + 1)), "", document=document)
    if agent is None:
        return
    refused = {problem.pointer for problem in check_raw(agent.today, context.era) if problem.kind in _REFUSED}
    for misfit in misfits(agent.today, AGENT, context.era.name):
        pointer = misfit.pointer
        value = agent.value(pointer)
        if (value is None and pointer not in refused) or pointer.startswith(_JUDGED_ELSEWHERE):
            continue
        if misfit.kind == "pattern" and pointer == "/name" and not has_placeholder(value):
            text = _(
                "The name “{name}” must be lower-case letters, digits and dashes: climpt refuses to start the agent"
            )
            yield agent.finding(text.format(name=value), pointer)
        elif misfit.kind == "type":
            field = field_at(AGENT, pointer, context.era.name)
            shape = field.shape if isinstance(field, Field) else field
            if shape is not None:
                text = _("“{field}” must be {expected}, and is {kind}")
                name = ".".join(str(key) for key in misfit.path)
                message = text.format(field=name, expected=expectation(shape), kind=a_kind(value))
                yield agent.finding(message, pointer, ERROR if pointer in refused else WARNING)
