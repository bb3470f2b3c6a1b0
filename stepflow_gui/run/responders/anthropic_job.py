"""One answer being asked for: consecutive attempts on a thread of its own, which can be cancelled at once."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.responders.anthropic_failures import (
    RATE_LIMIT,
    RequestFailure,
    broken_off,
    failure_of,
    pause_before,
)
from stepflow_gui.run.responders.anthropic_key import Key, no_key
from stepflow_gui.run.responders.anthropic_progress import AnswerMode, AttemptStarted, Progress, Waiting
from stepflow_gui.run.responders.anthropic_reply import Collecting, Reply
from stepflow_gui.run.responders.anthropic_request import Exchange, mode_of, request_for, weaker
from stepflow_gui.run.responders.anthropic_settings import ModelSettings

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

Done = tuple[Reply, AnswerMode] | NoAnswer
_ANTHROPIC = "https://api.anthropic.com"


class ModelQuery(NamedTuple):
    """What is asked of which model."""

    step: str
    model: str
    prompt: str
    system: str | None
    talk: Sequence[Exchange]
    schema: Mapping[str, Any] | None


class Job:
    """Runs a coroutine on a thread of its own until it is done or cancelled."""

    def __init__(self, listener: Callable[[Progress], None]) -> None:
        self._listener = listener
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._done: Done | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Done] | None = None

    def run(self, make: Callable[[], Coroutine[Any, Any, Done]]) -> Done:
        """Run what `make` gives, made on the thread, and wait for it."""
        threading.Thread(target=self._work, args=(make,), name="anthropic", daemon=True).start()
        try:
            self._over.wait()
        except BaseException:  # Ctrl+C
            self.cancel()
            raise
        assert self._done is not None
        return self._done

    def cancel(self) -> None:
        """Call it off: `run` returns now, whatever the network does; the thread ends by itself."""
        self._finish(cancelled())
        with self._lock:
            if self._loop is not None and self._task is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._task.cancel)

    def report(self, progress: Progress) -> None:
        """Pass on what happens, as long as somebody waits for it."""
        if not self._over.is_set():
            self._listener(progress)

    def _work(self, make: Callable[[], Coroutine[Any, Any, Done]]) -> None:
        try:
            asyncio.run(self._main(make))
        except asyncio.CancelledError:
            pass
        except Exception as problem:  # noqa: BLE001 - whoever waits must be notified, whatever a library did
            reason = type(problem).__name__
            self._finish(NoAnswer("failed", _("The request failed ({reason}).").format(reason=reason)))

    async def _main(self, make: Callable[[], Coroutine[Any, Any, Done]]) -> None:
        with self._lock:
            self._loop = asyncio.get_running_loop()
            self._task = self._loop.create_task(make())
            if self._over.is_set():
                self._task.cancel()
        try:
            self._finish(await self._task)
        finally:
            with self._lock:
                self._task = None

    def _finish(self, done: Done) -> None:
        with self._lock:
            if not self._over.is_set():
                self._done = done
                self._over.set()


def cancelled() -> NoAnswer:
    """The answer was cancelled."""
    return NoAnswer("cancelled", _("The answer was cancelled."), retryable=True)


async def ask(job: Job, finding: ModelQuery, settings: ModelSettings, stream: bool, key: Key | None) -> Done:
    """Ask until there is a reply or nothing more can be tried."""
    if key is None:
        return NoAnswer("no_key", no_key())
    try:
        from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient
    except ImportError:
        message = _("Runs with a model need the Anthropic library: pip install 'stepflow-gui[llm]'.")
        return NoAnswer("no_library", message)
    client = AsyncAnthropic(
        api_key=key.reveal(),
        base_url=settings.base_url or _ANTHROPIC,
        max_retries=0,
        timeout=settings.timeout,
        http_client=DefaultAsyncHttpxClient(follow_redirects=False),  # the key goes to no other address
    )
    async with client:
        done = await _attempts(job, finding, settings, client, stream)
    if isinstance(done, NoAnswer):
        return done._replace(message=key.hidden(done.message))
    return done


async def _attempts(
    job: Job, finding: ModelQuery, settings: ModelSettings, client: "AsyncAnthropic", stream: bool
) -> Done:
    mode = mode_of(finding.schema, settings.known(finding.model).forced_tool)
    attempt = 1
    while True:
        job.report(AttemptStarted(finding.step, finding.model, mode, attempt, settings.attempts))
        got = await _attempt(job, finding, settings, client, mode, stream)
        if isinstance(got, Reply):
            return got, mode
        other = weaker(mode, got.refusal, finding.schema) if finding.schema is not None and got.refusal else None
        if other is not None:  # it cost nothing and is not a failure of the network
            mode = other
            continue
        pause = pause_before(attempt, got, settings.pace)
        if not got.again or attempt >= settings.attempts or pause is None:
            return _given_up(got, attempt, pause)
        message = _("{problem} Attempt {attempt} of {of} begins in {seconds} s.").format(
            problem=got.message, attempt=attempt + 1, of=settings.attempts, seconds=round(pause)
        )
        job.report(Waiting(pause, message))
        await asyncio.sleep(pause)
        attempt += 1


async def _attempt(
    job: Job, finding: ModelQuery, settings: ModelSettings, client: "AsyncAnthropic", mode: AnswerMode, stream: bool
) -> Reply | RequestFailure:
    request = request_for(
        model=finding.model,
        prompt=finding.prompt,
        system=finding.system,
        talk=finding.talk,
        schema=finding.schema,
        mode=mode,
        max_tokens=settings.max_tokens,
    )
    collecting = Collecting(mode, job.report)
    try:
        if stream:
            async with await client.messages.create(**request, stream=True) as events:
                async for event in events:
                    collecting.take(event)
        else:
            collecting.take_whole(await client.messages.create(**request, timeout=settings.timeout))
    except Exception as problem:  # noqa: BLE001 - the library's, its transport's and its parser's: all are failures
        return failure_of(problem, finding.model)
    reply = collecting.reply()
    return reply if reply.whole else broken_off()


def _given_up(failure: RequestFailure, attempts: int, pause: float | None) -> NoAnswer:
    done = failure.no_answer
    if failure.kind == RATE_LIMIT and pause is None and failure.wait is not None:
        message = _("{problem} Ask again in {minutes} minutes.")
        return done._replace(message=message.format(problem=done.message, minutes=-(-round(failure.wait) // 60)))
    if failure.again and attempts > 1:
        message = _("{problem} {count} attempts failed.")
        return done._replace(message=message.format(problem=done.message, count=attempts))
    return done
