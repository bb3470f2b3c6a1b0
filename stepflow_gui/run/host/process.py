"""Runs a program with limits: time, output, no input, and nothing of it left running afterwards."""

import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

POSIX = os.name == "posix"
_MARK = "STEPFLOW_RUN"  # in the environment of all that a program starts, to find it again
_TICK = 0.05  # seconds between looks at the clock and at the wish to cancel
_GRACE = 0.5  # seconds for a program to exit by itself after it was asked to
_DRAIN = 0.2  # seconds for what was written just before the end
_CHUNK = 1 << 16
_LAST_CHUNKS = 64
_WITHHELD = ("_API_KEY", "_AUTH_TOKEN", "_SECRET_KEY", "_ACCESS_KEY")
_WITHHELD_OF = ("ANTHROPIC_", "OPENAI_", "AZURE_OPENAI_")


class ProcessLimits(NamedTuple):
    """`seconds` that a program may take, and how many bytes of each stream are kept."""

    seconds: float = 300.0
    output: int = 1 << 20


class ProcessResult(NamedTuple):
    """How a program ended. `exit_code` is 128 + the signal that ended it, where one did.

    `why` is "timeout" or "cancelled" where it was ended from here, "missing" where it couldn't be started (`stderr`
    has the system's word for it). `cut`: more was written than is kept.
    """

    exit_code: int
    stdout: str
    stderr: str
    why: str | None = None
    cut: bool = False


def environment_for_commands(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment without the keys of model services."""
    given = os.environ if environment is None else environment
    return {
        name: value
        for name, value in given.items()
        if not name.upper().endswith(_WITHHELD) and not name.upper().startswith(_WITHHELD_OF)
    }


def run_program(
    arguments: Sequence[str],
    folder: Path,
    limits: ProcessLimits,
    cancelled: threading.Event | None = None,
    environment: Mapping[str, str] | None = None,
) -> ProcessResult:
    """Run a program in a folder until it ends, its time is up, or `cancelled` is set; blocks until then.

    It reads nothing, and is given a process group of its own, which is ended with it; on Linux whatever else it has
    started is ended as well, even what has left the group.
    """
    mark = uuid.uuid4().hex
    try:
        process = subprocess.Popen(  # noqa: S603 - the user's own commands, in folders that the user trusts
            arguments,
            cwd=folder,
            env={**environment_for_commands(environment), _MARK: mark},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=POSIX,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        return ProcessResult(127, "", reason, "missing")
    assert process.stdout is not None
    assert process.stderr is not None
    streams = (_Stream(process.stdout, limits.output), _Stream(process.stderr, limits.output))
    try:
        why = _wait(process, streams, time.monotonic() + limits.seconds, cancelled or threading.Event())
    finally:
        _end(process, mark)
        for stream in streams:
            stream.close()
    code = process.returncode
    return ProcessResult(
        128 - code if code < 0 else code,
        streams[0].text(),
        streams[1].text(),
        why,
        any(stream.cut for stream in streams),
    )


def _wait(
    process: subprocess.Popen[bytes], streams: "Sequence[_Stream]", deadline: float, cancelled: threading.Event
) -> str | None:
    """Wait for the end; the reason to end it before."""
    while process.poll() is None:
        if cancelled.is_set():
            return "cancelled"
        if time.monotonic() > deadline:
            return "timeout"
        if not _read_all(streams):
            _pause(process, [stream for stream in streams if not stream.ended])
    end = time.monotonic() + _DRAIN
    while time.monotonic() < end and _read_all(streams):
        pass
    return None


def _read_all(streams: "Sequence[_Stream]") -> int:
    """How many of the streams had something."""
    return sum(stream.read() for stream in streams if not stream.ended)


def _pause(process: subprocess.Popen[bytes], streams: "Sequence[_Stream]") -> None:
    if streams and POSIX:
        import select

        select.select([stream.file for stream in streams], [], [], _TICK)
        return
    try:
        process.wait(_TICK)
    except subprocess.TimeoutExpired:
        pass


class _Stream:
    """A pipe of which the beginning and the end are kept, each half of the limit."""

    def __init__(self, file: IO[bytes], limit: int) -> None:
        self.file = file
        self.ended = False
        self.cut = False
        self._half = max(1, limit // 2)
        self._head = bytearray()
        self._tail = bytearray()
        if POSIX:
            os.set_blocking(file.fileno(), False)
        else:
            self._start_thread()

    def read(self) -> bool:
        """Take what is there; whether anything was."""
        if not POSIX:
            return False
        try:
            data = os.read(self.file.fileno(), _CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        self._keep(data)
        return bool(data)

    def _keep(self, data: bytes) -> None:
        if not data:
            self.ended = True
            return
        room = self._half - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(0, room) :]
        if len(self._tail) > self._half:
            del self._tail[: len(self._tail) - self._half]
            self.cut = True

    def text(self) -> str:
        """What was written, without the middle where that was too much."""
        between = b"\n[...]\n" if self.cut else b""
        return bytes(self._head + between + self._tail).decode("utf-8", "replace")

    def close(self) -> None:
        """Read no more."""
        if POSIX:
            for _chunk in range(_LAST_CHUNKS):  # what has escaped might write for ever
                if self.ended or not self.read():
                    break
            self.file.close()
        else:
            self._thread.join(_GRACE)

    def _start_thread(self) -> None:
        """Windows has no pipes that can be asked without waiting."""

        def take() -> None:
            with self.file:
                while not self.ended:
                    self._keep(os.read(self.file.fileno(), _CHUNK))

        self._thread = threading.Thread(target=take, daemon=True)
        self._thread.start()


def _end(process: subprocess.Popen[bytes], mark: str) -> None:
    """End what is left of a program: politely first if it runs still, then not."""
    if not POSIX:
        if process.poll() is None:
            command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - a number is all that is put in
        process.wait()
        return
    running = process.poll() is None
    if running:
        _signal(process.pid, signal.SIGTERM)
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            pass
    _signal(process.pid, signal.SIGKILL)
    for _round in range(10):  # what forks while it is ended is met in the next round
        left = _marked(mark)
        if not left:
            break
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
        time.sleep(0.01)
    process.wait()


def _signal(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except OSError:  # nothing of it is left
        pass


def _marked(mark: str) -> list[int]:
    """The processes whose environment carries the mark, where the system shows it."""
    if not sys.platform.startswith("linux"):
        return []
    wanted = f"{_MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
            except OSError:  # gone, or another user's
                continue
    return found
