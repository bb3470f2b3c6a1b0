"""Fixes: applied, they settle their finding, leave valid files, and touch nothing else."""

import itertools
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from stepflow_gui.lint.diagnostic import Diagnostic, Fix
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.rules.table import MODULES, rule_module
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.source import Source
from tests.conftest import Thin

from .conftest import Open

# What is named and doesn't exist, and names that have to be the same.
NAMED = {"SF301", "SF506", "SF602", "SF701", "SF702", "SF807", "SF808", "SF817", "T004", "T013", "T014"}

Cause = tuple[str, str | None, str | None]


def fixed(agent: AgentFolder, fix: Fix) -> AgentFolder:
    """The agent with a fix applied to unsaved texts; every JSON file it touches is still one."""
    edits: dict[Path, list[TextEdit]] = {}
    for edit in fix.edits:
        edits.setdefault(edit.file, []).append(TextEdit(edit.range.start.offset, edit.range.end.offset, edit.text))
    buffers = {}
    for file, changes in edits.items():
        source = Source.decode(file.read_bytes()) if file.is_file() else Source("")
        text = apply(source.text, changes)
        if file.suffix == ".json":
            json.loads(text)
        buffers[file] = source.with_text(text)
    return agent.with_buffers(buffers)


def about(diagnostic: Diagnostic) -> Cause:
    """What a finding is about, whatever else has changed: its rule, step and, by its message, the word."""
    return diagnostic.code, diagnostic.step, diagnostic.message.partition("Did you mean")[0]


def errors_of(diagnostics: Iterable[Diagnostic], step: str | None) -> int:
    return sum(each.severity == "error" and each.step == step for each in diagnostics)


def named_in(diagnostics: Iterable[Diagnostic]) -> Counter[str]:
    return Counter(each.code for each in diagnostics if each.code in NAMED)


def check_settled(agent: AgentFolder, before: list[Diagnostic], diagnostic: Diagnostic, fix: Fix) -> None:
    """Its finding is gone, the step has no more errors than it had, and what the fix names is there."""
    after = lint(fixed(agent, fix))
    where = (agent.registry.path, diagnostic.message, fix.title)
    assert about(diagnostic) not in {about(each) for each in after}, where
    # What can be read at last, a schema or an agent.json under today's keys, may turn out to be wrong.
    if not diagnostic.code.startswith(("SF70", "SF009")):
        assert errors_of(after, diagnostic.step) <= errors_of(before, diagnostic.step), where
        riding = {"SF506"} if diagnostic.code == "SF106" else set()  # as long as the c3 can't be looked for
        assert (named_in(after) - named_in(before)).keys() <= riding, where


@pytest.mark.parametrize("code", MODULES)
def test_each_fix_of_a_bad_example_settles_it(code: str, open_example: Open) -> None:
    agent = open_example(rule_module(code).BAD)
    before = lint(agent)
    for diagnostic in before:
        for fix in diagnostic.fixes:
            assert fix.edits
            check_settled(agent, before, diagnostic, fix)


@pytest.mark.slow
def test_fixes_of_real_files_settle_their_findings(corpus: Path, thin: Thin) -> None:
    """Of one defect in two; --full: of each."""
    tried: Counter[str] = Counter()
    for registry in thin(sorted((corpus / "climpt" / "defects").glob("*/before/steps_registry.json")), 2):
        agent = open_agent(registry)
        assert isinstance(agent, AgentFolder)
        before = lint(agent)
        for code, group in itertools.groupby(sorted(before, key=lambda each: each.code), key=lambda each: each.code):
            diagnostic = next(group)
            for fix in diagnostic.fixes:
                tried[code] += 1
                check_settled(agent, before, diagnostic, fix)
    assert tried.keys() >= {"SF201", "SF206", "SF207", "SF501"}
