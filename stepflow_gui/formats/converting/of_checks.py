"""A registry with checks as one of gates: each check a verification step, or an enum in the step's own schema."""

import copy
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

from stepflow_gui.flow.reach import reached, turned
from stepflow_gui.formats.checks.runners import GUIDE_CHECKS
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
    targets_of_step,
)
from stepflow_gui.formats.converting.topics import topic_of
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

Checks = Literal["verification", "enum"]
CLOSURE = "closure.graph"
_TOPIC = "graph"
_OWN = ("id", "name", "prompt", "iterations", "check")
_OF_CHECK = ("prompt", "responseFormat", "onPass", "onFail")
_OUTCOME = ("next", "fallback", "retry", "maxRetries", "complete")
_PARTS = ("c2", "c3", "edition", "adaptation")
_OF_GATES = ("uvVariables", "usesStdin", "outputSchemaRef", "structuredGate", "transitions")
_OF_GATED = ("userPromptsBase", "schemasBase", "entryStepMapping", "completionSteps", "completionPatterns")
_PHASES = {"initial", "continuation", "verification", "closure"}
_MADE = {"stepId", "stepKind", *_PARTS, *_OF_GATES}  # keys that a conversion gives a meaning


class _CheckMove(NamedTuple):
    """The effect of an outcome: the key that is followed, the step it goes to (None: the end), and its other keys."""

    outcome: str
    word: str
    target: str | None
    more: JsonObject


def to_closing(
    value: JsonObject, agent_id: str, bases: JsonObject, schema_file: str, checks: Checks
) -> ConvertedRegistry:
    """The registry with gates. `bases` are the folders of prompts and schemas, as the registry is to name them."""
    made = _Converting(copy.deepcopy(value), bases, schema_file, checks, frozenset())
    plain = made.made(agent_id)
    stuck = made.stuck()
    return _Converting(copy.deepcopy(value), bases, schema_file, checks, stuck).made(agent_id) if stuck else plain


class _Converting:
    def __init__(
        self, value: JsonObject, bases: JsonObject, schema_file: str, checks: Checks, reported_keys: Collection[str]
    ) -> None:
        """`reported_keys` are steps of before after whose failure the closure step may run."""
        self.reported_keys = reported_keys
        self.failing: list[str] = []  # older steps after which a run can end in a state that no word of today expresses
        self.value, self.bases, self.schema_file, self.checks = value, bases, schema_file, checks
        self.old = {key: step for key, step in object_of(value.get("steps")).items() if isinstance(step, dict)}
        self.losses = Losses()
        self.steps: JsonObject = {}
        self.intents: dict[tuple[str, str], str] = {}
        self.schemas: dict[str, JsonObject] = {}
        self.prompts: list[NewPrompt] = []
        self.addresses: dict[str, JsonObject] = {}
        self.c1 = self._c1()
        self.ids = self._ids()
        self.check_ids = self._check_ids()

    def made(self, agent_id: str) -> ConvertedRegistry:
        for key, step in object_of(self.value.get("steps")).items():
            if not isinstance(step, dict):
                self.losses.add(in_step(key), _("“{word}”").format(word=key), _("it is not an object"))
                continue
            self._step(key, step)
        if any(CLOSURE in targets_of_step(step) for step in self.steps.values()):
            self._close()
        made: JsonObject = {}
        rest = {key: inner for key, inner in self.value.items() if key not in {"steps", "basePath", "entryStep"}}
        rest.setdefault("agentId", agent_id)
        rest.setdefault("version", "1.0.0")
        for key in ("$schema", "agentId", "version"):
            if key in rest:
                made[key] = rest.pop(key)
        made |= {"c1": self.c1, **self.bases}
        entry = self.value.get("entryStep")
        if entry is not None:
            made["entryStep"] = self.ids.get(entry, entry) if isinstance(entry, str) else entry
        for key, inner in rest.items():
            if key in _OF_GATED:
                self._report_aside(join("", key), key)
                made[f"x-{key}"] = inner
            else:
                made.setdefault(key, inner)
        made["steps"] = self.steps
        became = {key: (self.ids[key], *([self.check_ids[key]] if key in self.check_ids else [])) for key in self.old}
        lost = tuple(self.losses.found)
        return ConvertedRegistry(made, {}, lost, became, self.intents, tuple(self.prompts), self.schemas)

    def stuck(self) -> list[str]:
        """Those of the failing steps from which no run comes to a closure step."""
        graph = {step_id: targets_of_step(step) for step_id, step in self.steps.items()}
        back = turned(graph)
        closing = reached([CLOSURE] if CLOSURE in graph else [], back)
        found = []
        for key in self.failing:
            step_id = self.check_ids.get(key, self.ids[key])
            if step_id not in closing:
                found.append(key)
                closing |= reached([step_id], back)
        return found

    def _c1(self) -> str:
        given = self.value.get("c1")
        found = Counter(
            c1 for step in self.old.values() if isinstance(c1 := object_of(step.get("prompt")).get("c1"), str)
        )
        return given if isinstance(given, str) and given else found.most_common(1)[0][0] if found else "steps"

    def _ids(self) -> dict[str, str]:
        """A new id for each step: its phase, and what its prompt's path says besides, as ids of such steps are.

        The router of gates takes `continuation.X` for what follows `initial.X`: no step is called so by chance.
        """
        entry = self.value.get("entryStep")
        made: dict[str, str] = {}
        taken = {CLOSURE}
        for key, step in sorted(self.old.items(), key=lambda each: each[0] != entry):
            self.addresses[key] = address = self._address(
                object_of(step.get("prompt")), "phase", str(step.get("name") or key)
            )
            named = str(address["c2"])
            phase = named if named in _PHASES else "initial" if key == entry else "continuation"
            topic = [str(address["c3"])]
            if address["edition"] != "default":
                topic.append(topic_of(str(address["edition"])))
            made[key] = _free(".".join([phase, *topic]), taken)
            taken |= {made[key], ".".join(["continuation", *topic])}
        return {key: made[key] for key in self.old}

    def _check_ids(self) -> dict[str, str]:
        if self.checks == "enum":
            return {}
        made: dict[str, str] = {}
        prompts: dict[str, str] = {}
        for key, step in self.old.items():
            check = step.get("check")
            if not isinstance(check, dict):
                continue
            prompt = object_of(check.get("prompt"))
            address = self._address(prompt, "verification", str(self.addresses[key]["c3"]))
            address["c2"] = "verification"
            source = repr(sorted(prompt.items(), key=str))
            if source not in prompts:
                prompts[source] = topic_of(str(address["c3"]), prompts.values())
            address["c3"] = prompts[source]
            made[key] = _free(f"verification.{address['c3']}", {*self.ids.values(), *made.values()})
            self.addresses[made[key]] = address
        return made

    @staticmethod
    def _address(prompt: JsonObject, c2: str, topic: str) -> JsonObject:
        """The parts of a prompt's path below c1; of one that is named by its path, those that fit."""
        path = prompt.get("path")
        if isinstance(path, str) and path:
            stem = path.rpartition("/")[2].partition(".")[0].removeprefix("f_")
            return {"c2": c2, "c3": topic_of(stem if stem not in {"", "default"} else topic), "edition": "default"}
        named = {part: prompt[part] for part in _PARTS if isinstance(prompt.get(part), str) and prompt[part]}
        c3 = topic_of(str(named.get("c3", topic)))
        made: JsonObject = {"c2": named.get("c2", c2), "c3": c3, "edition": named.get("edition", "default")}
        return {**made, "adaptation": named["adaptation"]} if "adaptation" in named else made

    def _step(self, key: str, step: JsonObject) -> None:
        step_id = self.ids[key]
        check = step.get("check")
        least, most = self._iterations(key, step)
        rules_made: list[tuple[str, str, JsonObject]] = []  # the word of old, the intent, the transition
        if least > 1 or not isinstance(check, dict):
            rules_made.append(("again", "repeat", {"target": step_id}))
        if not isinstance(check, dict):
            why = ngettext(
                "without a check the run fails after {count} run; now it goes on until the limit of iterations",
                "without a check the run fails after {count} runs; now it goes on until the limit of iterations",
                most,
            )
            what = _("the end of {step}").format(step=step_id)
            self.losses.add(in_step(key), what, why.format(count=most))
            self.failing.append(key)
            if key in self.reported_keys:
                self.losses.add(in_step(key), what, _elsewhere())
                rules_made.append(("end", "handoff", {"target": CLOSURE}))
        elif key in self.check_ids:
            rules_made.append(("check", "next", {"target": self.check_ids[key]}))
        else:
            rules_made += self._rules_of(key, check, ("next", "repeat", "jump", "handoff"))
        title = str(step.get("name") or step_id)
        extra = {name: inner for name, inner in step.items() if name not in _OWN}
        self._report_unknown(key, extra)
        numbers = step.get("iterations")
        if isinstance(numbers, dict) and (least, most) != (1, 1):
            extra.setdefault("x-iterations", numbers)
        judged = self.checks == "enum" and isinstance(check, dict)
        prompt = object_of(step.get("prompt"))
        begin: JsonObject = {"stepId": step_id, "name": title, "stepKind": "work", **self.addresses[key]}
        self._put(key, begin, rules_made, extra, object_of(check) if judged else {})
        self.prompts.append(NewPrompt(step_id, prompt or None, title))
        if not isinstance(check, dict):
            return
        if judged:
            self._fold(key, step_id, check)
        else:
            self._verify(key, title, check)

    def _verify(self, key: str, title: str, check: JsonObject) -> None:
        step_id = self.check_ids[key]
        rules_made = list(self._rules_of(key, check, ("next", "jump", "escalate")))
        name = _("Check: {step}").format(step=title)
        extra = {each: inner for each, inner in check.items() if each not in _OF_CHECK}
        self._report_unknown(key, extra, "check")
        begin: JsonObject = {"stepId": step_id, "name": name, "stepKind": "verification", **self.addresses[step_id]}
        self._put(key, begin, rules_made, extra, check)
        self.prompts.append(NewPrompt(step_id, object_of(check.get("prompt")) or None, name))

    def _fold(self, key: str, step_id: str, check: JsonObject) -> None:
        """A check that is not a step of its own: its prompt goes behind the step's."""
        extra = {each: inner for each, inner in check.items() if each not in _OF_CHECK}
        self._report_unknown(key, extra, "check")
        for name, inner in extra.items():
            self.steps[step_id].setdefault(name if name.startswith("x-") else f"x-{name}", inner)
        prompt = object_of(check.get("prompt"))
        if prompt:
            self.prompts.append(NewPrompt(step_id, prompt, "", text="behind"))

    def _rules_of(self, key: str, check: JsonObject, words: tuple[str, ...]) -> Iterator[tuple[str, str, JsonObject]]:
        """What follows a check, as intents: `next` where it passes, of the others whichever are free where it fails."""
        taken: dict[str, JsonObject] = {}
        here = self.ids[key]
        passing, failing = list(self._outcome(key, check, "onPass")), list(self._outcome(key, check, "onFail"))
        kept = all(move.target is not None for move in passing) and any(move.target is None for move in failing)
        for move in [*passing, *failing]:
            target = CLOSURE if move.target is None else self.ids.get(move.target, move.target)
            rule: JsonObject = {"target": target, **move.more}
            ends = move.target is None
            if "handoff" in words:  # a work step
                wishes = ["handoff"] if ends else ["repeat"] if target == here and move.word == "retry" else []
                wishes += [] if ends else ["next", "jump"] if move.outcome == "onPass" else ["jump"]
            elif ends:  # `escalate` doesn't go to a closure step
                wishes = ["next", "jump"] if move.outcome == "onPass" else ["jump"]
            else:
                wishes = ["next"] if move.outcome == "onPass" else []
                wishes += ["escalate"] if kept else ["jump"] if move.outcome == "onPass" else ["jump", "escalate"]
            intent = next((each for each in wishes if each not in taken or taken[each]["target"] == target), None)
            old = f"{move.outcome}.{move.word}"
            if intent is None:
                why = _("the remaining intents already have other targets")
                self.losses.add(in_step(key, "check", move.outcome, move.word), old, why)
                continue
            taken.setdefault(intent, rule)
            yield old, intent, taken[intent]

    def _outcome(self, key: str, check: JsonObject, name: str) -> Iterator[_CheckMove]:
        """What is followed of an outcome, in the order in which it is: up to the first that always holds."""
        outcome = object_of(check.get(name))
        more = {each: inner for each, inner in outcome.items() if each not in _OUTCOME}
        where = in_step(key, "check", name)
        self._report_unknown(key, more, "check", name)
        over = False
        for word in GUIDE_CHECKS.order:
            given = outcome.get(word)
            named = word in {"next", "fallback"}
            holds = isinstance(given, str) and given != "" if named else given is True
            if not holds:
                continue
            if over:
                why = _("an earlier condition always holds, so it was never followed")
                self.losses.add(f"{where}/{word}", f"{name}.{word}", why)
                continue
            extras = {each if each.startswith("x-") else f"x-{each}": inner for each, inner in more.items()}
            if word == "retry":
                most = outcome.get("maxRetries")
                counted = isinstance(most, int) and not isinstance(most, bool) and most > 0
                over = not counted
                if counted:
                    extras["x-maxRetries"] = most
                    why = _("runners with gates don't count them: the responder has to; the number is kept beside it")
                    self.losses.add(f"{where}/maxRetries", f"{name}.maxRetries: {most}", why)
                yield _CheckMove(name, word, key, extras)
            else:
                over = True
                yield _CheckMove(name, word, given if named else None, extras)
        if not over and name == "onPass":
            yield _CheckMove(name, "complete", None, {})
        elif not over:
            what, why = (
                _("the end after {outcome}"),
                _("the run failed here; now the answer “abort” ends it as a failure"),
            )
            self.losses.add(where, what.format(outcome=name), why)
            self.failing.append(key)
            if key in self.reported_keys:
                self.losses.add(where, what.format(outcome=name), _elsewhere())
                yield _CheckMove(name, "end", None, {})

    def _iterations(self, key: str, step: JsonObject) -> tuple[int, int]:
        numbers = object_of(step.get("iterations"))
        least, most = (
            max(1, number) if isinstance(number := numbers.get(name), int) and not isinstance(number, bool) else 1
            for name in ("min", "max")
        )
        for name, number in numbers.items():
            if name not in {"min", "max"} or (isinstance(number, int) and number > 1):
                why = _("runners with gates don't count the runs of a step; kept as x-iterations")
                self.losses.add(in_step(key, "iterations", name), f"iterations.{name}: {number}", why)
        return least, most

    def _put(
        self,
        key: str,
        begin: JsonObject,
        rules_made: list[tuple[str, str, JsonObject]],
        extra: JsonObject,
        check: JsonObject,
    ) -> None:
        step_id: str = begin["stepId"]
        rules = {intent: rule for _word, intent, rule in rules_made}
        self.intents |= {(key, word): intent for word, intent, _rule in rules_made}
        made: JsonObject = {
            **begin,
            "uvVariables": [],
            "usesStdin": False,
            "outputSchemaRef": {"file": self.schema_file, "schema": step_id},
            "structuredGate": {
                "allowedIntents": list(rules),
                "intentSchemaRef": intent_ref(FIELD),
                "intentField": FIELD,
                "handoffFields": [],
            },
            "transitions": rules,
        }
        self.steps[step_id] = {**made, **{_aside(name): inner for name, inner in extra.items()}}
        self.schemas[step_id] = answer_schema(step_id, [(intent, word) for word, intent, _rule in rules_made], check)

    def _close(self) -> None:
        ref: JsonObject = {"file": self.schema_file, "schema": CLOSURE}
        name = _("Closing: {topic}").format(topic=_TOPIC)
        self.steps[CLOSURE] = closure_step(CLOSURE, _TOPIC, name, FIELD, ref)
        self.schemas[CLOSURE] = answer_schema(CLOSURE, [("closing", "complete"), ("repeat", "again")], {})
        self.prompts.append(NewPrompt(CLOSURE, None, name))

    def _report_unknown(self, key: str, extra: JsonObject, *inside: str) -> None:
        for name in extra:
            if not name.startswith("x-"):
                if name in _MADE:
                    self._report_aside(in_step(key, *inside, name), name)
                    continue
                why = _("the key is kept, but runners with gates don't read it")
                self.losses.add(in_step(key, *inside, name), _("“{word}”").format(word=name), why)

    def _report_aside(self, pointer: str, name: str) -> None:
        """Report a key that no runner of checks has read, and that has a meaning for those of gates."""
        why = _("it is kept as {key}: the key has another value now").format(key=f"x-{name}")
        self.losses.add(pointer, _("“{word}”").format(word=name), why)


def answer_schema(step_id: str, intents: list[tuple[str, str]], check: JsonObject) -> JsonObject:
    """The schema of a step's answers: its intents, each with the word of old, and what the check's answer had."""
    meanings = "; ".join(f"{intent}: {word}" for intent, word in intents)
    properties: JsonObject = {"stepId": {"const": step_id}}
    for name, extras in object_of(check.get("responseFormat")).items():
        properties.setdefault(name, _schema_of(extras))
    listed = list(dict.fromkeys(intent for intent, _word in intents))
    properties["next_action"] = {
        "type": "object",
        "required": ["action"],
        "properties": {
            "action": {"type": "string", "enum": listed, "description": meanings},
            "reason": {"type": "string"},
        },
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "required": ["stepId", "next_action"],
        "properties": properties,
        "additionalProperties": False,
    }


def _schema_of(extras: JsonValue) -> JsonObject:
    if isinstance(extras, str) and "|" in extras:
        return {"type": "string", "enum": [word.strip() for word in extras.split("|")]}
    if isinstance(extras, str) and extras in {"string", "number", "integer", "boolean", "array", "object"}:
        return {"type": extras}
    return {"type": "string", "description": extras} if isinstance(extras, str) else {}


def _aside(name: str) -> str:
    """The key of something of the file's own: where a conversion gives that key a meaning, another."""
    return f"x-{name}" if name in _MADE else name


def _elsewhere() -> str:
    return _("the run could only stop there; now it can continue to “{closure}”").format(closure=CLOSURE)


def _free(wish: str, taken: set[str]) -> str:
    number, found = 1, wish
    while found in taken:
        number += 1
        found = f"{wish}.{number}"
    return found
