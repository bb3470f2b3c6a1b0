"""Settings of providers, which TAKT 0.60 and later read from `.takt/runtime.yaml` alone, moved there from a workflow.

The file has named profiles (`provider`, `model`, `options`), a default profile, and targets: the profile of a step is
that of `workflow name/step name`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.formats.takt.migrating.places import Object, as_object, places
from stepflow_gui.formats.takt.migrating.text import Left
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.edit import insert_member
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree

NAME = "runtime.yaml"
_EMPTY = Source("version: 1\n")
_CONFIGS = ("workflow_config", "piece_config")
_OPTIONS_OF = {"claude-sdk": "claude", "claude-terminal": "claude_terminal"}
"""By provider: the key of its options in a workflow where it isn't its name."""
_PRESET = "extends"  # in options: the name of shared ones, which a profile calls its capabilities


class MovedSettings(NamedTuple):
    """The file with the settings in it, where they stood in the workflow, and what couldn't be moved."""

    text: str
    moved: frozenset[str]
    left: tuple[Left, ...]


class _Chosen(NamedTuple):
    """What a step asks for. `options` are those of its provider; `moved` are the pointers of its own settings."""

    pointer: str
    name: str
    provider: str
    model: str | None
    options: Object
    preset: str | None
    moved: tuple[str, ...]

    @property
    def profile(self) -> Object:
        """What it asks for as a profile."""
        found: Object = {"provider": self.provider}
        if self.model is not None:
            found["model"] = self.model
        if self.preset is not None:
            found["capabilities"] = self.preset
        return {**found, "options": self.options} if self.options else found


def moved_settings(workflow: Object, existing: Source | None) -> MovedSettings | None:
    """The runtime file with what the steps of a workflow ask for; None where they ask for nothing.

    `existing` is the file as it is: what it says stays, and wins. Raises ValueError where it can't be read or changed.
    """
    left: list[Left] = []
    chosen = list(_chosen(workflow, left))
    if not chosen:
        return MovedSettings("", frozenset(), tuple(left)) if left else None
    file = _RuntimeFile(existing or _EMPTY)
    title = workflow.get("name")
    names = [file.profile(each) for each in chosen]
    if not file.has_default():
        default = _default(workflow, chosen, names)
        file.put("/provider", "defaults", {"profile": default})
        left.append(Left("", _("provider.defaults of runtime.yaml is “{profile}” now").format(profile=default)))
    for each, profile in zip(chosen, names, strict=True):
        target = f"{title}/{each.name}"
        if not file.assign(target, profile):
            message = _("runtime.yaml has another profile for “{target}” already: it stays")
            left.append(Left(each.pointer, message.format(target=target)))
    return MovedSettings(file.text, frozenset(pointer for each in chosen for pointer in each.moved), tuple(left))


def _chosen(workflow: Object, left: list[Left]) -> Iterator[_Chosen]:
    """What each step asks for, its own settings before those of the whole workflow."""
    config_key = next((key for key in _CONFIGS if key in workflow), _CONFIGS[0])
    config = as_object(workflow.get(config_key))
    of_all = tuple(join("", config_key, key) for key in ("provider", "model", "provider_options") if key in config)
    for place in places(workflow):
        if place.level not in {"step", "sub"} or "parallel" in place.value:
            continue
        own = tuple(join(place.pointer, key) for key in ("provider", "model", "provider_options") if key in place.value)
        if not own and not of_all:
            continue
        provider, model, block = _provider(place.value, config)
        name = place.value.get("name")
        if provider is None or not isinstance(name, str):
            left.append(Left(place.pointer, _("can't be moved to runtime.yaml: no provider is named")))
            continue
        options = {**as_object(config.get("provider_options")), **as_object(place.value.get("provider_options"))}
        key = _OPTIONS_OF.get(provider, provider)
        preset = options.pop(_PRESET, None)
        for other in options:
            if other != key:
                message = _("options of {other} aren't moved: the step uses {provider}")
                left.append(Left(place.pointer, message.format(other=other, provider=provider)))
        own_options = {**block, **as_object(options.get(key))}
        shared = preset if isinstance(preset, str) else None
        yield _Chosen(place.pointer, name, provider, model, own_options, shared, (*own, *of_all))


def _provider(step: Object, config: Object) -> tuple[str | None, str | None, Object]:
    """The provider and the model of a step, and the options that stand beside them where both are in one object."""
    found = step.get("provider", config.get("provider"))
    block = dict(found) if isinstance(found, dict) else {}
    provider = block.pop("type", None) if block else found
    model = step.get("model", block.pop("model", config.get("model")))
    return provider if isinstance(provider, str) else None, model if isinstance(model, str) else None, block


def _default(workflow: Object, chosen: list[_Chosen], names: list[str]) -> str:
    """The profile of the whole workflow where it names a provider, else the first one."""
    of_all = next((as_object(workflow.get(key)) for key in _CONFIGS if key in workflow), {})
    for each, name in zip(chosen, names, strict=True):
        if (each.provider, each.model) == (of_all.get("provider"), of_all.get("model")):
            return name
    return names[0]


class _RuntimeFile:
    """The file's text with what is added to it."""

    def __init__(self, source: Source) -> None:
        self._tree = read_yaml_tree(source)
        if self._tree.root is None or not self._tree.valid or self._tree.root.kind != "object":
            raise ValueError(_("runtime.yaml has to be read without mistakes before settings can be moved there."))

    @property
    def text(self) -> str:
        """The text as it stands."""
        return self._tree.source.text

    def has_default(self) -> bool:
        """Whether a default profile is named."""
        return self._tree.at("/provider/defaults") is not None

    def profile(self, chosen: _Chosen) -> str:
        """The name of a profile that says what a step asks for, made where there is none."""
        known = self._object("/provider/profiles")
        base = re.sub(r"[^a-z0-9]+", "-", f"{chosen.provider}-{chosen.model or ''}".lower()).strip("-")
        number, name = 1, base
        while name in known and known[name] != chosen.profile:
            number, name = number + 1, f"{base}-{number + 1}"
        if name not in known:
            self.put("/provider/profiles", name, chosen.profile)
        return name

    def assign(self, target: str, profile: str) -> bool:
        """Give a step its profile; False where it has another one already."""
        known = self._object("/provider/targets/steps")
        if target in known:
            return as_object(known[target]) == {"profile": profile}
        self.put("/provider/targets/steps", target, {"profile": profile})
        return True

    def put(self, pointer: str, key: str, value: JsonValue) -> None:
        """Add a member, with the objects above it."""
        *above, last = pointer.split("/")[1:]
        if self._tree.at(pointer) is None:
            if above:
                self.put("/" + "/".join(above), last, {key: value})
            else:
                self._change(insert_member(self._tree, "", last, {key: value}))
        else:
            self._change(insert_member(self._tree, pointer, key, value))

    def _object(self, pointer: str) -> Object:
        node = self._tree.at(pointer)
        return as_object(node.value) if node is not None else {}

    def _change(self, edits: list[TextEdit]) -> None:
        source = self._tree.source
        tree = read_yaml_tree(source.with_text(apply(source.text, edits)))
        assert isinstance(tree, YamlTree)
        self._tree = tree
