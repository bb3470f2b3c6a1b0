"""Completion in a prompt: the variables that have a value there."""

import re

from stepflow_gui.formats.climpt.prompts import INPUT_TEXT
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.completion import Completion, Completions, fitting
from stepflow_gui.project.assist.variables import steps_showing, variables_of
from stepflow_gui.text.document import AnyDocument
from stepflow_gui.text.source import Span

_BEGUN = re.compile(r"\{(?:u|uv|uv-(?P<name>\w*)|i\w*)?$", re.ASCII)
_REST = re.compile(r"\w*\}?", re.ASCII)


def prompt_completions(agent: AgentFolder, file: AnyDocument, offset: int) -> Completions:
    """The variables allowed at a caret behind a brace; all that is written from the brace on is replaced."""
    text = file.source.text
    line = text.rfind("\n", 0, offset) + 1
    begun = _BEGUN.search(text, line, offset)
    if begun is None:
        return Completions(Span(offset, offset), "", ())
    rest = _REST.match(text, offset)
    assert rest is not None
    closed = rest.group().endswith("}")
    span = Span(begun.start(), rest.end() if closed else offset)
    steps = steps_showing(agent, file.path)
    items = [
        Completion(f"uv-{each.name}", each.detail, f"{{uv-{each.name}}}", len(each.name) + 5)
        for each in variables_of(agent, steps)
    ]
    items.append(Completion("input_text", _("the input text (usesStdin)"), INPUT_TEXT, len(INPUT_TEXT)))
    typed = begun.group()[1:]
    found = fitting(items, begun["name"] or "") if begun["name"] is not None else fitting(items, typed)
    return Completions(span, typed, found)
