"""Pieces and workflows of any release of TAKT, made by chance: sound ones, and mistakes in them."""

import copy
import random
from collections.abc import Callable
from typing import Any

from stepflow_gui.formats.takt.releases.places import row_at
from stepflow_gui.formats.takt.releases.sets import Releases, between, since
from stepflow_gui.formats.takt.releases.table import VALUES
from tests.fuzz.differential.mistaking import wrong_key, wrong_value

Json = dict[str, Any]

FILE, CHILD = "{folder}/demo.yaml", "{folder}/part.yaml"
_NAMES = ("plan", "write", "review", "mend", "close")
_RESULTS = ("done", "stuck", "again", "approved")
_WORKFLOWS = since("0.36.0")
_LIMITLESS = between("0.55.0", "0.55.1")  # they refuse a callable workflow with a limit of its own

_OF_STEPS: tuple[tuple[str, Any], ...] = (
    *(("edit", True), ("pass_previous_response", False), ("allowed_tools", ["Read"]), ("provider", "claude")),
    *(("model", "big"), ("session", "refresh"), ("quality_gates", ["Tests pass."]), ("tags", ["a"])),
    *(("policy", ["Be brief."]), ("knowledge", "All of it."), ("persona_name", "Someone"), ("description", "What.")),
    *(("session_key", "a"), ("requires_user_input", True), ("allow_git_commit", True), ("completion_retry", {})),
    *(("structured_output", {"schema_ref": "answer"}), ("delay_before_ms", 10), ("vars", {"a": "b"})),
    *(("provider_options", {"codex": {"network_access": True}}), ("promotion", [{"at": 2}]), ("mcp", True)),
)
"""What an agent's step may have besides; a step gets those that its release reads."""
_OF_SUBS = ("edit", "provider", "model", "quality_gates", "policy", "knowledge", "tags", "session_key", "persona_name")
_AT_TOP: tuple[tuple[str, Any], ...] = (
    *(("description", "What it does."), ("interactive_mode", "quiet"), ("personas", {"coder": "You write."})),
    *(("policies", {"brief": "Be brief."}), ("knowledge", {"all": "All."}), ("schemas", {"answer": "answer"})),
    *(("piece_config", {"provider_options": {}}), ("workflow_config", {"runtime": {"prepare": ["node"]}})),
)
_WORDS = (
    *("plan", "write", "review", "COMPLETE", "ABORT", "nowhere", "done", 'all("done")', 'any("done", "stuck")'),
    *('ai("is it done?")', "when(true)", "when(", "all()", "a && b", "context.a == 1", "readonly", "full", "edit"),
    *("system", "agent", "workflow_call", "claude", "opencode", "auto", "compact", "continue", "infinite", "quiet"),
    *("steps", "movements", "initial_step", "initial_movement", "max_steps", "max_movements", "max_iterations"),
    *("persona", "agent", "instruction", "instruction_template", "when", "return", "next", "condition", "kind", "mode"),
    *("permission_mode", "required_permission_mode", "report", "output_contracts", "callable", "returns", "part"),
)
_ADDED: dict[str, tuple[tuple[str, Any], ...]] = {
    "step": (
        *_OF_STEPS,
        *(("kind", "system"), ("kind", "workflow_call"), ("kind", "none"), ("mode", "system"), ("mode", "sysstem")),
        *(("call", "part"), ("args", {"a": "b"}), ("effects", [{"type": "merge_pr", "pr": 1}]), ("overrides", {})),
        *(("parallel", []), ("team_leader", {"max_parts": 2}), ("team_leader", {"max_parts": 9}), ("arpeggio", {})),
        *(("permission_mode", "edit"), ("permission_mode", "default"), ("required_permission_mode", "none")),
        *(("instruction_template", "Do it."), ("instruction", ["a", "b"]), ("agent", "a.md"), ("report", "plan.md")),
        *(("transitions", [{"condition": "done", "next_step": "COMPLETE"}]), ("on_no_status", "stay"), ("uses", "x")),
        *(("mcp_servers", {"a": {"command": "x"}}), ("quality_gates", [{"type": "command", "command": "make"}])),
        *(("companion", {}), ("dynamic_facets", {}), ("capabilities", ["read"]), ("concurrency", 2), ("persona", "")),
        *(("output_contracts", {"report": [{"name": "a.md", "format": "As."}]}), ("session", "new"), ("promotion", [])),
        *(("output_contracts", {"report": [{"Plan": "plan.md"}]}), ("output_contracts", []), ("model", None)),
    ),
    "rule": (
        *(("when", "true"), ("return", "ok"), ("next_step", "COMPLETE"), ("requires_user_input", True)),
        *(("interactive_only", True), ("appendix", "Say why."), ("interactive_only", "yes"), ("comment", "x")),
    ),
    "top": (
        *_AT_TOP,
        *(("max_steps", "infinite"), ("max_steps", "9"), ("permission_mode", "edit"), ("provider", "claude")),
        *(("answer_agent", "a"), ("agents", {}), ("finding_contract", {}), ("auto_routing", {}), ("all_steps", {})),
        *(("subworkflow", {"callable": True}), ("subworkflow", {"returns": ["ok"]}), ("extra", 1), ("x-own", 1)),
        *(("rate_limit_fallback", {}), ("capabilities", {}), ("facet_pools", {}), ("mcp_servers", {})),
        *(("steps", []), ("movements", [{"name": "x"}]), ("max_movements", 5), ("max_iterations", 0)),
    ),
    "monitor": (("threshold", 0), ("threshold", "3"), ("ignore_steps", ["none"]), ("extra", 1)),
    "judge": (("agent", "a"), ("instruction_template", "See."), ("provider", "claude"), ("session_key", "x")),
}


def sound_piece(release: str, chance: random.Random) -> dict[str, Json]:
    """Files of a piece that a release loads and reads in full: the piece, and a workflow that it calls."""
    return _Maker(between(release, release), chance).files()


class _Maker:
    def __init__(self, release: Releases, chance: random.Random) -> None:
        self._release = release
        self._chance = chance
        old = self._has(between("0.1.1", "0.3.9"))
        both = self._has(between("0.34.0", "0.35.4"))
        steps = old or self._has(_WORKFLOWS) or (both and chance.random() < 0.5)
        self.steps, self.initial = ("steps", "initial_step") if steps else ("movements", "initial_movement")
        caps = ("max_iterations", "max_movements", "max_steps")
        self._limit = chance.choice([cap for cap in caps if self._reads("top", cap)])
        self._results = self._has(since("0.3.0"))
        self._calls = False

    def _has(self, releases: Releases) -> bool:
        return bool(self._release & releases)

    def _reads(self, level: str, key: str) -> bool:
        found = row_at(level, key)
        return found is not None and bool(found.read & self._release)

    def files(self) -> dict[str, Json]:
        chance = self._chance
        names = list(_NAMES[: chance.choice((1, 2, 2, 3, 4))])
        piece: Json = {"name": "demo", self.initial: names[0], self._limit: chance.choice((3, 10))}
        for key, value in _AT_TOP:
            if key == "workflow_config" and "piece_config" in piece:
                continue  # releases that know both want them to agree
            if chance.random() < 0.15 and self._reads("top", key) and (key == "schemas") <= self._has(_WORKFLOWS):
                piece[key] = copy.deepcopy(value)
        if self._has(since("0.37.0")) and chance.random() < 0.2 and not self._has(_LIMITLESS):
            piece["subworkflow"] = {"callable": True, "returns": ["ok"]}
        piece[self.steps] = [self._step(name, names, piece) for name in names]
        if self._has(since("0.7.0-alpha.1")) and len(names) > 1 and chance.random() < 0.4:
            piece["loop_monitors"] = [self._monitor(names)]
        return {FILE: piece, **({CHILD: self._child()} if self._calls else {})}

    def _step(self, name: str, names: list[str], piece: Json) -> Json:
        chance = self._chance
        kind = chance.choice(("agent", "agent", "agent", "parallel", "system", "call"))
        if kind == "call" and self._has(_WORKFLOWS):
            self._calls = True
            rules = [{"condition": result, "next": chance.choice((*names, "COMPLETE"))} for result in self._returned()]
            return {"name": name, "kind": "workflow_call", "call": "part", "rules": rules}
        if kind == "system" and self._has(_WORKFLOWS):
            rules = [{"condition": self._state(), "next": chance.choice((*names, "COMPLETE"))}]
            return {"name": name, "mode": "system", "effects": [{"type": "merge_pr", "pr": 1}], "rules": rules}
        if kind == "parallel" and self._results:
            subs = [self._agents(f"{name}-{part}", _OF_SUBS, "sub") for part in ("a", "b")]
            for sub in subs:
                sub["rules"] = [{"condition": "done"}, {"condition": "stuck"}]
            rules = [{"condition": 'all("done")', "next": chance.choice((*names, "COMPLETE"))}]
            rules.append({"condition": 'any("stuck")', "next": chance.choice((*names, "ABORT"))})
            return {"name": name, "parallel": subs, "rules": rules}
        step = self._agents(name, tuple(key for key, _value in _OF_STEPS), "step")
        if not self._results:
            step["transitions"] = [{"condition": "done", "next_step": chance.choice((*names, "COMPLETE"))}]
            return step
        results = chance.sample(_RESULTS, chance.choice((1, 2, 2, 3)))
        step["rules"] = [{"condition": each, "next": chance.choice((*names, "COMPLETE", "ABORT"))} for each in results]
        if "subworkflow" in piece and chance.random() < 0.3:
            step["rules"][-1] = {"condition": results[-1], "return": "ok"}
        return step

    def _agents(self, name: str, keys: tuple[str, ...], level: str) -> Json:
        """A step, or sub-step, that an agent works on."""
        chance = self._chance
        persona = "persona" if self._reads("step", "persona") else "agent"
        step: Json = {"name": name, persona: "You write.", "instruction": "Write {task}."}
        for key, value in _OF_STEPS:
            if key in keys and chance.random() < 0.12 and self._fits(key, level):
                step[key] = copy.deepcopy(value)
        if self._has(since("0.17.0")) and chance.random() < 0.25:
            step["output_contracts"] = {"report": [{"name": f"{name}.md", "format": "As you like it."}]}
        return step

    def _fits(self, key: str, level: str) -> bool:
        if key in {"vars", "structured_output", "promotion", "mcp", "completion_retry", "delay_before_ms"}:
            return False  # which need more beside them
        return self._reads(level, key)

    def _monitor(self, names: list[str]) -> Json:
        persona = "persona" if self._reads("judge", "persona") else "agent"
        rules = [{"condition": "fine", "next": names[0]}, {"condition": "stuck", "next": "ABORT"}]
        judge: Json = {persona: "You judge.", "rules": rules}
        judge["instruction" if self._has(since("0.32.0")) else "instruction_template"] = "Look."
        return {"cycle": names[:2], "threshold": 3, "judge": judge}

    def _returned(self) -> tuple[str, ...]:
        return ("COMPLETE", "ABORT", *(("ok",) if self._has(since("0.37.0")) else ()))

    def _child(self) -> Json:
        head: Json = {"callable": True, **({"returns": ["ok"]} if self._has(since("0.37.0")) else {})}
        rules: list[Json] = [{"condition": "done", "next": "COMPLETE"}]
        rules += [{"condition": "fine", "return": "ok"}] if "returns" in head else []
        step: Json = {"name": "look", "persona": "You look.", "instruction": "Look.", "rules": rules}
        return {"name": "part", "subworkflow": head, "initial_step": "look", self.steps: [step]}

    def _state(self) -> str:
        return "when(true)" if self._has(since("0.50.0")) else "true"


def make_mistake(files: dict[str, Json], chance: random.Random) -> None:
    """Make one mistake in a piece."""
    chance.choices(tuple(_MISTAKES), tuple(_MISTAKES.values()))[0](files, chance)


def _value(files: dict[str, Json], chance: random.Random) -> None:
    wrong_value(files[_one_of(files, chance)], chance, _WORDS)


def _key(files: dict[str, Json], chance: random.Random) -> None:
    wrong_key(files[_one_of(files, chance)], chance, _WORDS)


def _added(files: dict[str, Json], chance: random.Random) -> None:
    """Something is there that doesn't belong there, or not to this release."""
    piece = files[_one_of(files, chance)]
    level = chance.choice(tuple(_ADDED))
    holders = [each for each in _holders(piece, level) if isinstance(each, dict)]
    if holders:
        key, value = chance.choice(_ADDED[level])
        chance.choice(holders)[key] = copy.deepcopy(value)


def _list_word(files: dict[str, Json], chance: random.Random) -> None:
    """A value is another one of those that its key allows."""
    piece = files[_one_of(files, chance)]
    name = chance.choice(sorted(VALUES))
    level, _dot, key = name.partition(".")
    holders = [each for each in _holders(piece, level) if isinstance(each, dict)]
    if holders:
        chance.choice(holders)[key] = chance.choice((*VALUES[name], "none"))


def _twice(files: dict[str, Json], chance: random.Random) -> None:
    """A step or a rule is there twice."""
    piece = files[_one_of(files, chance)]
    lists = [each for each in (_steps(piece), *(step.get("rules") for step in _objects(_steps(piece)))) if each]
    lists = [each for each in lists if isinstance(each, list)]
    if lists:
        chosen = chance.choice(lists)
        chosen.append(copy.deepcopy(chance.choice(chosen)))


def _other_copy(files: dict[str, Json], chance: random.Random) -> None:
    """A step is there twice, and the second isn't as the first."""
    steps = _objects(_steps(files[FILE]))
    if steps:
        copied = copy.deepcopy(chance.choice(steps))
        chance.choice((wrong_value, wrong_key))(copied.get("rules") or copied, chance, _WORDS)
        _steps(files[FILE]).append(copied)


def _one_of(files: dict[str, Json], chance: random.Random) -> str:
    return CHILD if CHILD in files and chance.random() < 0.25 else FILE


def _steps(piece: Json) -> Any:
    return piece.get("steps") or piece.get("movements")


def _objects(value: Any) -> list[Json]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _holders(piece: Json, level: str) -> list[Any]:
    steps = _objects(_steps(piece))
    subs = [sub for step in steps for sub in _objects(step.get("parallel"))]
    monitors = _objects(piece.get("loop_monitors"))
    levels: dict[str, list[Any]] = {
        "top": [piece],
        "step": [*steps, *subs],
        "rule": [rule for step in (*steps, *subs) for rule in _objects(step.get("rules"))],
        "transition": [each for step in steps for each in _objects(step.get("transitions"))],
        "monitor": monitors,
        "judge": [each.get("judge") for each in monitors],
    }
    return levels.get(level, [])


Mistake = Callable[[dict[str, Json], random.Random], None]
_MISTAKES: dict[Mistake, int] = {_value: 30, _key: 10, _added: 25, _list_word: 8, _twice: 4, _other_copy: 4}
