"""What all tests share: where the real data lie, and that no test leaves anything running."""

import gc
import os
import runpy
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import hypothesis
import pytest

from stepflow_gui.messages import use_language

from .left_running import note_what_can_run, running_qt_objects
from .permissions import permissions_that_bind
from .sampling import USUAL, in_turns, long_first

Git = Callable[..., str]
Thin = Callable[[Iterable[Path], int], list[Path]]

PATIENCE = float(os.environ.get("STEPFLOW_TEST_PATIENCE", "5"))  # seconds that a thread has to end after a test

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for wish in ("STEPFLOW_LANG", "NO_COLOR", "PYTHONDONTWRITEBYTECODE"):  # the person's, not the tests'
    os.environ.pop(wish, None)  # without bytecode, each program that a test starts would compile all modules again

hypothesis.settings.register_profile("sample", deadline=None, derandomize=True, max_examples=40)
hypothesis.settings.register_profile("full", deadline=None, derandomize=True, max_examples=USUAL)
hypothesis.settings.register_profile("search", deadline=None, max_examples=2000)  # --hypothesis-profile search
hypothesis.settings.register_profile("fuzz", deadline=None, database=None, max_examples=50)  # make fuzz
hypothesis.settings.load_profile("sample")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--full", default=False) and not config.getoption("--hypothesis-profile"):
        hypothesis.settings.load_profile("full")
    if "PySide6.QtCore" in sys.modules:  # by pytest-qt, where Qt is installed
        note_what_can_run()
    _compile_catalogue(Path(__file__).resolve().parent.parent)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--full", default=False):
        items[:], left = in_turns(items)
        config.hook.pytest_deselected(items=left)
    items[:] = long_first(items)


def pytest_collection_finish() -> None:
    """The modules and tests are kept out of all collections of garbage to come: hundreds look at nothing else."""
    gc.collect()
    gc.freeze()


def _compile_catalogue(checkout: Path) -> None:
    """Compile the translations where they are newer than what is compiled, as in a fresh checkout."""
    locale = checkout / "resources" / "locale"
    written = max(file.stat().st_mtime for file in locale.rglob("*.po"))
    compiled = [file.stat().st_mtime for file in locale.glob("*/LC_MESSAGES/*.mo")]
    if len(compiled) < 2 or min(compiled) < written:
        try:
            runpy.run_path(str(checkout / "packaging" / "catalogue.py"))["compile_catalogue"](checkout)
        except OSError as error:
            raise pytest.UsageError(f"the translations can't be compiled, run `make catalogue`: {error}") from error


@pytest.fixture(scope="session", autouse=True)
def state_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What Stepflow remembers by itself is the tests' own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_the_disk(pytestconfig: pytest.Config) -> Iterator[None]:
    """Files are flushed to the disk with --full alone: that matters where the power fails, and no test cuts it."""
    with pytest.MonkeyPatch.context() as patch:
        if not pytestconfig.getoption("--full", default=False):
            patch.setattr(os, "fsync", os.fstat)  # refuses what isn't an open file, too
        yield


def _folder(request: pytest.FixtureRequest, option: str) -> Path:
    folder = request.config.getoption(option)
    assert isinstance(folder, Path)
    if not folder.is_dir():
        pytest.skip(f"no data: {option} {folder} is not a folder")
    return folder.resolve()


@pytest.fixture(scope="session")
def corpus(request: pytest.FixtureRequest) -> Path:
    """The folder of real registries and pieces."""
    return _folder(request, "--corpus")


@pytest.fixture(scope="session")
def conformance(request: pytest.FixtureRequest) -> Path:
    """The folder of cases produced by running upstream."""
    return _folder(request, "--conformance")


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Whether sweeps are to take all that there is: `make test-all`."""
    return bool(request.config.getoption("--full"))


@pytest.fixture(scope="session")
def thin(request: pytest.FixtureRequest, full: bool) -> Thin:
    """`thin(files, n)`: about one real file in n, by the hash of its name in the corpus; each of them with --full."""
    corpus = request.config.getoption("--corpus")

    def thinned(files: Iterable[Path], one_in: int) -> list[Path]:
        def chosen(file: Path) -> bool:
            return zlib.crc32(file.relative_to(corpus.resolve()).as_posix().encode()) % one_in == 0

        return [file for file in files if full or chosen(file)]

    return thinned


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The folder that holds pyproject.toml."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture
def permissions_bind(tmp_path: Path) -> Iterator[None]:
    """Permissions of files hold for the test, whoever runs it."""
    with permissions_that_bind(tmp_path):
        yield


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Run git in the test's folder, without the settings of whoever runs the tests."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    who = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]

    def ran(*arguments: str, cwd: Path = tmp_path) -> str:
        command = ["git", *who, *arguments]
        return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout

    return ran


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Programs that the test starts take Ctrl-C; those started by what runs in the background of a shell ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """A test that changes the language changes it for itself alone."""
    yield
    use_language("en")


@pytest.fixture(scope="session")
def _reported() -> list[object]:
    """The Qt objects that a test left running: the tests after it aren't to blame."""
    return []


@pytest.fixture(autouse=True)
def nothing_left_running(request: pytest.FixtureRequest, _reported: list[object]) -> Iterator[None]:
    """Fails a test that leaves a thread, a QTimer, a QThread or an animation running."""
    before = set(threading.enumerate())
    yield
    left = [f"thread {thread.name}" for thread in _threads_since(before)]
    if {"qapp", "qtbot"} & set(request.fixturenames):
        running = [thing for thing in running_qt_objects(PATIENCE) if not any(thing is known for known in _reported)]
        _reported.extend(running)
        left += [f"{type(thing).__name__} {thing.objectName()}".strip() for thing in running]
    if left:
        pytest.fail("left running: " + ", ".join(left))


def _threads_since(before: set[threading.Thread]) -> list[threading.Thread]:
    deadline = time.monotonic() + PATIENCE
    new = [thread for thread in threading.enumerate() if thread not in before]
    for thread in new:
        thread.join(max(0.0, deadline - time.monotonic()))
    return [thread for thread in new if thread.is_alive()]
