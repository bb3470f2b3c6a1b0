"""Another program that writes a file again and again, and looks whether what it wrote is lost. Run as a process.

A text of the window is `ours NUMBER|THEIRS|`, where THEIRS is what the window knows that this program wrote last.
"""

import json
import os
import random
import sys
import time
from pathlib import Path


def rewrite(path: Path, way: str, text: str, chance: random.Random) -> None:
    """Write a text by renaming, in place, or in place but slowly, as editors and scripts do."""
    if way == "renamed":
        beside = path.with_name("theirs")
        beside.write_text(text)
        beside.replace(path)
    elif way == "written":
        path.write_text(text)
    else:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT)
        time.sleep(chance.choice((0, 0.001)))
        os.ftruncate(handle, 0)
        os.write(handle, text.encode())
        os.close(handle)


def main(path: Path, way: str, seconds: float) -> None:
    """Write down the window's texts that don't know what this program wrote last. At first "theirs 0" is there."""
    chance = random.Random(way)
    end = time.monotonic() + seconds
    last, count, unknown = "theirs 0", 0, set[int]()
    while time.monotonic() < end:
        found = path.read_text()
        if found.startswith("ours "):
            number, known, _end = found.removeprefix("ours ").split("|")
            if known != last:
                unknown.add(int(number))
                last = known
        count += 1
        last = f"theirs {count}"
        rewrite(path, way, last, chance)
        time.sleep(chance.choice((0, 0.001, 0.003)))
    sys.stdout.write(json.dumps(sorted(unknown)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]))
