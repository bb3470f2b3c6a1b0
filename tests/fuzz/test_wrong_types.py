"""Every field of a registry with values of a wrong type, in every runtime: SF004 is an error where the runner stops."""

import copy
import gettext
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui import messages
from stepflow_gui.formats.climpt.eras import era_for
from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.tables import registry_fields
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import ERROR
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.rules.document.field_outcomes import field_path, rows_of
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.json.tree import JsonValue, kind_of
from stepflow_gui.text.pointer import join, split
from tests.fuzz.cases import lay_out
from tests.fuzz.differential import sound
from tests.fuzz.differential.comparing import RUNTIMES
from tests.fuzz.differential.observing import RunnerSide

Files = dict[str, Any]
_WRONG: tuple[JsonValue, ...] = ("x", 5, True, ["x"], {"a": 1}, None, 0, [])
_KINDS = {"string": "string", "boolean": "boolean", "list": "array", "map": "object", "object": "object"}
_NUMBERS = ("integer", "number")
_FEW = 40  # one in so many cases, without --full
_FREE = re.compile(r"/(?:steps|validators|failurePatterns|validationSteps|entryStepMapping|inputs|targets)/[^/]+")
_AS_MISSING = ("/successWhen", "/check", "/onPass", "/onFail")  # SF603 and SF902 say what that means, and how bad it is
_AS_SOUND = ("/usesStdin", "/required", "/jump", "/jump/target")  # stops only runs or answers that lack a value
_BY_HANDLER = ("/uvVariables",)  # what replaces the step's own prompt lacks variables as well
_FINE = (None, "no text")  # the guide has none behind a fallbackKey, unless the user gives it


def _rich(format_id: str) -> Files:
    """A sound agent that has as many of the fields as the generator gives."""
    wanted = ('"targets"', '"validators"', '"escalate"', '"jump"', '"inputs"', '"repeat"')
    drawn = (sound.agent(format_id, random.Random(seed)) for seed in range(400))
    return max(drawn, key=lambda files: sum(word in json.dumps(files[sound.REGISTRY]) for word in wanted))


def _places(value: JsonValue, shape: Shape, format_id: str, pointer: str = "") -> Iterator[tuple[str, Shape]]:
    """Every place of the registry whose type the table knows, those that it hasn't as well."""
    if shape.kind == "either":
        objects = [each for each in shape.either if each.fields]
        if not isinstance(value, dict) or not objects:
            return
        shape = next((each for each in objects if each.fields[0].name in value), objects[-1])
    if shape.kind == "any":
        return
    yield pointer, shape
    if shape.kind == "list" and shape.of and isinstance(value, list):
        for index, item in enumerate(value[:1]):
            yield from _places(item, shape.of, format_id, join(pointer, index))
    if shape.kind == "map" and shape.of and isinstance(value, dict):
        for key, inner in value.items():
            yield from _places(inner, shape.of, format_id, join(pointer, key))
    for field in shape.fields if isinstance(value, dict) else ():
        if field.known_in(format_id):
            yield from _places(value.get(field.name), field.shape, format_id, join(pointer, field.name))


def _cases(format_id: str, files: Files) -> Iterator[tuple[str, JsonValue]]:
    seen: set[object] = set()
    for pointer, shape in _places(files[sound.REGISTRY], registry_fields(format_id), format_id):
        keys = split(pointer)
        phase = keys[1].partition(".")[0] if keys[:1] == ["steps"] and len(keys) > 1 else ""
        if not pointer or pointer == "/steps" or (_FREE.sub("/*", pointer), phase) in seen:
            continue
        seen.add((_FREE.sub("/*", pointer), phase))
        for value in _WRONG:
            own = "number" if shape.kind in _NUMBERS else _KINDS[shape.kind]
            if kind_of(value) != own and not (value is None and shape.nullable):
                yield pointer, value


def _changed(files: Files, pointer: str, value: JsonValue) -> Files:
    changed = copy.deepcopy(files)
    *holders, last = split(pointer)
    at = changed[sound.REGISTRY]
    for key in holders:
        at = at[int(key)] if isinstance(at, list) else at[key]
    at[int(last) if isinstance(at, list) else last] = value
    return changed


class _Checked(str):
    """A text that takes nothing that Python would write in its own way."""

    __slots__ = ()

    def format(self, *given: object, **named: object) -> str:
        odd = {
            name: value for name, value in named.items() if not isinstance(value, str | int) or isinstance(value, bool)
        }
        odd = {name: value for name, value in odd.items() if f"{{{name}}}" in self}
        assert odd == {}, self
        return _Checked(str.format(self, *given, **named))


class _Catalogue(gettext.NullTranslations):
    """English texts that look at what is put into them."""

    def gettext(self, message: str) -> str:
        return _Checked(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return _Checked(msgid1 if n == 1 else msgid2)


@pytest.fixture(autouse=True)
def checked_texts() -> Iterator[None]:
    """What a value of any type looks like in a message: as JSON writes it."""
    messages.use_translations(_Catalogue())
    yield
    messages.use_translations(gettext.NullTranslations())


_OF_PYTHON = re.compile(r"\bTrue\b|\bFalse\b|\bNone\b|\{'|\['")


def _opened(files: Files, folder: Path) -> AgentFolder:
    lay_out(
        {name: each if isinstance(each, str) else json.dumps(each, indent=1) for name, each in files.items()}, folder
    )
    agent = open_agent(folder / sound.REGISTRY)
    assert isinstance(agent, AgentFolder)
    return agent


class _Did:
    """What an agent does in a runtime: what fails, and where runs end."""

    def __init__(self, agent: AgentFolder, format_id: str, runtime: str) -> None:
        runner = RunnerSide(agent, era_for(format_id, runtime))
        self.refused = runner.refusal is not None
        errors = [runner.refusal, *(each.error for each in runner.probes)]
        assert not [each.message for each in errors if each and _OF_PYTHON.search(each.message)]
        answers = {(each.step, each.first, each.intent, each.case, each.flaw): each for each in runner.probes}
        self.failing = {key for key, each in answers.items() if each.error}
        self.ending = {key for key, each in answers.items() if each.outcome and each.outcome.kind in {"null", "check"}}
        self.answered = {key for key, each in answers.items() if not each.error and each.flaw is None}
        self.unasked = {step for (step, _first), why in runner.unprompted.items() if why not in _FINE}
        self.unasked |= runner.never_asked | runner.unchecked

    def fails_as(self, sound_one: "_Did", step: str | None) -> bool:
        """Whether a run stops that didn't before, or any that comes to the step."""
        lost = {key[0] for key in sound_one.answered} - {key[0] for key in self.answered}
        here = step in self.unasked or any(key[0] == step for key in self.failing)
        more = self.failing - sound_one.failing or self.unasked - sound_one.unasked or self.ending - sound_one.ending
        return self.refused or bool(here or lost or more)

    def stops_more(self, sound_one: "_Did") -> bool:
        """Whether a run stops that didn't before."""
        known = sound_one.answered & self.failing
        return self.refused or bool(known or self.unasked - sound_one.unasked)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("format_id", RUNTIMES)
def test_a_wrong_type_is_an_error_where_the_runner_stops(
    format_id: str, tmp_path: Path, pytestconfig: pytest.Config, subtests: pytest.Subtests
) -> None:
    files = _rich(format_id)
    full = pytestconfig.getoption("--full")
    whole = _opened(files, tmp_path / "sound")
    before = {runtime: _Did(whole, format_id, runtime) for runtime in RUNTIMES[format_id]}
    looked_at = 0
    for number, (pointer, value) in enumerate(_cases(format_id, files)):
        if not full and number % _FEW:
            continue
        agent = _opened(_changed(files, pointer, value), tmp_path / str(number))
        if agent.format != format_id:
            continue
        runtimes = RUNTIMES[format_id]
        for runtime in runtimes if full else runtimes[number // _FEW % len(runtimes) :][:1]:
            looked_at += 1
            found = lint(agent, LintSettings(runtime))
            assert not [each.message for each in found if _OF_PYTHON.search(each.message)]
            own = [each for each in found if each.code == "SF004" and (each.pointer or "").startswith(pointer)]
            named = {runtime, era_for(format_id, None).name} if runtime == "guide" else {runtime}
            did = {name: _Did(agent, format_id, name) for name in named}
            with subtests.test(f"{pointer} {value!r} {runtime}"):
                if any(each.severity == ERROR for each in own) and not pointer.endswith(_AS_MISSING):
                    step = split(pointer)[1] if pointer.startswith("/steps/") else None
                    was = {name: before.get(name) or _Did(whole, format_id, name) for name in named}
                    assert any(did[name].fails_as(was[name], step) for name in named), own[0].message
                unknown = format_id == "complete" and pointer.startswith("/validators")  # nobody knows what ran them
                if (
                    did[runtime].stops_more(before[runtime])
                    and not pointer.endswith(_AS_SOUND + _BY_HANDLER)
                    and not unknown
                ):
                    assert any(each.severity == ERROR for each in found), [each.message for each in own]
    assert looked_at > (500 if full else 8)


@pytest.mark.parametrize("format_id", RUNTIMES)
def test_each_field_has_a_row(format_id: str) -> None:
    table = registry_fields(format_id)
    every = {"/".join(field_path(tuple(split(pointer)), table)) for pointer in _paths(table, format_id)}
    assert len(every) > 20
    assert sorted(every - rows_of(format_id).keys() - _OF_OTHERS) == []


_OF_OTHERS = {
    "",
    "entryStepMapping/*",
    "entryStepMapping/*/initial",
    "entryStepMapping/*/continuation",
    "entryStepMapping/*/*",
}


def _paths(shape: Shape, format_id: str, pointer: str = "") -> Iterator[str]:
    """The place of each field of a type, with any free key; what is in transitions has a module of its own."""
    if shape.kind == "any":
        return
    if shape.kind != "either":
        yield pointer
    for each in (shape, *shape.either):
        for field in each.fields:
            if field.known_in(format_id) and field.name != "transitions":
                yield from _paths(field.shape, format_id, join(pointer, field.name))
        if each.of is not None and each.kind in {"map", "list"}:
            yield from _paths(each.of, format_id, join(pointer, "0"))
