"""The ids of steps with checks: `s_` and 4 to 8 hexadecimal digits, which have no meaning and never have to change."""

import re
import zlib
from collections.abc import Container

HASH_ID = re.compile(r"s_[0-9a-fA-F]{4,8}")
_SHORT = 0x400  # ids of four digits that are tried before longer ones


def is_hash_id(step_id: str) -> bool:
    """Whether an id has the form of the design document."""
    return HASH_ID.fullmatch(step_id) is not None


def new_id(seed: str, taken: Container[str]) -> str:
    """An id that is free, the same each time for the same seed and the same ids taken."""
    turn = 0
    while True:
        number = zlib.crc32(f"{seed}\n{turn}".encode("utf-8", "surrogatepass"))
        found = f"s_{number & 0xFFFF:04x}" if turn < _SHORT else f"s_{number:08x}"
        if found not in taken:
            return found
        turn += 1
