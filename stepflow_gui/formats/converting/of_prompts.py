"""A registry of prompts, without gates, as one whose steps say where the run goes on (climpt-1.14, 10).

Its runners showed `initial.X`, then `continuation.X` until the verdict was given, or the steps of a list one by one.
That order becomes transitions, and a closure step ends it.
"""

import copy
import itertools
import re

from stepflow_gui.formats.climpt.vocabulary import INTENTS_OF_KIND, KIND_OF_C2, OLDER_VERDICT_TYPES
from stepflow_gui.formats.converting.entries import rename_entries
from stepflow_gui.formats.converting.made import (
    FIELD,
    ConvertedRegistry,
    JsonObject,
    Losses,
    NewPrompt,
    closure_step,
    in_step,
    intent_ref,
    object_of,
    with_kind,
)
from stepflow_gui.formats.converting.topics import topic_of
from stepflow_gui.formats.converting.validation_keys import with_newer_keys
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import join

_MAPPING, _SINGLE = "entryStepMapping", "entryStep"
_FIRST, _LATER, _CLOSURE, _SECTION = "initial.", "continuation.", "closure.", "section."
_KIND_OF_C2 = {**KIND_OF_C2, "validate": "verification"}
_NEEDED = {"uvVariables": [], "usesStdin": False}  # what each step has to have
_UNREAD = ("condition", "priority", "context", "check", "validationSteps")  # what chose or checked a step once
_KEY = re.compile(r"[a-z]\w*")
_PROMPT_FILE = re.compile(r"(?:.*/)?([^/]+)/([^/]+)/f_([^/_]+)(?:_([^/]+))?\.md")


def to_closing(value: JsonObject, verdict: str | None, schema_file: str) -> ConvertedRegistry:
    """The registry with gates and closure steps. `verdict` is the agent's own type, by agent.json's name for it.

    `schema_file` is the file that steps name which had no output schema.
    """
    return _Converting(copy.deepcopy(value), schema_file).made(verdict)


class _Converting:
    def __init__(self, value: JsonObject, schema_file: str) -> None:
        self.value, self.schema_file = value, schema_file
        self.steps = object_of(value.get("steps"))
        self.losses = Losses()
        self.renamed: dict[str, str] = {}
        self.new: dict[str, JsonObject] = {}
        self.paths = self._kept_paths()  # of prompts, as they are now -> as they were
        self.lists = self._lists()
        self.following = self._following()
        self.closures = {listed[-1] for listed in self.lists.values()} - self.following.keys()
        self.closures |= {key for key, step in self.steps.items() if object_of(step).get("c2") == "closure"}

    def made(self, verdict: str | None) -> ConvertedRegistry:
        if self.lists:
            del self.value["flow"]
        self.value.setdefault("c1", "steps")
        for step_id, step in list(self.steps.items()):
            if isinstance(step, dict):
                addressed = self._addressed(step_id, self._with_plain_key(step_id, step))
                self.steps[step_id] = addressed if step_id.startswith(_SECTION) else self._gated(step_id, addressed)
        for closure in self.new:
            why = _("only the verdict ended it; now an answer goes to “{closure}”, which closes").format(
                closure=closure
            )
            self.losses.add("/steps", _("the end of a run"), why)
        self.steps |= self.new
        self.value["steps"] = self.steps
        self._enter(verdict)
        rename_entries(self.value, verdict, self.losses, self.renamed)
        made = with_newer_keys(self.value, self._newer_check, self.losses, self.renamed)
        first = ("agentId", "version", "c1", _SINGLE, _MAPPING)
        ordered = {key: made[key] for key in first if key in made} | {
            k: each for k, each in made.items() if k != "steps"
        }
        ordered["steps"] = made["steps"]
        same: dict[str, tuple[str, ...]] = {key: (key,) for key in self.steps if key not in self.new}
        prompts = tuple(NewPrompt(step_id, None, step["name"]) for step_id, step in self.new.items())
        return ConvertedRegistry(ordered, self.renamed, tuple(self.losses.found), same, {}, prompts)

    def _newer_check(self, key: str) -> str:
        newer = _CLOSURE + key.removeprefix("complete.")
        return newer if key.startswith("complete.") and newer in self.new else key

    def _kept_paths(self) -> dict[str, str]:
        """Those of prompts that lie already where they lie today."""
        paths = [object_of(step).get("promptPath") for step in self.steps.values()]
        exact = [path for path in paths if isinstance(path, str) and _PROMPT_FILE.fullmatch(path)]
        return {"/".join(_parts_of(path, "").values()): path for path in exact}

    # The order of the steps

    def _lists(self) -> dict[str, list[str]]:
        """The lists of steps, without names of none."""
        found = {}
        for name, listed in object_of(self.value.get("flow")).items():
            known = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
            for each in known:
                if each not in self.steps:
                    self.losses.add(join("/flow", name), _("“{word}”").format(word=each), _("not a step"))
            known = [each for each in dict.fromkeys(known) if isinstance(self.steps.get(each), dict)]
            if known:
                found[name] = known
        return found

    def _following(self) -> dict[str, str]:
        """Each step that another one comes after."""
        found: dict[str, str] = {}
        for name, listed in self.lists.items():
            for step, after in itertools.pairwise(listed):
                if found.setdefault(step, after) != after:
                    why = _("another list continues with “{step}”, and a step has only one next step").format(
                        step=found[step]
                    )
                    self.losses.add(join("/flow", name), _("“{word}”").format(word=after), why)
        for step in self.steps:
            later = _LATER + step.removeprefix(_FIRST)
            if step.startswith(_FIRST) and later in self.steps:
                found.setdefault(step, later)
        return found

    # A step

    def _with_plain_key(self, step_id: str, step: JsonObject) -> JsonObject:
        """The step without a `fallbackKey` of the form that keys had once, as `initial.issue`."""
        key = step.get("fallbackKey")
        if not isinstance(key, str) or _KEY.fullmatch(key):
            return step
        why = _("the current built-in prompts have no such keys")
        self.losses.add(in_step(step_id, "fallbackKey"), f"fallbackKey: {key}", why)
        return {name: inner for name, inner in step.items() if name != "fallbackKey"}

    def _addressed(self, step_id: str, step: JsonObject) -> JsonObject:
        """The step with the parts of its prompt's path in place of the whole."""
        path = step.get("promptPath")
        if not isinstance(path, str) or "c2" in step:
            return {"edition": "default"} | step if "edition" not in step and "c2" in step else step
        parts = _parts_of(path, step_id)
        plain = parts["edition"]
        while self.paths.setdefault("/".join(parts.values()), path) != path:
            parts["edition"] += f"-{plain}"
        made: JsonObject = {}
        for key, inner in step.items():
            made |= parts if key == "promptPath" else {key: inner}
        return made

    def _gated(self, step_id: str, step: JsonObject) -> JsonObject:
        for key in _UNREAD:
            if key in step:
                what = _("“{word}”").format(word=key)
                self.losses.add(in_step(step_id, key), what, _("it is kept, but no runner reads it"))
        for key in ("structuredGate", "transitions"):
            if step.get(key):
                what = _("“{word}”").format(word=key)
                self.losses.add(in_step(step_id, key), what, _("it is rewritten, like those of the other steps"))
        kind = self._kind(step_id, step)
        rules: JsonObject = {"repeat": {"target": step_id}}
        if kind == "closure":
            rules = {"closing": {"target": None}, **rules}
        else:
            after = self.following.get(step_id) or self._closure_of(step_id)
            closes = after in self.closures or after in self.new
            rules = {"handoff" if closes and kind == "work" else "next": {"target": after}, **rules}
        made = with_kind(step, kind)
        made |= {"stepId": step_id, "name": step.get("name") or step_id}
        made |= {key: given for key, given in _NEEDED.items() if key not in made}
        ref = object_of(step.get("outputSchemaRef"))
        made["outputSchemaRef"] = {"file": self.schema_file, "schema": step_id} | {k: v for k, v in ref.items() if v}
        made["structuredGate"] = {
            "allowedIntents": list(rules),
            "intentSchemaRef": intent_ref(FIELD),
            "intentField": FIELD,
        }
        return {**made, "transitions": rules}

    def _kind(self, step_id: str, step: JsonObject) -> str:
        if step_id in self.closures:
            return "closure"
        given = str(step.get("stepKind") or _KIND_OF_C2.get(str(step.get("c2"))))
        return given if given in INTENTS_OF_KIND and given != "closure" else "work"

    def _closure_of(self, step_id: str) -> str:
        """The closure step in which a step ends that no other comes after, made if there is none."""
        domain = step_id.split(".")[1] if "." in step_id else step_id
        closure = _CLOSURE + domain
        if closure not in self.steps and closure not in self.new:
            schema: JsonObject = {"file": self.schema_file, "schema": closure}
            name = _("Closing: {topic}").format(topic=domain)
            self.new[closure] = closure_step(closure, topic_of(domain), name, FIELD, schema)
        elif closure in self.steps:
            self.closures.add(closure)
        return closure

    # Where a run begins

    def _enter(self, verdict: str | None) -> None:
        """Entries, which the file didn't have: its runners took the verdict's name for that of a step."""
        if self.value.get(_SINGLE) or self.value.get(_MAPPING):
            return
        today = OLDER_VERDICT_TYPES.get(verdict, verdict) if verdict else None
        wanted = sorted(OLDER_VERDICT_TYPES, key=lambda name: name != verdict)
        entries: JsonObject = {}
        for name in wanted:
            step = (self.lists.get(name) or [_FIRST + name])[0]
            if step in self.steps:
                entries.setdefault(OLDER_VERDICT_TYPES[name], step)
        first = next((listed[0] for listed in self.lists.values()), None)
        first = first or next((step for step in self.steps if step.startswith(_FIRST)), next(iter(self.steps), None))
        if first is not None and (today not in entries):
            self.value[_SINGLE] = first
        begins = entries.get(today or "", first)
        if entries:
            self.value[_MAPPING] = entries
        if isinstance(begins, str):
            why = _("this format doesn't define it: “{step}” is used, from the ids of the steps").format(step=begins)
            self.losses.add(in_step(begins), _("where a run begins"), why)


def _parts_of(path: str, step_id: str) -> dict[str, str]:
    """The parts of a prompt's path of today, made of the path that a step named; of its id where that has no folder."""
    exact = _PROMPT_FILE.fullmatch(path)
    if exact:
        names = zip(("c2", "c3", "edition", "adaptation"), exact.groups(), strict=True)
        return {name: part for name, part in names if part}
    folders = [part for part in path.removesuffix(".md").split("/") if part not in {"", ".", ".."}]
    if len(folders) < 2:
        folders = step_id.split(".") if "." in step_id else ["initial", step_id]
    return {"c2": folders[0], "c3": topic_of(folders[1]), "edition": "-".join(folders[2:]) or "default"}
