"""Steps that workflows share: where a fragment lies, and a workflow put together with those it uses (takt.md 13.2).

A fragment is a YAML file that holds one step. Keys of the step that uses it win; `{$param: NAME}` in it becomes what
`with` gives, and in a workflow what its caller gives, else the default of that parameter.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.text.json.tree import JsonValue

Object = Mapping[str, JsonValue]
LoadFragment = Callable[[str], JsonValue]
"""Gives the value of a fragment's file for its `uses` name; None where there is none."""

DEEPEST = 8  # fragments inside fragments
_FOLDER = "steps"
_ENDINGS = (".yaml", ".yml")
_PARAM = "$param"
_ABSENT = object()
_MOST_VALUES = 100_000  # that parameters put in: a list can be put into itself again and again


def fragment_files(workflow: Path, folder_name: str, used: str) -> list[Path]:
    """Where a fragment may lie, the best first: in `steps` beside the folder of workflows. [] for a path of its own."""
    if not used or used.startswith(("/", "~")):
        return []
    folder = next((each for each in workflow.parents if each.name == folder_name), workflow.parent)
    return [folder.parent / _FOLDER / f"{used.removesuffix(ending)}{ending}" for ending in _ENDINGS]


class Assembled(NamedTuple):
    """A workflow's value without `uses`.

    `missing`: what is used but doesn't exist; `unset`: parameters without a value; each once.
    """

    value: JsonValue
    missing: Sequence[str] = ()
    unset: Sequence[str] = ()


def with_fragments(root: JsonValue, load: LoadFragment, args: Object | None = None) -> Assembled:
    """A workflow's value without `uses`. `args`: what its caller gives to its parameters."""
    if not isinstance(root, dict) or not isinstance(root.get("steps"), list):
        return Assembled(root)
    assembly = _Assembly(load)
    given = {**_defaults(parameters_of(root)), **(args or {})}
    steps = assembly.filled({"steps": root["steps"]}, given)["steps"]
    unset = list(assembly.unset)
    whole = [assembly.whole(step) if isinstance(step, dict) else step for step in steps]
    return Assembled({**root, "steps": whole}, list(assembly.missing), unset)


def parameters_of(root: JsonValue) -> Object:
    """The parameters that a workflow declares for its callers, by name."""
    return _object(_object(_object(root).get("subworkflow")).get("params"))


class _Assembly:
    """One workflow being put together."""

    def __init__(self, load: LoadFragment) -> None:
        self.missing: dict[str, None] = {}
        self.unset: dict[str, None] = {}
        self._load = load
        self._left = _MOST_VALUES

    def whole(self, step: Object) -> dict[str, JsonValue]:
        """A step with the fragments that it and its sub-steps use; the rules stay with who uses them."""
        found = _named(self._with_own(step), step)
        rules, parallel = found.get("rules"), found.get("parallel")
        of_subs: Object = {}
        if isinstance(rules, dict):
            of_subs = _object(rules.get("parallel"))
            found["rules"] = rules.get("self")
        if isinstance(parallel, dict):
            lists = {key: self._subs(parallel[key], of_subs) for key in ("fixed", "pool") if key in parallel}
            found["parallel"] = {**parallel, **lists}
        elif parallel is not None:
            found["parallel"] = self._subs(parallel, of_subs)
        return found

    def filled(self, value: Object, given: Object) -> dict[str, JsonValue]:
        """An object with its parameters replaced; one without a value is treated as absent."""
        items = {key: self._put_in(each, given) for key, each in value.items()}
        return {key: each for key, each in items.items() if each is not _ABSENT}

    def _subs(self, listed: JsonValue, rules: Object) -> JsonValue:
        if not isinstance(listed, list):
            return listed
        return [self._sub(sub, rules) if isinstance(sub, dict) else sub for sub in listed]

    def _sub(self, sub: Object, rules: Object) -> dict[str, JsonValue]:
        found = _named(self._with_own(sub), sub)
        name = found.get("name")
        return {**found, "rules": rules[name]} if isinstance(name, str) and name in rules else found

    def _with_own(self, step: Object, depth: int = 0) -> dict[str, JsonValue]:
        """A step combined with the fragments it uses, the step's own keys first."""
        used = step.get("uses")
        if not isinstance(used, str):
            return dict(step)
        own = {key: value for key, value in step.items() if key not in ("uses", "with")}
        fragment = self._load(used) if depth < DEEPEST else None
        if not isinstance(fragment, dict):
            self.missing[used] = None
            fragment = {}
        given = {**_defaults(fragment.get("params")), **_object(step.get("with"))}
        base = self.filled({key: value for key, value in fragment.items() if key != "params"}, given)
        return {**self._with_own(base, depth + 1), **own}

    def _put_in(self, value: JsonValue, given: Object) -> JsonValue:
        if isinstance(value, dict):
            named = value.get(_PARAM)
            if isinstance(named, str) and len(value) == 1:
                if named not in given:
                    self.unset[named] = None
                return given.get(named, _ABSENT)
            return self.filled(value, given)
        return list(self._items(value, given)) if isinstance(value, list) else value

    def _items(self, listed: list[JsonValue], given: Object) -> Iterator[JsonValue]:
        """The items of a list; a parameter with several values becomes all of them."""
        for item in listed:
            found = self._put_in(item, given)
            several = found if isinstance(found, list) and isinstance(item, dict) else [found]
            for each in several[: self._left]:
                if each is not _ABSENT:
                    self._left -= 1
                    yield each


def _named(found: dict[str, JsonValue], step: Object) -> dict[str, JsonValue]:
    """A step that is named nowhere is called like the fragment that it uses."""
    used = step.get("uses")
    return {"name": used.rstrip("/").rpartition("/")[2], **found} if isinstance(used, str) else found


def _defaults(declared: JsonValue) -> dict[str, JsonValue]:
    """The default values of parameters."""
    found = _object(declared).items()
    return {name: each["default"] for name, each in found if isinstance(each, dict) and "default" in each}


def _object(value: JsonValue) -> Object:
    return value if isinstance(value, dict) else {}
