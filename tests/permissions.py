"""Permissions of files that hold for root too, as containers run tests as root."""

import ctypes
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_VERSION_3 = 0x20080522  # of Linux' capability sets, which are two words long
_DAC = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH: to write and read whatever the permissions are
_SETS = struct.Struct("6I")  # effective, permitted, inheritable; then the same of their high words


@contextmanager
def permissions_that_bind(folder: Path) -> Iterator[None]:
    """As root on Linux, without the capabilities that pass permissions over; skips where root keeps them.

    Only this thread is bound, and no program that it starts.
    """
    if os.name != "posix":
        pytest.skip("permissions are other things here")
    if os.geteuid() != 0:
        yield
        return
    if not sys.platform.startswith("linux"):
        pytest.skip("root reads and writes everything here")
    libc = ctypes.CDLL(None, use_errno=True)
    header = ctypes.create_string_buffer(struct.pack("Ii", _VERSION_3, 0))
    sets = ctypes.create_string_buffer(_SETS.size)
    if libc.capget(header, sets) != 0:
        pytest.skip("capabilities can't be read here")
    effective, *others = _SETS.unpack(sets.raw)
    if libc.capset(header, ctypes.create_string_buffer(_SETS.pack(effective & ~_DAC, *others))) != 0:
        pytest.skip("root keeps its capabilities here")
    try:
        if _passes_over(folder):
            pytest.skip("root reads and writes everything here")
        yield
    finally:
        libc.capset(header, ctypes.create_string_buffer(_SETS.pack(effective, *others)))


def _passes_over(folder: Path) -> bool:
    probe = folder / ".probe"
    probe.touch(mode=0o000)
    try:
        return os.access(probe, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    finally:
        probe.unlink()
