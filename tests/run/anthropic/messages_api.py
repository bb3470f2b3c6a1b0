"""A server on 127.0.0.1 that speaks the Messages API as a test configures it, streamed and not."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
Reply = Callable[["Handler", Json], None]
USAGE = {"input_tokens": 1000, "output_tokens": 200}


class Handler(BaseHTTPRequestHandler):
    """One request. The server's replies are used up in order, the last one again and again."""

    server: "Api"
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            self.server.requests.append(body)
            self.server.headers.append(dict(self.headers))
            self.server.times.append(time.monotonic())
            reply = self.server.replies.pop(0) if len(self.server.replies) > 1 else self.server.replies[0]
        try:
            reply(self, body)
        except OSError:  # the client is gone
            self.close_connection = True

    def log_message(self, *_args: object) -> None:
        """Quiet."""

    def send_json(self, status: int, content: Any, headers: dict[str, str] | None = None) -> None:
        self.send_bytes(status, json.dumps(content).encode(), "application/json", headers)

    def send_bytes(self, status: int, data: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True

    def event(self, type_: str, **content: Any) -> None:
        self.wfile.write(f"event: {type_}\ndata: {json.dumps({'type': type_, **content})}\n\n".encode())
        self.wfile.flush()


class Api(ThreadingHTTPServer):
    """The server: the requests it received, and its next replies."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.requests: list[Json] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.replies: list[Reply] = [says("")]
        self.gone = threading.Event()  # lets slow replies end with the test

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_args: object) -> None:
        """A client that hangs up is what some tests are about."""


@contextmanager
def serving() -> Iterator[Api]:
    api = Api()
    thread = threading.Thread(target=api.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield api
    finally:
        api.gone.set()
        api.shutdown()
        thread.join()
        api.server_close()


def message(*blocks: Json, stop: str = "end_turn", usage: Json | None = None, **more: Any) -> Reply:
    """A message of these blocks, in the form that the request asks for."""

    def reply(handler: Handler, asked: Json) -> None:
        head = {"id": "msg_1", "type": "message", "role": "assistant", "model": asked["model"], "stop_sequence": None}
        counts = USAGE | (usage or {})
        if not asked.get("stream"):
            rest = {"content": list(blocks), "stop_reason": stop, "usage": counts}
            handler.send_json(200, head | rest | more)
            return
        handler.begin_stream()
        begun = counts | {"output_tokens": 1}
        handler.event("message_start", message=head | {"content": [], "stop_reason": None, "usage": begun})
        for index, block in enumerate(blocks):
            _stream(handler, index, block)
        end = {"output_tokens": counts["output_tokens"]}
        handler.event("message_delta", delta={"stop_reason": stop, "stop_sequence": None} | more, usage=end)
        handler.event("message_stop")

    return reply


def _stream(handler: Handler, index: int, block: Json) -> None:
    if block["type"] == "tool_use":
        whole = json.dumps(block["input"])
        handler.event("content_block_start", index=index, content_block=block | {"input": {}})
        kind, name = "input_json_delta", "partial_json"
    elif block["type"] == "thinking":
        whole = block["thinking"]
        handler.event("content_block_start", index=index, content_block=block | {"thinking": ""})
        kind, name = "thinking_delta", "thinking"
    else:
        whole = block["text"]
        handler.event("content_block_start", index=index, content_block=block | {"text": ""})
        kind, name = "text_delta", "text"
    handler.event("ping")
    for at in range(0, len(whole), 7):
        handler.event("content_block_delta", index=index, delta={"type": kind, name: whole[at : at + 7]})
    handler.event("content_block_stop", index=index)


def text(content: str) -> Json:
    return {"type": "text", "text": content}


def says(content: str, **more: Any) -> Reply:
    """A message of one text."""
    return message(text(content), **more)


def answers(value: Any, **more: Any) -> Reply:
    """A message whose text is a JSON value."""
    return says(json.dumps(value), **more)


def calls(value: Any, *before: Json, **more: Any) -> Reply:
    """A message that calls the tool with a value."""
    use = {"type": "tool_use", "id": "toolu_1", "name": "answer", "input": value}
    return message(*before, use, stop="tool_use", **more)


def fails(status: int, kind: str, words: str = "words of the server", **headers: str) -> Reply:
    """An error of the API."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    content = {"type": "error", "error": {"type": kind, "message": words}}
    return lambda handler, _asked: handler.send_json(status, content, names)


def drops(handler: Handler, asked: Json) -> None:
    """Hangs up: in the middle of a stream, or before anything was sent."""
    if asked.get("stream"):
        handler.begin_stream()
        head = {"id": "m", "type": "message", "role": "assistant", "model": asked["model"], "content": []}
        begun = head | {"stop_reason": None, "stop_sequence": None, "usage": USAGE}
        handler.event("message_start", message=begun)
        handler.event("content_block_start", index=0, content_block=text(""))
        handler.event("content_block_delta", index=0, delta={"type": "text_delta", "text": '{"half'})
    handler.close_connection = True
    handler.connection.close()


def errs_in_stream(handler: Handler, asked: Json) -> None:
    """Reports in the middle of a stream that it is overloaded."""
    handler.begin_stream()
    handler.event("error", error={"type": "overloaded_error", "message": "overloaded"})


HANGS = 30.0  # seconds


def hangs(handler: Handler, asked: Json) -> None:
    """Begins an answer, if it streams, and never goes on."""
    if asked.get("stream"):
        handler.begin_stream()
        handler.event("ping")
    handler.server.gone.wait(HANGS)
    handler.close_connection = True


def no_json(handler: Handler, _asked: Json) -> None:
    """A page instead of an answer, as some proxies give."""
    handler.send_bytes(200, b"<html>Log in first</html>", "text/html")
