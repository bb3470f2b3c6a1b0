"""Which lines the form of an agent.json has, group by group, in either layout. Knows no Qt."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from stepflow_gui.formats.climpt.agent.agent_file import AgentDefinition
from stepflow_gui.formats.climpt.agent.fields import ABOUT, PARAMETER
from stepflow_gui.formats.climpt.agent.table import agent_table
from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.gui.inspector.forms.form_fields import FormOptions, FormPart, FormSection, lines_of_field, sections
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

GROUPS = ("flow", "verdict", "boundaries", "integrations", "actions", "execution", "logging")
_FIRST = ("name", "displayName", "description", "version")
_ABOUT = (*_FIRST, *(field.name for field in ABOUT if field.name not in {*_FIRST, "parameters"}))
_VERDICT = ("completionType", "completionConfig")


class VerdictPlace(NamedTuple):
    """Where the agent's verdict is in the file."""

    holder: str
    type_key: str
    config_key: str


class AgentForm(NamedTuple):
    """The parts of the form from above; `parameters` are the names, which may have a section of lines each."""

    about: list[FormSection]
    parameters: list[str]
    flow: list[FormSection]
    verdict: list[FormSection]
    rest: list[FormSection]
    place: VerdictPlace

    def verdict_of(self, root: JsonValue) -> Mapping[str, JsonValue]:
        """The object that holds verdict type and config, as the file has it."""
        found = root
        for key in self.place.holder.split("/")[1:]:
            found = found.get(key) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}


def titles() -> dict[str, str]:
    """The groups of the runner as the form calls them, in the language in use."""
    return {
        "flow": _("Flow"),
        "verdict": _("Verdict"),
        "boundaries": _("Boundaries"),
        "integrations": _("Integrations"),
        "actions": _("Actions"),
        "execution": _("Execution"),
        "logging": _("Logging"),
        "prompts": _("Prompts"),
        "schemas": _("Schemas"),
        "github": _("GitHub"),
        "worktree": _("Worktree"),
        "finalize": _("Finishing"),
        "behavior": _("Behavior"),
    }


def agent_form(agent: AgentDefinition) -> AgentForm:
    """The form of an agent.json that holds an object."""
    root = agent.document.root
    value: dict[str, JsonValue] = root.value if root is not None and isinstance(root.value, dict) else {}
    shape, era = agent_table(agent)
    about = sections(
        value, shape, "", era, (FormPart(_("Agent"), _ABOUT), FormPart("")), without=_all_but(value, shape, _ABOUT)
    )
    if not isinstance(value.get("parameters", {}), dict):
        about += _one(value, _field(shape, "parameters"), "", era, _("Parameters"))
    found = _flat(value, shape, era) if agent.layout == "flat" else _current(value, shape, era)
    parameters = value.get("parameters")
    return found._replace(about=about, parameters=list(parameters) if isinstance(parameters, dict) else [])


def parameter_section(agent: AgentDefinition, name: str) -> list[FormSection]:
    """The lines of one parameter."""
    node = agent.document.tree.at(join("/parameters", name))
    _shape, era = agent_table(agent)
    title = _("Chosen parameter")
    found = sections(node.value if node else {}, PARAMETER, join("/parameters", name), era, (FormPart(title),))
    return [section._replace(title=title) for section in found]


def _current(value: dict[str, JsonValue], shape: Shape, era: str) -> AgentForm:
    holder = _field(shape, "runner")
    runner = value.get("runner", {})
    if not isinstance(runner, dict):
        return AgentForm(
            [], [], [], [], _one(value, holder, "", era, "runner"), VerdictPlace("/runner/verdict", *_KEYS)
        )
    older = "completion" in runner and "verdict" not in runner
    verdict = "completion" if older else "verdict"
    known = {name: _field(holder.shape, verdict if name == "verdict" else name, era) for name in GROUPS}
    made = {name: _one(runner, known[name], "/runner", era, titles()[name]) for name in GROUPS}
    shown = {field.name for field in known.values()} | {"verdict"}
    strange = sections(runner, holder.shape, "/runner", era, (FormPart("runner"),), without=[*shown, "completion"])
    if "completion" in runner and not older:
        strange = sections(runner, holder.shape, "/runner", era, (FormPart("runner"),), without=list(shown))
    rest = [section for name in GROUPS[2:] for section in made[name]]
    place = VerdictPlace(join("/runner", verdict), *_KEYS)
    more = [*(each for each in strange if each.lines), *_more(value, shape, era, {"runner"})]
    return AgentForm([], [], made["flow"], made["verdict"], [*rest, *more], place)


def _flat(value: dict[str, JsonValue], shape: Shape, era: str) -> AgentForm:
    place = VerdictPlace("/behavior", *_VERDICT)
    holder = _field(shape, "behavior")
    behavior = value.get("behavior", {})
    groups = [field for field in shape.fields if field.newer.startswith("/")]
    rest = [each for field in groups for each in _one(value, field._replace(newer=""), "", era, titles()[field.name])]
    rest += _more(value, shape, era, {"behavior"})
    if not isinstance(behavior, dict):
        return AgentForm([], [], _one(value, holder, "", era, titles()["behavior"]), [], rest, place)
    parts = FormPart(titles()["behavior"]), FormPart(titles()["verdict"], _VERDICT)
    inner = _at_home(holder.shape.of_value(behavior))
    found = sections(behavior, inner, "/behavior", era, parts, whole=True)
    verdict = [section for section in found if section.title == parts[1].title]
    return AgentForm([], [], [section for section in found if section not in verdict], verdict, rest, place)


_KEYS = ("type", "config")


def _one(value: Mapping[str, JsonValue], field: Field, pointer: str, era: str, title: str) -> list[FormSection]:
    """A field as a titled part of the form, its own line the title's."""
    head, *inside = lines_of_field(value, field, pointer, FormOptions(era, whole=True))
    if not head.heads:
        return [FormSection(title, pointer, (head,), ())]
    lines = tuple(line._replace(depth=line.depth - 1) for line in inside)
    return [FormSection(title, pointer, lines, (), head)]


def _at_home(shape: Shape) -> Shape:
    """The fields of an older layout, without a note on where they are today."""
    return shape._replace(
        fields=tuple(each._replace(newer="") if each.newer.startswith("/") else each for each in shape.fields)
    )


def _more(value: dict[str, JsonValue], shape: Shape, era: str, shown: set[str]) -> Iterator[FormSection]:
    """What else the file holds: unknown keys, and parts left over from an older layout."""
    flat = {field.name for field in shape.fields if field.newer.startswith("/")} if "behavior" in shown else set()
    without = {*shown, *flat, *(field.name for field in ABOUT)}
    for section in sections(value, shape, "", era, (FormPart(_("More")),), without=list(without)):
        if section.lines:
            yield section._replace(missing=())


def _all_but(value: dict[str, JsonValue], shape: Shape, names: tuple[str, ...]) -> list[str]:
    return [name for name in (*(field.name for field in shape.fields), *value) if name not in names]


def _field(shape: Shape, name: str, era: str = "guide") -> Field:
    found = field_at(shape, join("", name), era)
    assert isinstance(found, Field)
    return found
