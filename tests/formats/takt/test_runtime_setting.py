"""Releases of TAKT as a setting names them."""

import pytest

from stepflow_gui.formats.runtimes import RUNTIMES
from stepflow_gui.formats.takt.eras import TAKT_ERAS
from stepflow_gui.formats.takt.releases import sets
from stepflow_gui.formats.takt.releases.setting import newer_than_known, releases_of_runtime


@pytest.mark.parametrize(
    ("runtime", "releases"),
    [
        ("takt-0.27", "0.27.0"),
        ("takt-0.35", "0.35.4"),
        ("takt-0.27.0-alpha.1", "0.27.0-alpha.1"),
        ("takt-0.6.0-rc1", "0.6.0-rc1"),
        ("takt-0.12..0.35", "0.12.0–0.35.4"),
        ("takt-0.27..0.28", "0.27.0-alpha.1–0.28.1"),
        ("takt-0.35.1..head", "0.35.1–head"),
        ("takt-latest", "0.60.0"),
        ("takt-head", "head"),
        ("takt-0.3.2", "0.3.1"),  # there is none of that number
        ("takt-0.60.9", "0.60.0"),
    ],
)
def test_a_runtime_names_releases(runtime: str, releases: str) -> None:
    found = releases_of_runtime(runtime)
    assert found is not None
    assert sets.written(found) == releases
    assert runtime in RUNTIMES


@pytest.mark.parametrize(
    "runtime",
    ["takt-", "takt-x", "takt-0", "takt-0.35..0.12", "takt-0.1..", "takt-..", "0.27"],
)
def test_other_words_are_refused(runtime: str) -> None:
    assert releases_of_runtime(runtime) is None
    assert runtime not in RUNTIMES


@pytest.mark.parametrize(("date", "release"), [("2026-02-07", "0.8.0-alpha.1"), ("2026-08-23", "head")])
def test_a_runner_by_its_date_is_the_release_of_that_format(date: str, release: str) -> None:
    assert releases_of_runtime(f"takt-{date}") == sets.between(release, release)


def test_other_formats_name_no_release() -> None:
    assert releases_of_runtime("climpt-2026-03-14") is None


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("0.27", "takt-0.27"),
        ("takt-v0.27.0-alpha.1", "takt-0.27.0-alpha.1"),
        ("takt-0.27..0.12", "takt-0.12..0.27"),
        ("takt-0.12-0.35", "takt-0.12..0.35"),
        ("climpt-1.15", None),
        ("foo", None),
    ],
)
def test_what_a_wrong_name_most_likely_means(word: str, meant: str | None) -> None:
    assert word not in RUNTIMES
    assert RUNTIMES.release_meant(word) == meant


def test_the_runners_of_takt_are_named_as_its_room_names_them() -> None:
    named = tuple(name for name in RUNTIMES if name.startswith("takt-2"))
    assert named == tuple(TAKT_ERAS)


@pytest.mark.parametrize(
    ("runtime", "newer"),
    [("takt-0.61", True), ("takt-0.12..0.63", True), ("takt-1.0.2", True), ("takt-0.60", False), ("takt-0.60.9", False)]
    + [(name, False) for name in ("takt-head", "takt-latest", "climpt-2026-04-20", "guide", "")],
)
def test_a_release_after_all_that_are_known_is_taken_for_the_newest(runtime: str, newer: bool) -> None:
    assert newer_than_known(runtime) is newer
    if newer:
        found = releases_of_runtime(runtime)
        assert found is not None
        assert sets.names(found)[-1] == "0.60.0"
