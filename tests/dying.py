"""Programs that die before the n-th thing that they do to files: what is left, and what the next start makes of it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

DIE_AND_START_AGAIN = """
import json, os, shutil, signal, sys
from pathlib import Path

from stepflow_gui.cli.main import main

first, work = Path(sys.argv[1]), Path(sys.argv[2])
begin, stride, arguments = sys.argv[3], int(sys.argv[4]), sys.argv[5:]
WATCHED = {"open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"}
left, begun = 0, False


def count(event="", values=()):
    global left, begun
    begun = begun or (event == "open" and begin in str(values[0]))
    if not begun or event not in WATCHED:
        return
    if event == "open" and not str(values[0]).startswith((str(work), os.environ["XDG_STATE_HOME"])):
        return  # a module is loaded
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)


def child(words, dying):
    number = os.fork()
    if number:
        return os.waitpid(number, 0)[1]
    os.chdir(work)
    if os.environ.get("NO_LINKS"):
        def link(*_arguments, **_named):
            raise OSError("no links here")
        os.link = link
    if dying:
        sys.addaudithook(count)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        main(words)
    finally:
        os._exit(0)


def tree(folder):
    paths = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): path.read_text("utf-8") if path.is_file() else None for path in paths}


shutil.copytree(first, work, symlinks=True)
os.chdir(work)
printed = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
main(arguments)  # so that no child has anything to load
main(["trust", "--list"])
sys.stdout.flush()
os.dup2(printed, 1)
for stage in range(0, 1000, stride):
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(first, work, symlinks=True)
    left = stage
    status = child(arguments, True)
    killed = tree(work)
    child(["trust", "--list"], False)
    state = [path.name for path in Path(os.environ["XDG_STATE_HOME"]).rglob("*") if path.suffix in (".json", ".names")]
    print(json.dumps([killed, tree(work), state]), flush=True)
    if os.WIFEXITED(status):
        break
"""

Tree = dict[str, str | None]


class Died(NamedTuple):
    """The files of a folder when a program died, and after the next start, with what that left in the user's folder."""

    killed: Tree
    after: Tree
    state: list[str]


def deaths(first: Path, arguments: Sequence[str], begin: str, *, stride: int = 1, links: bool = True) -> Iterator[Died]:
    """Run the command line in copies of a folder, and kill it `stride` steps later each time, until it ends by itself.

    Steps count from the first file that is opened with `begin` in its path.
    """
    state = first.with_name("state")
    state.mkdir(exist_ok=True)
    environment = {**os.environ, "XDG_STATE_HOME": str(state), "NO_LINKS": "" if links else "1"}
    places = [str(first), str(first.with_name("work")), begin, str(stride)]
    command = [sys.executable, "-c", DIE_AND_START_AGAIN, *places, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        yield Died(*json.loads(line))
