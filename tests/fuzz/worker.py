"""The process of one target: prints each fault and keeps its input in a file, then prints the figures as JSON."""

import faulthandler
import json
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tests.fuzz.cases import Case, Cases, Fault, FaultsFoundError
from tests.fuzz.targets import TARGETS

RESULT = "result: "
_MEMORY = 4 << 30  # bytes of addresses: whoever wants more wants it without limit
_WAITING = 900.0  # seconds beyond the share in which nothing ends: printed where, and given up
_SHOWN = 3000  # characters of an input


def main(arguments: Sequence[str]) -> int:
    """Run it: `NAME SEED SECONDS FOLDER`, or `--again FILE`."""
    if arguments[0] == "--again":
        return _again(Path(arguments[1]))
    name, seed, seconds, folder = arguments[0], int(arguments[1]), float(arguments[2]), Path(arguments[3])
    _limit_memory(name)
    faulthandler.dump_traceback_later(seconds + _WAITING, exit=True)
    count = faults = 0
    try:
        count = TARGETS[name].run(seed, seconds)
    except FaultsFoundError as found:
        count, faults = found.count, len(found.faults)
        for fault in found.faults:
            _report(fault, folder)
    except Exception:  # noqa: BLE001 - a target that reports by itself
        faults = 1
        print(f"FAULT in {name}, seed {seed}\n{traceback.format_exc()}")
    print(RESULT + json.dumps({"cases": count, "faults": faults, "memory": _most_memory()}), flush=True)
    return 0


def _report(fault: Fault, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{fault.target}-{fault.seed}-{fault.number}.json"
    file.write_text(fault.as_json(), "utf-8")
    print(f"FAULT in {fault.target}, seed {fault.seed}, case {fault.number}: {file}")
    print(fault.trace.rstrip())
    for name, text in fault.case.files.items():
        print(f"  {name}: {text[:_SHOWN]!r}")


def _again(file: Path) -> int:
    """Look at a kept input once more: 1 where it still fails."""
    kept = json.loads(file.read_text("utf-8"))
    row = TARGETS[kept["target"]]
    cases = getattr(import_module(f"tests.fuzz.{row.module}"), row.attribute)
    assert isinstance(cases, Cases)
    error = cases.failure(Case(**kept["case"]))
    if error is None:
        print("it doesn't fail any more")
        return 0
    traceback.print_exception(error)
    return 1


def _limit_memory(name: str) -> None:
    if sys.platform != "win32" and not TARGETS[name].qt:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _most_memory() -> int:
    """Megabytes that this process, or one that it started, has held at most."""
    if sys.platform == "win32":
        return 0
    import resource

    used = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return used // (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
