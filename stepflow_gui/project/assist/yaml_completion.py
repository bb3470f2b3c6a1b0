"""Completion in the YAML of a piece: the keys and values that fit at a caret, also while the text is half written."""

from collections.abc import Iterator

from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.completion import Completion, Completions, fitting
from stepflow_gui.project.assist.names import Name
from stepflow_gui.project.assist.piece_names import piece_names
from stepflow_gui.project.assist.yaml_context import YamlContext, yaml_context_at
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span
from stepflow_gui.text.yaml.write import Style, Writing, writing_of


def yaml_completions(agent: AgentFolder, text: str, offset: int, table: tuple[Shape, str]) -> Completions:
    """What fits at a caret of a piece's text. `table`: its fields, and the name that they are known by."""
    context = yaml_context_at(text, offset)
    items: list[Completion] = []
    shapes = _shapes(table, context.path) if context.expects != "nothing" else []
    if context.expects in {"key", "either"}:
        items += _Keys(agent, text, context, table[1]).of(shapes)
    if context.expects in {"value", "either"}:
        items += _values(agent, text, context, shapes)
    return Completions(Span(context.start, context.end), context.typed, fitting(items, context.typed))


def _shapes(table: tuple[Shape, str], path: tuple[str | int, ...]) -> list[Shape]:
    found = field_at(table[0], join("", *path), table[1])
    own = found.shape if isinstance(found, Field) else found
    return [own, *own.either] if own is not None else []


class _Keys:
    """Writes keys at a caret, each with its value begun."""

    def __init__(self, agent: AgentFolder, text: str, context: YamlContext, known_as: str) -> None:
        self._text = text
        self._context = context
        self._known_as = known_as
        self._style = writing_of(text)
        node = agent.registry.tree.at(join("", *context.path))
        there = {member.key for member in node.members()} if node is not None and context.expects == "key" else set()
        self._there = there | context.keys
        rest = text[context.end : context.end + 2]
        self._has_value = rest.startswith(":")
        if self._has_value:  # the key that is completed may stay as it is
            self._there.discard(text[context.start : context.end])

    def of(self, shapes: list[Shape]) -> Iterator[Completion]:
        """The keys of the fields that don't exist yet, needed ones first."""
        fields = [
            field
            for shape in shapes
            for field in shape.fields
            if field.known_in(self._known_as) and not field.newer and field.name not in self._there
        ]
        for field in sorted(fields, key=lambda field: field.need == "no"):
            written = field.name if self._has_value else field.name + self._begun(field.shape)
            yield Completion(field.name, field.worded_for(self._known_as).meaning(), written, len(written))

    def _begun(self, shape: Shape) -> str:
        if self._context.in_brackets or shape.kind not in {"list", "map", "object"}:
            return ": "
        deeper = self._style.lists if shape.kind == "list" else self._style.step
        line = self._style.line_end + " " * (self._context.column + deeper)
        return f":{line}- " if shape.kind == "list" else f":{line}"


def _values(agent: AgentFolder, text: str, context: YamlContext, shapes: list[Shape]) -> Iterator[Completion]:
    style = writing_of(text)
    blank = "" if text[context.start - 1 : context.start] != ":" else " "
    names: list[Name] = []
    for shape in shapes:
        if shape.kind == "string":
            names += [Name(choice) for choice in shape.choices]
        elif shape.kind == "boolean":
            for word in ("true", "false"):
                yield Completion(word, "", blank + word, len(blank + word))
    if any(shape.kind in {"string", "any", "list"} for shape in shapes):
        names += piece_names(agent, context.path)
    for name in names:
        written = blank + _scalar(name.text, context, style)
        yield Completion(name.text, name.detail, written, len(written))


def _scalar(text: str, context: YamlContext, style: Writing) -> str:
    """A text as a scalar, in the quotes that are there already, if there are any."""
    quoted: Style = "single" if context.quote == "'" else "double" if context.quote else "plain"
    return style.text(text, context.column, flow=context.in_brackets, style=quoted)
