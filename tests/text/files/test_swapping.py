"""What another program does in the very moment of a save is not lost."""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from stepflow_gui.text.files import staging
from stepflow_gui.text.files.save_together import save_together
from stepflow_gui.text.files.store import ChangedOnDisk, save
from stepflow_gui.text.files.swapping import swap
from stepflow_gui.text.source import Source

from .test_save_together import NEW, OLD, texts, writes_in

Meanwhile = Callable[[Path], None]


def renamed_over(path: Path) -> None:
    beside = path.with_name("beside")
    beside.write_text("theirs")
    beside.replace(path)


def written_in_place(path: Path) -> None:
    path.write_text("theirs")


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("meanwhile", [renamed_over, written_in_place, Path.unlink])
def test_what_another_program_does_right_before_the_swap_is_not_lost(
    meanwhile: Meanwhile, single: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = writes_in(tmp_path)

    def late(one: Path, other: Path) -> bool:
        monkeypatch.setattr(staging, "swap", swap)
        meanwhile(writes[0].path)
        return swap(one, other)

    monkeypatch.setattr(staging, "swap", late)
    done = save(writes[0].path, Source(NEW), Source(OLD)) if single else save_together(writes)
    removed = meanwhile is Path.unlink
    assert done == ChangedOnDisk(writes[0].path, removed=removed)
    assert texts(tmp_path) == [*([] if removed else ["theirs"]), OLD, OLD]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it isn't known who writes to a file")
def test_a_program_that_has_the_file_open_writes_to_the_end(tmp_path: Path) -> None:
    (write, *_others) = writes_in(tmp_path)
    handle = os.open(write.path, os.O_WRONLY)

    def slowly() -> None:
        time.sleep(0.05)
        os.write(handle, b"theirs")
        os.close(handle)

    with ThreadPoolExecutor() as pool:
        pool.submit(slowly)
        assert save(write.path, write.source, write.read_as) == ChangedOnDisk(write.path, removed=False)
    assert write.path.read_text().startswith("theirs")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere files can't be swapped")
def test_what_is_written_while_the_old_file_is_put_back_stays(tmp_path: Path) -> None:
    (write, *_others) = writes_in(tmp_path)
    assert write.read_as is not None
    staged = staging.Staged(write.path, write.source.encode(), write.read_as.encode())
    staged.keep_old()
    staged.commit()
    write.path.write_text("theirs")
    staged.restore()
    staged.discard()
    assert texts(tmp_path) == ["theirs", OLD, OLD]
