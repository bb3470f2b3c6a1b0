"""Why a file can't be read or written is reported in the language in use, and in the system's words in English."""

import errno
import os
from pathlib import Path

import pytest

import catalogue
from stepflow_gui import messages
from stepflow_gui.text.files.store import ReadProblem, read, reason_of

COMMON = ("EACCES", "EEXIST", "EISDIR", "ENAMETOOLONG", "ENOENT", "ENOSPC", "ENOTDIR", "EPERM", "EROFS")


@pytest.mark.parametrize("name", COMMON)
def test_what_is_common_is_reported_in_the_language_in_use(name: str, checkout: Path) -> None:
    catalogue.compile_catalogue(checkout)
    number = getattr(errno, name)
    error = OSError(number, os.strerror(number), "a.json")
    assert reason_of(error) == os.strerror(number)
    messages.use_language("ja")
    try:
        assert not reason_of(error).isascii()
    finally:
        messages.use_language("en")


def test_what_is_rare_is_reported_by_the_system() -> None:
    assert reason_of(OSError(errno.ETXTBSY, "busy text")) == "busy text"
    assert reason_of(OSError(errno.EINVAL, "not a regular file")) == "not a regular file"  # in our own words already
    assert reason_of(OSError("no number")) == "no number"


def test_a_file_that_can_not_be_read_reports_it(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("a")
    problem = read(tmp_path / "a")
    assert isinstance(problem, ReadProblem)
    assert problem.detail == os.strerror(errno.ELOOP)
