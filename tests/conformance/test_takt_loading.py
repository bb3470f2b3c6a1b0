"""What upstream's loader refuses in TAKT files is what ours reports as refused, at the same places."""

from pathlib import Path

import pytest

from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.eras import TAKT_2026_02_07, TAKT_2026_08_23
from stepflow_gui.formats.takt.load_check import load_faults
from stepflow_gui.formats.takt.step_kinds import misplaced
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree

from .takt_comparing import Case, each_row, recorded

_CODES = {
    "invalid_type": {"type", "required"},
    "invalid_value": {"enum"},
    "too_small": {"pattern", "minimum"},
    "invalid_union": {"one_of"},
}


def test_the_check_of_pieces(conformance: Path, subtests: pytest.Subtests) -> None:
    def check(case: Case) -> None:
        tree = read_yaml_tree(Source(case["yaml"]))
        expected = case["expect"]
        if expected["stage"] == "yaml":
            assert tree.problems or tree.duplicates()
            return
        assert not tree.duplicates()
        assert all(problem.kind == "empty" for problem in tree.problems), tree.problems
        found = load_faults(tree.root.value if tree.root else None, TAKT_2026_02_07)
        wanted = expected["errors"] if expected["stage"] == "schema" else []
        assert sorted(fault.path for fault in found) == sorted(tuple(each["path"]) for each in wanted)
        kinds = {fault.path: fault.kind for fault in found}
        assert all(kinds[tuple(each["path"])] in _CODES[each["code"]] for each in wanted), kinds

    each_row(subtests, recorded(conformance, "seed/validate.json"), check)


def _paths(expected: Case) -> list[tuple[str | int, ...]]:
    """The places at which the check of types and values refuses a file; other checks have rules of their own."""
    issues = expected["schema"].get("issues", [])
    return sorted((tuple(each["path"]) for each in issues if each["code"] not in {"custom", "yaml_parse"}), key=str)


@pytest.mark.parametrize("name", ["head/validate.json", "other_schema.json"])
def test_the_check_of_workflows(name: str, conformance: Path, subtests: pytest.Subtests) -> None:
    def check(case: Case) -> None:
        tree = read_yaml_tree(Source(case["yaml"]))
        assert tree.root is not None
        assert era_of_file(tree.root) is TAKT_2026_08_23 or "steps" not in tree.root.value
        if tree.duplicates():
            return
        found = load_faults(tree.root.value, TAKT_2026_08_23)
        assert sorted({fault.path for fault in found}, key=str) == _paths(case["expect"])

    each_row(subtests, recorded(conformance, name), check)


OF_KINDS = {
    *("call_only", "call_required", "exclusive_modes", "requires_user_input_placement", "session_placement"),
    "system_step_field",
}


def test_fields_that_a_kind_of_step_cant_have(conformance: Path, subtests: pytest.Subtests) -> None:
    def check(case: Case) -> None:
        tree = read_yaml_tree(Source(case["yaml"]))
        issues = case["expect"]["schema"].get("issues", [])
        wanted = sorted((tuple(each["path"]) for each in issues if each.get("about") in OF_KINDS), key=str)
        value = tree.root.value if tree.root else None
        assert sorted((each.path for each in misplaced(value, TAKT_2026_08_23)), key=str) == wanted

    each_row(subtests, recorded(conformance, "head/validate.json"), check)
