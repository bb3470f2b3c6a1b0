"""A registry with `complete` intents as one whose closure steps close the run (formats.md, renames over time).

The steps `complete.*` are expected under their new ids, `closure.*`.
"""

import copy
from collections.abc import Iterator, Mapping

from stepflow_gui.flow.reach import reached, turned
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
    renamed_key,
    retargeted,
    targets_of,
    targets_of_step,
    with_kind,
)
from stepflow_gui.formats.converting.topics import topic_of
from stepflow_gui.formats.converting.validation_keys import with_newer_keys
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue

OLDER, NEWER = "complete.", "closure."
_POINTER = "#/definitions/"
_INTENTS = ("next", "repeat", "jump", "complete", "abort")


def newer_id(step_id: str) -> str:
    """A step's id as steps that close are called."""
    return NEWER + step_id.removeprefix(OLDER) if step_id.startswith(OLDER) else step_id


def to_closing(value: JsonObject, verdict: str | None, schema_file: str) -> ConvertedRegistry:
    """The registry with closure steps. `verdict` is the agent's own type, by the name that agent.json has for it.

    `schema_file` is the file that steps name which had no output schema.
    """
    return _Converting(copy.deepcopy(value), schema_file).made(verdict)


class _Converting:
    def __init__(self, value: JsonObject, schema_file: str) -> None:
        self.value = value
        self.steps = object_of(value.get("steps"))
        self.schema_file = schema_file
        self.losses = Losses()
        self.renamed: dict[str, str] = {}
        self.intents: dict[tuple[str, str], str] = {}
        self.new: dict[str, JsonObject] = {}
        self.stopping: dict[str, str] = {}  # steps with an answer that ended the run badly -> where intents stand
        self.closures = {step_id for step_id in self.steps if step_id.startswith(NEWER)}
        self.closures |= {step_id for step_id in self.steps if self._only_completes(step_id)}

    def made(self, verdict: str | None) -> ConvertedRegistry:
        for step_id, step in self.steps.items():
            if isinstance(step, dict) and not step_id.startswith("section."):
                self._step(step_id, step)
        self._hand_off()
        for step_id, step in self.new.items():
            self.steps[step_id] = step
        rename_entries(self.value, verdict, self.losses, self.renamed)
        made = with_newer_keys(self.value, self._newer_check, self.losses, self.renamed)
        steps: dict[str, tuple[str, ...]] = {key: (key,) for key in self.steps if key not in self.new}
        prompts = tuple(NewPrompt(step_id, None, step["name"]) for step_id, step in self.new.items())
        return ConvertedRegistry(made, self.renamed, tuple(self.losses.found), steps, self.intents, prompts)

    def _newer_check(self, key: str) -> str:
        """The key of a validation step: it goes along with a closure step that is made for it."""
        return newer_id(key) if newer_id(key) in self.new else key

    def _only_completes(self, step_id: str) -> bool:
        """Whether a step can only answer that it is done, which goes back to itself."""
        step = object_of(self.steps[step_id])
        gate = object_of(step.get("structuredGate"))
        allowed = set(_words(gate.get("allowedIntents")))
        rules = object_of(step.get("transitions"))
        return "complete" in allowed <= {"complete", "repeat", "abort"} and targets_of(rules.get("complete")) == [
            step_id
        ]

    def _step(self, step_id: str, step: JsonObject) -> None:
        gate = step.get("structuredGate")
        if not isinstance(gate, dict):
            if "check" in step:
                why = _("a flow with gates has no checks: it is kept, but no runner reads it")
                self.losses.add(in_step(step_id, "check"), _("the check of {step}").format(step=step_id), why)
            return
        closes = step_id in self.closures
        if closes and not step_id.startswith(NEWER):
            self.losses.add(
                in_step(step_id, "transitions", "complete"),
                _("“complete” of {step}").format(step=step_id),
                _("it went back to the step itself; as a closure step it ends the run"),
            )
        field = self._field(step_id, gate)
        moves = self._closing_moves(step_id, step) if closes else self._working_moves(step_id, step, field)
        found: dict[str, tuple[str, JsonObject | None]] = dict(moves)
        listed = _words(gate.get("allowedIntents"))
        self._report_unread(step_id, listed)
        allowed = list(dict.fromkeys(found[word][0] for word in listed if word in found))
        allowed += self._exit(step_id, closes, allowed, found)
        self.intents |= {(step_id, word): intent for word, (intent, _rule) in found.items()}
        step["structuredGate"] = self._gate(step_id, gate, field, allowed)
        step["transitions"] = self._rules(step_id, step, found)
        step["outputSchemaRef"] = self._schema(step_id, step.get("outputSchemaRef"))
        self.steps[step_id] = with_kind(step, "closure" if closes else "work")

    def _exit(
        self, step_id: str, closes: bool, allowed: list[str], found: dict[str, tuple[str, JsonObject | None]]
    ) -> list[str]:
        """Additional intents of a step, where none of its former ones goes on."""
        if closes and "closing" not in allowed:
            found.setdefault("complete", ("closing", {"target": None}))
            why = _("no answer of the step ended the run successfully; now “closing” does")
            self.losses.add(in_step(step_id, "structuredGate", "allowedIntents"), f"allowedIntents: {step_id}", why)
            return ["closing"]
        if not allowed:
            found.setdefault("repeat", ("repeat", {"target": step_id}))
            why = _("no intent is left for the step; now it has “repeat”")
            self.losses.add(in_step(step_id, "structuredGate", "allowedIntents"), f"allowedIntents: {step_id}", why)
            return ["repeat"]
        return []

    def _closing_moves(self, step_id: str, step: JsonObject) -> Iterator[tuple[str, tuple[str, JsonObject | None]]]:
        rules = object_of(step.get("transitions"))
        for word in _intents_of(step):
            rule = object_of(rules.get(word))
            if word == "abort":
                self._abort(step_id, rules)
            elif word == "repeat":
                targets = targets_of(rule)
                others = {target for target in targets if target != step_id}
                if others & {None, *self.closures}:
                    self._lost_rule(step_id, word, _("a closure step repeats itself or a work step"))
                    rule = {"target": step_id}
                yield word, ("repeat", rule or {"target": step_id})
            else:
                if any(target not in {None, step_id} for target in targets_of(rule)):
                    self._lost_rule(step_id, word, _("any answer of such a step except “repeat” ends the run"))
                extra = {key: each for key, each in rule.items() if key not in {"target", "condition", "targets"}}
                yield word, ("closing", {"target": None, **extra})

    def _working_moves(
        self, step_id: str, step: JsonObject, field: str
    ) -> Iterator[tuple[str, tuple[str, JsonObject | None]]]:
        rules = object_of(step.get("transitions"))
        taken: dict[str, JsonObject | None] = {}
        for word in sorted(_intents_of(step), key=lambda of_step: of_step == "complete"):
            if word == "abort":
                self._abort(step_id, rules)
                self.stopping[step_id] = field
                continue
            rule = object_of(rules.get(word)) or None
            if word == "repeat":
                if rule is not None and None in targets_of(rule):
                    self._lost_rule(step_id, word, _("“repeat” can’t end a run: it repeats the step"))
                    rule = {"target": step_id}
            elif word == "next" and rule is None:  # which the router would make up
                following = f"continuation.{step_id.removeprefix('initial.')}"
                if step_id.startswith("initial.") and following in self.steps:
                    rule = {"target": following}
            elif word == "complete" or rule is not None:
                rule = self._closed(step_id, step, word, rule, field)
            named = word == "jump" and "targetField" in object_of(step.get("structuredGate"))  # the answer names it
            if rule is None and not named and word != "repeat" and not self._goes_on(step_id):
                self._lost_rule(step_id, word, _("it had no transition, and the run stopped there"))
                self.stopping[step_id] = field
                continue
            intent = word if named else self._intent(word, rule, taken)
            if rule is not None and "target" not in rule and intent in {None, "handoff"}:
                intent, rule = self._without_condition(step_id, word, rule, taken)
            if intent is None:
                self._lost_rule(step_id, word, _("the step’s other intents have other targets, and no intent is left"))
                continue
            taken[intent] = rule
            yield word, (intent, rule)

    def _goes_on(self, step_id: str) -> bool:
        """Whether the router itself knows the target of a step that doesn't name it."""
        return step_id.startswith("initial.") and f"continuation.{step_id.removeprefix('initial.')}" in self.steps

    def _without_condition(
        self, step_id: str, word: str, rule: JsonObject, taken: Mapping[str, JsonObject | None]
    ) -> tuple[str | None, JsonObject]:
        """A transition as `handoff`, without a condition: to its first closure step; None where the word isn't free."""
        cases = object_of(rule.get("targets"))
        targets = [cases.get("default"), *cases.values()]
        target = next((each for each in targets if each in self.closures or each in self.new), None)
        plain = {key: inner for key, inner in rule.items() if key not in {"condition", "targets"}} | {"target": target}
        if target is None or taken.get("handoff", plain) != plain:
            return None, rule
        why = _("“handoff” can’t depend on a condition: now it always goes to “{closure}”").format(closure=target)
        self._lost_rule(step_id, word, why)
        return "handoff", plain

    def _hand_off(self) -> None:
        """Add a handoff to a closure step where a run could only end badly, if no other path goes to one."""
        everything = self.steps | self.new
        graph = {step_id: targets_of_step(step) for step_id, step in everything.items()}
        back = turned(graph)
        closing = reached([*self.closures, *self.new], back)
        for step_id, field in self.stopping.items():
            if step_id in closing:
                continue
            step = self.steps[step_id]
            closure = NEWER + (step_id.partition(".")[2] or step_id)
            if closure not in self.steps and closure not in self.new:
                self._close(closure, step, field)
            step["structuredGate"]["allowedIntents"].append("handoff")
            step["transitions"]["handoff"] = {"target": closure}
            self.losses.add(
                in_step(step_id, "structuredGate", "allowedIntents"),
                _("the end of {step}").format(step=step_id),
                _("the run could only stop there; now it can continue to “{closure}”").format(closure=closure),
            )
            closing |= reached([step_id], back)

    def _intent(self, word: str, rule: JsonObject | None, taken: Mapping[str, JsonObject | None]) -> str | None:
        """Today's intent for a transition: `handoff` into closure steps, else as before; None where none is free."""
        closing = [target in self.closures or target in self.new for target in targets_of(rule)]
        hands = bool(closing) and all(closing) and word != "repeat"
        plain = hands and "target" in object_of(rule)  # a handoff that depends on a condition isn't read by all
        wishes = [*(["handoff"] if plain else []), *(["jump", "next"] if word == "complete" else [word])]
        wishes += ["handoff"] if hands and word == "complete" else []
        return next((wish for wish in wishes if wish not in taken or taken[wish] == rule), None)

    def _closed(self, step_id: str, step: JsonObject, word: str, rule: JsonObject | None, field: str) -> JsonObject:
        """A transition whose ends are closure steps."""
        domain = step_id.partition(".")[2] or step_id
        if rule is None or not targets_of(rule):
            rule = {**(rule or {}), "target": f"{NEWER}{domain}"}
        for target in targets_of(rule):
            itself = word == "complete" and target == step_id
            known = target in self.steps or (word != "complete" and not (target or "").startswith(OLDER))
            if target is not None and known and not itself:
                continue
            closure = newer_id(target) if target is not None else ""
            if itself or not closure.startswith(NEWER):
                closure = NEWER + domain
            if closure not in self.steps and closure not in self.new:
                self._close(closure, step, field)
            self.losses.add(
                in_step(step_id, "transitions", word),
                _("“{intent}” of {step}").format(intent=word, step=step_id),
                _("it ended the run at once; now “{closure}” runs before the end").format(closure=closure)
                if target is None
                else _("it went back to the step itself; now “{closure}” runs before the end").format(closure=closure)
                if itself
                else _("it had no target; now it goes to the new step “{closure}”").format(closure=closure),
            )
            rule = retargeted(rule, target, closure)
        return rule

    def _close(self, closure: str, step: JsonObject, field: str) -> None:
        domain = closure.removeprefix(NEWER)
        ref = object_of(step.get("outputSchemaRef")).get("file")
        schema: JsonObject = {"file": ref if isinstance(ref, str) and ref else self.schema_file, "schema": closure}
        name = _("Closing: {topic}").format(topic=domain)
        self.new[closure] = closure_step(closure, topic_of(domain), name, field, schema)

    def _abort(self, step_id: str, rules: JsonObject) -> None:
        self.losses.add(
            in_step(step_id, "transitions", "abort") if "abort" in rules else in_step(step_id, "structuredGate"),
            _("“abort” of {step}").format(step=step_id),
            _("a step of a known kind can’t list it, so the schema doesn’t offer it any more"),
        )

    def _lost_rule(self, step_id: str, word: str, why: str) -> None:
        pointer = in_step(step_id, "transitions", word)
        self.losses.add(pointer, _("“{intent}” of {step}").format(intent=word, step=step_id), why)

    def _report_unread(self, step_id: str, listed: list[str]) -> None:
        """Report words that an answer may have used, and that no gate looks for."""
        where = in_step(step_id, "structuredGate", "allowedIntents")
        for word in listed:
            if word not in _INTENTS:
                why = _("no answer was ever read as this word, so it is no longer listed")
                self.losses.add(where, _("“{intent}” of {step}").format(intent=word, step=step_id), why)

    def _field(self, step_id: str, gate: JsonObject) -> str:
        field = gate.get("intentField")
        if isinstance(field, str) and field:
            return field
        self.losses.add(
            in_step(step_id, "structuredGate"),
            _("the gate of {step}").format(step=step_id),
            _("it guessed where the intent is; now it reads “{field}”").format(field=FIELD),
        )
        return FIELD

    def _gate(self, step_id: str, gate: JsonObject, field: str, allowed: list[str]) -> JsonObject:
        made: JsonObject = {}
        for key, inner in gate.items():
            if key == "fallbackIntent" and isinstance(inner, str):
                today = self.intents.get((step_id, inner))
                if today is None or today not in allowed:
                    why = _("the step no longer has this intent")
                    self.losses.add(in_step(step_id, "structuredGate", key), f"fallbackIntent: {inner}", why)
                    continue
                made[key] = today
                self.losses.add(
                    "/steps",
                    _("what a fallbackIntent replaces"),
                    _("an answer without a usable intent stops the run, unless failFast is set to false"),
                )
            elif key == "allowedIntents":
                made[key] = allowed
            elif key == "intentField":
                made["intentSchemaRef"] = gate.get("intentSchemaRef", intent_ref(field))
                made[key] = field
            elif key not in {"intentSchemaRef", "failFast"}:
                made[key] = inner
        made.setdefault("intentSchemaRef", intent_ref(field))
        made.setdefault("intentField", field)
        return made

    def _rules(self, step_id: str, step: JsonObject, found: Mapping[str, tuple[str, JsonObject | None]]) -> JsonObject:
        made: JsonObject = {}
        rules = object_of(step.get("transitions"))
        where = in_step(step_id, "transitions")
        for word, rule in rules.items():
            if word not in found:
                if word not in _INTENTS:
                    made[word] = rule  # a key of the file's own
                continue
            intent, today = found[word]
            if intent not in made:
                if intent != word and intent not in rules:
                    renamed_key(self.renamed, where, word, intent)
                made[intent] = today
        for intent, rule in found.values():
            if rule is not None:
                made.setdefault(intent, rule)
        return made

    def _schema(self, step_id: str, ref: JsonValue) -> JsonObject:
        made = dict(object_of(ref))
        if not isinstance(made.get("file"), str) or not made["file"]:
            made["file"] = self.schema_file
        name = made.get("schema")
        if not isinstance(name, str) or not name:
            made["schema"] = step_id
        elif name.startswith(_POINTER) and "/" not in name.removeprefix(_POINTER):
            made["schema"] = name.removeprefix(_POINTER)
        return made


def _intents_of(step: JsonObject) -> list[str]:
    """The intents that a step allows or has a transition for."""
    allowed = _words(object_of(step.get("structuredGate")).get("allowedIntents"))
    return [word for word in dict.fromkeys([*allowed, *object_of(step.get("transitions"))]) if word in _INTENTS]


def _words(value: JsonValue) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
