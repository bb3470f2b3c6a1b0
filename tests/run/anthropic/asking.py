"""A step asked of a responder, without a registry."""

from typing import Any

from stepflow_gui.run.effects import ResponderQuery
from stepflow_gui.run.machine.state import Query, State
from stepflow_gui.run.prompts.prompt_result import PromptResult
from stepflow_gui.run.responders.anthropic_key import Key
from stepflow_gui.run.responders.anthropic_progress import Progress
from stepflow_gui.run.responders.anthropic_responder import AnthropicResponder
from stepflow_gui.run.responders.anthropic_settings import ModelSettings, read_settings
from tests.run.anthropic.messages_api import Api

SECRET = "sk-ant-a-key-that-nobody-may-see-0123456789"
STRICT: dict[str, Any] = {
    "type": "object",
    "required": ["stepId", "next_action"],
    "additionalProperties": False,
    "properties": {
        "stepId": {"const": "initial.issue"},
        "next_action": {
            "type": "object",
            "required": ["action"],
            "additionalProperties": False,
            "properties": {"action": {"type": "string", "enum": ["next", "repeat"]}},
        },
    },
}
LOOSE = STRICT | {"properties": STRICT["properties"] | {"summary": {"type": "string", "maxLength": 20}}}
GOOD = {"stepId": "initial.issue", "next_action": {"action": "next"}}


def settings(api: Api, **more: Any) -> ModelSettings:
    found = read_settings()
    assert isinstance(found, ModelSettings)
    changed: dict[str, Any] = {"base_url": api.url, "pace": 0.01} | more
    return found._replace(**changed)


class Heard(list[Progress]):
    """What a listener received."""

    def of(self, kind: type) -> list[Any]:
        return [each for each in self if isinstance(each, kind)]


def responder(api: Api, heard: Heard | None = None, *, stream: bool = True, **more: Any) -> AnthropicResponder:
    own = {key: more.pop(key) for key in ("system", "max_cost", "key", "apart") if key in more}
    own.setdefault("key", Key(SECRET, "environment"))
    listener = heard.append if heard is not None else None
    return AnthropicResponder(settings(api, **more), listener=listener, stream=stream, **own)


def asked(
    schema: dict[str, Any] | None = STRICT, prompt: str | None = "Look at issue 7.", model: str = "opus"
) -> ResponderQuery:
    return ResponderQuery(Query("initial.issue", 1, None), PromptResult(prompt, "file"), schema, model, "plan")


NOWHERE = State()
