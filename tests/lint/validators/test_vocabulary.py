"""What the rules take for wrong is what the runner can make nothing of."""

from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.formats.climpt.eras import CLIMPT_2026_04_08
from stepflow_gui.formats.climpt.vocabulary import EXTRACTORS, SUCCESS_WHEN
from stepflow_gui.lint.rules.validators.sf603_success_when_form import fault_of
from stepflow_gui.run.validators.command_result import CommandResult
from stepflow_gui.run.validators.extracting import extract
from stepflow_gui.run.validators.judging import succeeds

RESULTS = [CommandResult(code, stdout) for stdout in ("", "a", "0", "a:b\n") for code in range(-1, 10)]
FORMS = st.sampled_from([*SUCCESS_WHEN, "exitCode", "exit:", "Empty", "", "contains"])
RESTS = st.text("ab01:+- ０", max_size=4)


@given(FORMS, RESTS)
def test_a_form_that_is_called_wrong_never_succeeds(form: str, rest: str) -> None:
    if fault_of(form + rest) in {"form", "number"}:
        assert not any(succeeds(form + rest, result) for result in RESULTS)


@given(FORMS, RESTS)
def test_a_form_that_is_not_can_succeed(form: str, rest: str) -> None:
    value = form + rest
    if fault_of(value) is None and form != "matches:":
        codes = [CommandResult(code, rest) for code in range(-1111, 1112)]
        assert any(succeeds(value, result) for result in [*RESULTS, *codes])


def test_every_extractor_that_is_known_gives_something() -> None:
    result = CommandResult(1, " M a.ts\n", "error")
    for name in EXTRACTORS:
        assert extract({"value": name}, result, CLIMPT_2026_04_08)["value"] is not None, name
    assert extract({"value": "parseBranchName"}, result, CLIMPT_2026_04_08) == {"value": None}
