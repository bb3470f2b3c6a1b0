"""The results of `stepflow test` as JUnit XML: a case a script, and one for each kind that is covered too little."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.scripts.coverage_minimums import CoverageShortfall
from stepflow_gui.run.scripts.flow_tests import Tested

_NO_CHARACTERS = re.compile("[\ufffe\uffff]")  # what XML 1.0 can't hold and `printable` lets pass


def junit(agent: AgentFolder, done: Sequence[Tested], short: Sequence[CoverageShortfall], folder: Path) -> str:
    """The document."""
    named = agent.agent.name.value if agent.agent and agent.agent.name else agent.folder.name
    return "".join(f"{line}\n" for line in _lines(_escaped(named), done, short, folder))


def _lines(name: str, done: Sequence[Tested], short: Sequence[CoverageShortfall], folder: Path) -> Iterator[str]:
    failures = sum(bool(test.failures) for test in done) + len(short)
    counts = f'tests="{len(done) + len(short)}" failures="{failures}" errors="0"'
    seconds = sum(test.seconds for test in done)
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield f'<testsuites name="stepflow test" {counts} time="{seconds:.3f}">'
    yield f'  <testsuite name="{name}" {counts} time="{seconds:.3f}">'
    for test in done:
        case = f'classname="{name}" name="{_escaped(shown_path(test.file, folder))}" time="{test.seconds:.3f}"'
        if not test.failures:
            yield f"    <testcase {case}/>"
            continue
        yield f"    <testcase {case}>"
        messages = [f"{test.file.name}:{failure.line}: {failure.message}" for failure in test.failures]
        first = _escaped(test.failures[0].message)
        yield f'      <failure message="{first}">{"&#10;".join(map(_escaped, messages))}</failure>'
        yield "    </testcase>"
    for each in short:
        yield f'    <testcase classname="{name}" name="coverage {each.kind}">'
        yield f'      <failure message="{_escaped(each.message)}"/>'
        yield "    </testcase>"
    yield "  </testsuite>"
    yield "</testsuites>"


def _escaped(text: str) -> str:
    text = _NO_CHARACTERS.sub(lambda char: f"\\u{ord(char[0]):04x}", printable(text))
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(char, entity)
    return text
