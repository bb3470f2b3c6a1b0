"""Runs a check over cases made by chance, each in its own time, and makes those that fail small."""

import json
import random
import signal
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from types import FrameType, TracebackType
from typing import NamedTuple

from tests.fuzz.shrinking import shrunk

CASE_SECONDS = 20.0  # of work; a case that takes longer hangs
_SHRINK_SECONDS = 30.0
_MOST_FAULTS = 8  # of one run of a target

Names = tuple[str, ...]


class Case(NamedTuple):
    """What a check looks at: texts by the name of their file, and a number from which its other choices follow."""

    files: Mapping[str, str]
    choices: int = 0


Draw = Callable[[random.Random], Case]
Check = Callable[[Case, Path], None]
"""Raises for a fault. The folder is empty, and there for the case alone."""


class Fault(NamedTuple):
    """A case that failed, and how. `number` is the case's of the seed."""

    target: str
    seed: int
    number: int
    case: Case
    trace: str

    def as_json(self) -> str:
        """A file by which the case is run again."""
        return json.dumps({**self._asdict(), "case": self.case._asdict()}, indent=2) + "\n"


class FaultsFoundError(Exception):
    """How many cases a target looked at, and those that failed."""

    def __init__(self, count: int, faults: list[Fault]) -> None:
        super().__init__("\n".join(fault.trace for fault in faults))
        self.count = count
        self.faults = faults


class HangError(BaseException):
    """A case has used up its time. No `Exception`, which the program might take for its own."""


class Cases(NamedTuple):
    """A target: where its cases come from and what is asked of them."""

    name: str
    draw: Draw
    check: Check
    shrinking: float = _SHRINK_SECONDS

    def run(self, seed: int, seconds: float) -> int:
        """Look at the cases of a seed for so long, at one in any case; gives how many. Raises `FaultsFoundError`."""
        end = monotonic() + seconds
        number = 0
        faults: list[Fault] = []
        known: set[Names] = set()
        while len(faults) < _MOST_FAULTS and (not number or monotonic() < end):
            case = self.drawn(seed, number)
            error = self.failure(case)
            if error is not None and (names := identity(error)) not in known:
                known.add(names)
                began = monotonic()
                faults.append(self._shrunk(Fault(self.name, seed, number, case, _trace(error)), names))
                end += monotonic() - began
            number += 1
        if faults:
            raise FaultsFoundError(number, faults)
        return number

    def drawn(self, seed: int, number: int) -> Case:
        """A case of a seed, whatever came before it."""
        return self.draw(random.Random(f"{self.name}/{seed}/{number}"))

    def failure(self, case: Case) -> BaseException | None:
        """What goes wrong with a case."""
        with tempfile.TemporaryDirectory(prefix="stepflow-fuzz-", ignore_cleanup_errors=True) as folder:
            try:
                with limited(CASE_SECONDS):
                    self.check(case, Path(folder))
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - whatever it is, it is the result
                return error
        return None

    def _shrunk(self, fault: Fault, names: Names) -> Fault:
        traces = [fault.trace]

        def fails(files: Mapping[str, str]) -> bool:
            error = self.failure(Case(files, fault.case.choices))
            if error is None or identity(error) != names:
                return False
            traces[:] = [_trace(error)]
            return True

        files = shrunk(fault.case.files, fails, self.shrinking)
        return fault._replace(case=Case(files, fault.case.choices), trace=traces[0])


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `HangError` in the block after so much work of this process; a busy machine doesn't count."""
    if not hasattr(signal, "setitimer"):  # Windows: what hangs, hangs
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def identity(error: BaseException) -> Names:
    """By what two failures are taken for one: the kind, and the place where the product or the check gave up.

    An error that has `names` says so itself.
    """
    if isinstance(error, HangError):
        return ("hangs",)
    names = getattr(error, "names", None)
    if isinstance(names, tuple):
        return names
    places = [
        f"{frame.f_code.co_filename}:{frame.f_code.co_name}"
        for frame in _frames(error.__traceback__)
        if "stepflow_gui" in frame.f_code.co_filename or "tests" in frame.f_code.co_filename
    ]
    if isinstance(error, RecursionError):
        return (type(error).__name__, *sorted(set(places[-40:]))[:1])
    line = str(_last_line(error)) if isinstance(error, AssertionError) else ""
    return (type(error).__name__, places[-1] if places else "", line)


def _frames(trace: TracebackType | None) -> Iterator[FrameType]:
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _last_line(error: BaseException) -> int:
    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1].lineno or 0 if frames else 0


def _trace(error: BaseException) -> str:
    return "".join(traceback.format_exception(error, limit=-12))


def lay_out(files: Mapping[str, str], folder: Path) -> None:
    """Write the files into a folder; half letters become bytes that are not UTF-8."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
