"""A moment of each target with a fixed seed, and the campaign's own parts: shrinking, hangs, figures."""

import json
import time
from pathlib import Path

import pytest

from tests.fuzz import cases as fuzz_cases
from tests.fuzz.__main__ import main
from tests.fuzz.cases import Case, Cases, Fault, FaultsFoundError
from tests.fuzz.shrinking import shrunk
from tests.fuzz.targets import TARGETS

_SECONDS = 0.4
_SEED = 1


@pytest.mark.parametrize("name", [name for name, target in TARGETS.items() if target.small])
def test_a_moment_of_each_target(name: str) -> None:
    """`make fuzz` goes on from here."""
    assert TARGETS[name].run(_SEED, _SECONDS) >= 1


@pytest.mark.parametrize("name", [name for name, target in TARGETS.items() if not target.small])
def test_the_others_can_be_loaded(name: str) -> None:
    assert callable(TARGETS[name].run)


def test_an_input_that_fails_is_made_small() -> None:
    files = {"a": "x\n" * 50 + "some { here\n" + "y\n" * 50, "b": "nothing"}
    assert shrunk(files, lambda trial: "{" in trial.get("a", ""), 10) == {"a": "{"}


def test_what_fails_is_reported_with_its_seed_and_can_be_looked_at_again() -> None:
    def check(case: Case, _folder: Path) -> None:
        assert "7" not in case.files["n"]

    target = Cases("n", lambda chance: Case({"n": f"number {chance.randrange(20)} of twenty"}), check)
    with pytest.raises(FaultsFoundError) as found:
        target.run(3, 1)
    (fault,) = found.value.faults
    assert (fault.target, fault.seed) == ("n", 3)
    assert fault.case == Case({"n": "7"})
    assert "7" in target.drawn(3, fault.number).files["n"]
    again = json.loads(fault.as_json())
    assert target.failure(Case(**again["case"])) is not None


def test_what_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_cases, "CASE_SECONDS", 0.05)

    def check(case: Case, _folder: Path) -> None:
        began = time.process_time()
        while case.files and time.process_time() - began < 20:
            pass

    with pytest.raises(FaultsFoundError) as found:
        Cases("h", lambda _chance: Case({"h": "x"}), check, shrinking=0.5).run(1, 0)
    assert "HangError" in found.value.faults[0].trace


def test_the_campaign_prints_its_seed_and_its_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--seconds", "1", "--seed", "5", "--target", "places", "--faults", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("seed 5\n")
    assert "places" in out
    assert " 0 faults" in out


def test_a_kept_input_is_looked_at_again(tmp_path: Path) -> None:
    sound = Fault("places", 1, 1, Case({"x.layout.json": "{}"}), "")
    (tmp_path / "kept.json").write_text(sound.as_json(), "utf-8")
    assert main(["--again", str(tmp_path / "kept.json")]) == 0
