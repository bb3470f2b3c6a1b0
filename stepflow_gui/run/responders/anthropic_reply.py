"""The reply of the Messages API, put together from its stream or taken whole, and the answer that it holds."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.machine.answer_text import json_of
from stepflow_gui.run.responders.anthropic_costs import Usage
from stepflow_gui.run.responders.anthropic_progress import AnswerMode, Delta
from stepflow_gui.run.responders.anthropic_request import TOOL
from stepflow_gui.text.json.tree import JsonValue

_COUNTS = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_read": "cache_read_input_tokens",
    "cache_write": "cache_creation_input_tokens",
}


class Reply(NamedTuple):
    """A reply. `texts` as the model wrote them, `call` what it called the tool with, as JSON; None where it didn't."""

    texts: tuple[str, ...] = ()
    call: str | None = None
    stop: str | None = None
    why: str | None = None  # of a refusal
    usage: Usage = Usage()
    whole: bool = True  # the stream came to its end


class ModelReplyAnswer(NamedTuple):
    """What a reply answers, and what the model wrote beside it. `value` None: nothing structured."""

    value: JsonValue
    texts: tuple[str, ...]

    @property
    def full_text(self) -> str:
        """All of it as one text, for the talk that goes on."""
        structured = "" if self.value is None else json.dumps(self.value, ensure_ascii=False)
        return "\n\n".join(dict.fromkeys(text for text in (*self.texts, structured) if text))


def answer_of(reply: Reply, mode: AnswerMode) -> ModelReplyAnswer:
    """The answer in a reply that was asked for in this mode."""
    if reply.call is not None:
        value = json_of(reply.call)
        return ModelReplyAnswer(None if value is ABSENT else value, reply.texts or (reply.call,))
    if mode == "format":
        value = json_of("".join(reply.texts))
        return ModelReplyAnswer(None if value is ABSENT else value, ("".join(reply.texts),) if reply.texts else ())
    return ModelReplyAnswer(None, reply.texts)


class Collecting:
    """A reply that is being put together. `on_delta` gets each piece as it comes; `mode`: what the pieces are."""

    def __init__(self, mode: AnswerMode, on_delta: Callable[[Delta], None]) -> None:
        self._on_delta = on_delta
        self._structured = mode == "format"
        self._blocks: dict[int, tuple[str, list[str]]] = {}  # kind and pieces by place
        self._stop: str | None = None
        self._why: str | None = None
        self._usage = Usage()
        self._ended = False

    def take(self, event: Any) -> None:
        """One event of the stream; kinds that aren't known are passed over."""
        match getattr(event, "type", None):
            case "message_start":
                self._count(event.message.usage)
            case "content_block_start":
                self._begin(event.index, event.content_block)
            case "content_block_delta":
                self._add(event.index, event.delta)
            case "message_delta":
                self._end(event.delta)
                self._count(event.usage)
            case "message_stop":
                self._ended = True

    def take_whole(self, message: Any) -> None:
        """A reply that wasn't streamed."""
        for index, block in enumerate(message.content):
            self._begin(index, block)
            if block.type == "tool_use":
                self._piece(index, json.dumps(block.input, ensure_ascii=False))
        self._end(message)
        self._count(message.usage)
        self._ended = True

    def reply(self) -> Reply:
        """What has come so far."""
        blocks = [(kind, "".join(pieces)) for _index, (kind, pieces) in sorted(self._blocks.items())]
        texts = tuple(text for kind, text in blocks if kind == "text" and text)
        call = next((text or "{}" for kind, text in blocks if kind == "json"), None)
        return Reply(texts, call, self._stop, self._why, self._usage, self._ended)

    def _begin(self, index: int, block: Any) -> None:
        kind = {"text": "text", "tool_use": "json", "thinking": "thinking"}.get(block.type)
        if kind is None or (kind == "json" and block.name != TOOL):
            return
        self._blocks[index] = (kind, [])
        if kind == "text" and block.text:
            self._piece(index, block.text)

    def _add(self, index: int, delta: Any) -> None:
        for name in ("text", "partial_json", "thinking"):
            piece = getattr(delta, name, None)
            if isinstance(piece, str) and piece:
                self._piece(index, piece)

    def _piece(self, index: int, piece: str) -> None:
        if index not in self._blocks:
            return
        kind, pieces = self._blocks[index]
        pieces.append(piece)
        if kind == "thinking":
            self._on_delta(Delta("thinking", piece))
        else:
            self._on_delta(Delta("json" if kind == "json" or self._structured else "text", piece))

    def _end(self, delta: Any) -> None:
        self._stop = delta.stop_reason or self._stop
        details = getattr(delta, "stop_details", None)
        why = getattr(details, "explanation", None)
        self._why = why if isinstance(why, str) else self._why

    def _count(self, usage: Any) -> None:
        """The counts are of the whole reply so far; one that is left out stays as it was."""
        counts = {mine: getattr(usage, its, None) for mine, its in _COUNTS.items()}
        self._usage = self._usage._replace(**{mine: count for mine, count in counts.items() if count is not None})
