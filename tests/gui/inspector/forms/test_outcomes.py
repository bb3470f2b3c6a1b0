"""What a form asks for where a check sets the next step: transitions that are connected, ids that are followed."""

from typing import Any

import pytest

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.checks.registry import read_checks
from stepflow_gui.formats.fields import Field, field_at
from stepflow_gui.formats.tables import registry_fields
from stepflow_gui.gui.inspector.forms import form_changes as asking
from stepflow_gui.gui.inspector.forms.form_fields import FormField
from tests.formats.test_shapes import document_of
from tests.gui.canvas.conftest import issue_flow
from tests.seeds.documents import CHECKS

FIRST, SECOND, LAST = "s_a8f3", "s_b2c1", "s_c9d4"
PASS, FAIL = f"/steps/{SECOND}/check/onPass", f"/steps/{SECOND}/check/onFail"


@pytest.fixture(scope="module")
def flow() -> Flow:
    return read_checks(document_of(CHECKS))


def line(pointer: str) -> FormField:
    return FormField(pointer, pointer.rpartition("/")[2], 0, "text", "field", None, None)


@pytest.mark.parametrize(
    ("pointer", "value", "change"),
    [
        (f"{PASS}/next", FIRST, asked.Connect(SECOND, "pass", FIRST)),
        (f"{PASS}/complete", True, asked.Connect(SECOND, "pass", None)),
        (f"{FAIL}/next", LAST, asked.Connect(SECOND, "fail", LAST)),
        (f"{FAIL}/complete", True, asked.Connect(SECOND, "fail", None)),
        (f"{FAIL}/fallback", LAST, asked.Connect(SECOND, "fallback", LAST)),
        (f"{FAIL}/retry", True, asked.Connect(SECOND, "retry", SECOND)),
        (f"{FAIL}/retry", False, asked.SetField(f"{FAIL}/retry", False)),
        (f"{PASS}/fallback", FIRST, asked.SetField(f"{PASS}/fallback", FIRST)),
        (f"{FAIL}/maxRetries", 4, asked.SetField(f"{FAIL}/maxRetries", 4)),
        (f"/steps/{SECOND}/id", "s_0001", asked.RenameKey(f"/steps/{SECOND}", "s_0001")),
        (f"/steps/{SECOND}/name", "x", asked.SetField(f"/steps/{SECOND}/name", "x")),
    ],
)
def test_a_value_that_is_a_transition_is_retargeted(pointer: str, value: Any, change: Change, flow: Flow) -> None:
    assert asking.set_to(flow, line(pointer), value) == change


@pytest.mark.parametrize(
    ("pointer", "change"),
    [
        (f"{PASS}/next", asked.Connect(SECOND, "pass", LAST)),
        (f"/steps/{LAST}/check/onPass/next", asked.Connect(LAST, "pass", FIRST)),
        (f"/steps/{LAST}/check/onFail/fallback", asked.Connect(LAST, "fallback", SECOND)),
        (f"/steps/{FIRST}/check/onFail/fallback", asked.Connect(FIRST, "fallback", SECOND)),
        (f"{FAIL}/retry", asked.Connect(SECOND, "retry", SECOND)),
        (f"{FAIL}/maxRetries", asked.SetField(f"{FAIL}/maxRetries", 3)),
    ],
)
def test_a_transition_that_is_added_has_a_target(pointer: str, change: Change, flow: Flow) -> None:
    holder = pointer.rpartition("/")[0]
    field = field_at(registry_fields("checks"), pointer, "checks")
    assert isinstance(field, Field)
    assert asking.add_field(flow, holder, field) == change


def test_a_retry_goes_with_its_count(flow: Flow) -> None:
    assert asking.remove(flow, line(f"{FAIL}/fallback")) == asked.Disconnect(SECOND, "fallback")
    assert asking.remove(flow, line(f"{PASS}/next")) == asked.RemoveField(f"{PASS}/next")


def test_fields_of_these_names_are_plain_elsewhere() -> None:
    gated = issue_flow()
    assert asking.set_to(gated, line("/steps/initial.issue/id"), "x") == asked.SetField("/steps/initial.issue/id", "x")
    pointer = "/steps/initial.issue/check/onPass/next"
    assert asking.set_to(gated, line(pointer), "x") == asked.SetField(pointer, "x")
