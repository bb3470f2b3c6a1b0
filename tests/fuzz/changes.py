"""Changes that anybody could ask an agent for, whether they make sense or not, made from the types of their fields."""

import random
from collections.abc import Callable
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.climpt.vocabulary import INTENTS
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonTree, JsonValue

_NAMES = ("initial.one", "one", "x y", "", "日本", "a/b~c", "1.2", "ABORT", "default", "size", "poll:state", "plan")
_VALUES: tuple[JsonValue, ...] = (
    None,
    True,
    0,
    -1.5,
    "",
    "text",
    "a: b",
    "two\nlines",
    [],
    ["x"],
    {},
    {"a": {"b": [1]}},
)
_KINDS: tuple[Any, ...] = get_args(Change)
_OF_AGENT = (asked.SetVerdict, asked.ConvertAgent, asked.BeginAgent)  # of agent.json alone


def random_change(agent: AgentFolder, chance: random.Random) -> Change:
    """A change of any kind, about steps, words and places that are there, or others."""
    of_agent = agent.agent_document is not None
    kind = chance.choice([kind for kind in _KINDS if of_agent or kind not in _OF_AGENT])
    hints = get_type_hints(kind)
    make = _Maker(agent, chance)
    fields = {name: make.value(name, hints[name]) for name in kind._fields}
    if kind in _OF_AGENT and agent.agent_document is not None:
        fields["file"] = agent.agent_document.path
    change: Change = kind(**fields)
    return change


class _Maker:
    def __init__(self, agent: AgentFolder, chance: random.Random) -> None:
        flow, self._chance = agent.flow, chance
        self._files = [agent.registry.path, *([agent.agent_document.path] if agent.agent_document else [])]
        nodes = agent.registry.root.walk() if agent.registry.root is not None else ()
        places = [pointer for pointer, _node in nodes]
        words = [rule.intent for step in flow.steps.values() for rule in step.transitions]
        self._texts: dict[str, tuple[str, ...]] = {
            "step": (*flow.steps, *flow.steps, "nowhere"),
            "target": (*flow.steps, "nowhere"),
            "intent": (*words, *words, *INTENTS),
            "pointer": (*places, "/steps/new", "/nowhere", "/-"),
        }
        # Where an agent.json of either layout has its verdict.
        self._texts |= {"holder": ("", "/runner/verdict"), "type_key": ("type",), "config_key": ("config",)}

    def value(self, name: str, hint: Any) -> Any:
        """A value of a type; the field's name determines what kind of text."""
        origin, arguments = get_origin(hint), get_args(hint)
        made: dict[Any, Callable[[], Any]] = {
            str: lambda: self._chance.choice(self._texts.get(name) or _NAMES),
            bool: lambda: self._chance.random() < 0.5,
            int: lambda: self._chance.choice((0, 1, 2, -1, 99)),
            Path: lambda: self._chance.choice(self._files),
        }
        if hint in made:
            return made[hint]()
        if hint == JsonValue or name == "value":
            return self._chance.choice(_VALUES)
        if origin is Literal:
            return self._chance.choice(arguments)
        if origin in {Union, UnionType}:
            return self.value(name, self._chance.choice(arguments))
        if origin is tuple and arguments[-1] is Ellipsis:
            return tuple(self.value(name, arguments[0]) for _time in range(self._chance.randrange(3)))
        if origin is tuple:
            return tuple(self.value(name, each) for each in arguments)
        if hint is type(None):
            return None
        hints = get_type_hints(hint)
        return hint(**{field: self.value(field, hints[field]) for field in hint._fields})


def check_claims(before: AgentFolder, after: AgentFolder, change: Change) -> None:
    """What a change is named after is what the files, read again, hold."""
    old, new = list(before.flow.steps), list(after.flow.steps)
    if before.flow.format != after.flow.format or before.registry.tree.duplicates():
        return  # what is a step in the one is none in the other
    match change:
        case asked.DuplicateStep(copy=step) | asked.AddStep(step=step) if before.flow.format != "checks":
            assert sorted(new) == sorted([*old, step]), change
        case asked.RenameStep(step=step, new=name) if before.flow.format != "checks":  # whose ids are not read
            assert new == [name if each == step else each for each in old], change
        case asked.RemoveStep(step=step):
            assert new == [each for each in old if each != step], change
        case asked.SetField(pointer, value, file):
            node = _tree(after, file).at(pointer)
            assert node is not None, change
            assert node.value == value, (change, node.value)
        case asked.RemoveField(pointer, file) if not pointer.rpartition("/")[2].isdigit():
            assert _tree(after, file).at(pointer) is None, change


def _tree(agent: AgentFolder, file: Path | None) -> JsonTree:
    document = agent.registry if file is None else agent.document(file)
    assert isinstance(document, ParsedFile)
    return document.tree
