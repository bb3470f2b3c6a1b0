"""The verdict: when a run is over by the agent's own measure (runtime-semantics 0a and 11)."""

from collections.abc import Mapping
from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.agent.agent_file import AgentDefinition
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES
from stepflow_gui.text.json.tree import JsonValue

DEFAULT_TYPE = "count:iteration"  # of an agent.json that names none
COMPLETION_LIMIT = 10  # iterations of count:iteration, where the config has no limit
SAFETY_LIMIT = 20  # iterations of all other types
DEFAULT_CHECKS = 10
DEFAULT_KEYWORD = "TASK_COMPLETE"
_EXTERNAL = frozenset({"poll:state", "meta:custom"})
_DEEPEST = 20  # composites inside composites
_ENDLESS = 10**9
_CONFIGS = ("/runner/verdict/config", "/runner/completion/config", "/behavior/completionConfig")


class Verdict(NamedTuple):
    """The verdict's type, None where there is no agent.json, and its config as written in the file.

    `type` is today's name; `named` the file's, where that is an older one.
    """

    type: str | None = None
    config: Mapping[str, JsonValue] = {}
    named: str | None = None

    @property
    def limit(self) -> int:
        """How many iterations a run has at most."""
        fallback = COMPLETION_LIMIT if self.type == DEFAULT_TYPE else SAFETY_LIMIT
        return self.number("maxIterations", fallback)

    def limit_in(self, era: Era) -> int:
        """The same in an era: upstream's defaults give every type the limit of count:iteration."""
        if era.checks is not None:
            return era.checks.total
        if era.limit_of_others is not None and self.type != DEFAULT_TYPE:
            return era.limit_of_others
        return self.number("maxIterations", COMPLETION_LIMIT) if era.fills_every_limit else self.limit

    def number(self, key: str, fallback: int) -> int:
        """A number of the config that counts something; where it is none that can, the fallback."""
        return _count(self.config, key, fallback)

    @property
    def is_external(self) -> bool:
        """Whether something outside the answers decides, which a person or a script must provide."""
        return self.type in _EXTERNAL or any(member.type in _EXTERNAL for member in self.members)

    def reached(
        self, iteration: int, answer: JsonValue, texts: tuple[str, ...] | None, external: bool, depth: int = 0
    ) -> bool:
        """Whether the run is over after this iteration. `external`: the outside's verdict, by the person or script."""
        match self.type:
            case "count:iteration":
                return iteration >= self.limit
            case "count:check":
                return iteration >= _count(self.config, "maxChecks", DEFAULT_CHECKS)
            case "detect:keyword":
                keyword = self.config.get("verdictKeyword")
                keyword = keyword if isinstance(keyword, str) else DEFAULT_KEYWORD
                return any(keyword in text for text in texts or ())
            case "detect:structured":
                return isinstance(answer, dict) and self._signalled(answer)
            case "detect:graph":
                return isinstance(answer, dict) and (
                    answer.get("status") == "completed" or answer.get("complete") is True
                )
            case "meta:composite":
                found = (
                    depth < _DEEPEST and member.reached(iteration, answer, texts, external, depth + 1)
                    for member in self.members
                )
                return all(found) if self.config.get("operator") == "and" else any(found)
        return external

    def _signalled(self, answer: dict[str, JsonValue]) -> bool:
        wanted = self.config.get("signalType")
        signalled = isinstance(wanted, str) and wanted in (answer.get("type"), answer.get("signal"))
        if not signalled and answer.get("status") != "completed" and answer.get("result") != "complete":
            return False
        required = self.config.get("requiredFields")
        if isinstance(required, list):
            return all(field in answer for field in required if isinstance(field, str))
        if isinstance(required, dict):
            return all(key in answer and answer[key] == value for key, value in required.items())
        return True

    @property
    def first_member(self) -> "Verdict":
        """The verdict whose handler speaks for a composite; the verdict itself where it is none."""
        found = self
        for _depth in range(_DEEPEST):
            if found.type != "meta:composite" or not found.members:
                break
            found = found.members[0]
        return found

    @property
    def members(self) -> "list[Verdict]":
        """The verdicts that a composite puts together, in their order."""
        conditions = self.config.get("conditions") if self.type == "meta:composite" else None
        if not isinstance(conditions, list):
            return []
        members = []
        for condition in conditions:
            if isinstance(condition, dict) and isinstance(condition.get("type"), str):
                config = condition.get("config")
                members.append(_named(condition["type"], config if isinstance(config, dict) else {}))
        return members


NO_VERDICT = Verdict()


def verdict_of(agent: AgentDefinition | None) -> Verdict:
    """The verdict that an agent.json declares, with the documents' defaults."""
    if agent is None:
        return Verdict()
    found = (agent.document.tree.at(pointer) for pointer in _CONFIGS)
    config = next((node.value for node in found if node and isinstance(node.value, dict)), {})
    return _named(agent.verdict_type.value if agent.verdict_type else DEFAULT_TYPE, config)


def entry_of(flow: Flow, verdict: Verdict) -> str | None:
    """The entry step for a verdict, by the file's own name of it or today's; may be dangling."""
    return flow.entry_target(_mapped(flow, verdict))


def _mapped(flow: Flow, verdict: Verdict) -> str | None:
    if flow.format == "checks":  # whose runner reads no mapping
        return None
    keys = {entry.key for entry in flow.entries if not entry.continuation}
    return next((key for key in (verdict.named, verdict.type) if key is not None and key in keys), None)


def _named(name: str, config: Mapping[str, JsonValue]) -> Verdict:
    today = OLDER_VERDICT_TYPES.get(name, name)
    return Verdict(today, config, None if today == name else name)


def _count(config: Mapping[str, JsonValue], key: str, fallback: int) -> int:
    value = config.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 1 <= value < _ENDLESS:
        return fallback
    return int(value)
