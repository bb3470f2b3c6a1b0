"""What holds for every rule: it is in the table, its examples behave as declared, it has docs and both languages."""

import os
import re
from inspect import signature
from pathlib import Path

import pytest

from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.outcome import judge
from stepflow_gui.lint.examples.example import Example
from stepflow_gui.lint.report.full import FullReport
from stepflow_gui.lint.rule import CONFIG, DOCUMENT, FLOW, STEP, SUPPRESSION, Rule
from stepflow_gui.lint.rules.table import MODULES, rule_module
from stepflow_gui.project.agent_folder import AgentFolder

from .conftest import Open

SNAPSHOTS = Path(__file__).parent / "snapshots"
UPDATE = bool(os.environ.get("STEPFLOW_UPDATE_SNAPSHOTS"))
RENEW = "STEPFLOW_UPDATE_SNAPSHOTS=1 .venv/bin/pytest tests/lint/test_rules.py -k"
FAMILIES = Path("stepflow_gui", "lint", "rules")
HEADINGS = ("What it does:", "Why is this bad:", "Fix:")

CHECKS = {  # `looks_at` of a rule → what its check is called with
    DOCUMENT: ["document", "context"],
    STEP: ["step", "context"],
    FLOW: ["context"],
    SUPPRESSION: ["suppression"],
    CONFIG: ["pattern"],
}

each_rule = pytest.mark.parametrize("code", MODULES)


def rule_of(code: str) -> Rule:
    rule = rule_module(code).RULE
    assert isinstance(rule, Rule)
    return rule


def report(agent: AgentFolder) -> str:
    return "\n".join(FullReport(judge([agent], configs=Configs()), agent.root).lines()) + "\n"


def test_the_table_lists_every_rule(checkout: Path) -> None:
    files = {
        f"{file.parent.name}.{file.stem}": file.relative_to(checkout).as_posix()
        for file in sorted((checkout / FAMILIES).glob("*/*.py"))
        if re.match(r"(sf|t)\d{3}_", file.stem)
    }
    wrong = [
        f'{file} isn\'t in {FAMILIES / "table.py"}: add "{module.split(".")[1].partition("_")[0].upper()}": "{module}",'
        for module, file in files.items()
        if module not in MODULES.values()
    ]
    wrong += [
        f"{FAMILIES / 'table.py'} lists {code} as {module}, but {FAMILIES / module.replace('.', '/')}.py doesn't exist"
        for code, module in MODULES.items()
        if module not in files
    ]
    assert not wrong, "\n".join(wrong)
    assert [*MODULES] == sorted(MODULES), f"the rows of {FAMILIES / 'table.py'} aren't in the order of their codes"


@each_rule
def test_code_name_and_file_agree(code: str) -> None:
    rule = rule_of(code)
    assert rule.code == code
    assert MODULES[code].rpartition(".")[2] == f"{code}-{rule.name}".lower().replace("-", "_")


@each_rule
def test_its_check_takes_what_it_looks_at(code: str) -> None:
    looks_at = rule_of(code).looks_at
    taken = [name.lstrip("_") for name in signature(rule_module(code).check).parameters]
    assert taken == CHECKS[looks_at], f"{code} looks at {looks_at!r}: its check takes {CHECKS[looks_at]}, not {taken}"


@each_rule
def test_the_docs_have_their_headings(code: str) -> None:
    docs = rule_module(code).__doc__ or ""
    assert docs.startswith(f"{code} {rule_of(code).name}.\n")
    for heading in HEADINGS:
        assert len(re.findall(rf"^{heading} \S", docs, re.MULTILINE)) == 1, heading


@each_rule
def test_a_rule_defers_only_to_rules(code: str) -> None:
    assert set(rule_of(code).defers_to) <= set(MODULES) - {code}


def found_in(example: Example, code: str, open_example: Open) -> list[Diagnostic]:
    """What is found in an example, but for the note that every file for a climpt that isn't released has."""
    found = judge([open_example(example)], configs=Configs()).diagnostics
    noted = example.base == "adt-kind-address" and code != "SF011"
    return [diagnostic for diagnostic in found if not (noted and diagnostic.code == "SF011")]


@each_rule
def test_the_bad_example_has_this_finding_and_no_other(code: str, open_example: Open) -> None:
    found = found_in(rule_module(code).BAD, code, open_example)
    assert {diagnostic.code for diagnostic in found} == {code}
    assert {diagnostic.name for diagnostic in found} == {rule_of(code).name}


@each_rule
def test_the_good_example_is_clean(code: str, open_example: Open) -> None:
    assert found_in(rule_module(code).GOOD, code, open_example) == []


@each_rule
def test_the_report_of_the_bad_example_is_as_approved(code: str, open_example: Open) -> None:
    compare(f"{code.lower()}.en.txt", report(open_example(rule_module(code).BAD)))


@each_rule
@pytest.mark.usefixtures("japanese")
def test_the_report_is_there_in_japanese(code: str, open_example: Open) -> None:
    text = report(open_example(rule_module(code).BAD))
    assert re.search(rf"{code}: .*[ぁ-んァ-ヶ一-龠]", text)
    compare(f"{code.lower()}.ja.txt", text)


_OF_EXAMPLES = {"{input_text}", "{task}", "{version}"}  # what prompts and paths of examples hold


def compare(name: str, text: str) -> None:
    """Compare with the approved text; STEPFLOW_UPDATE_SNAPSHOTS=1 approves what is there."""
    assert set(re.findall(r"\{[a-z_]+\}", text)) <= _OF_EXAMPLES, "a placeholder of a message isn't filled in"
    file = SNAPSHOTS / name
    if UPDATE:
        file.write_text(text, "utf-8")
    renew = f"run {RENEW} {name.partition('.')[0].upper()} and review it"
    assert file.is_file(), f"{file} is missing: {renew}"
    assert text == file.read_text("utf-8"), f"{file} is out of date: {renew}"


def test_no_snapshot_is_left_over() -> None:
    made = {f"{code.lower()}.{language}.txt" for code in MODULES for language in ("en", "ja")}
    left = [file for file in SNAPSHOTS.iterdir() if file.name not in made]
    assert not left, f"no rule makes these: git rm {' '.join(map(str, left))}"
