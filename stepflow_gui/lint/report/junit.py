"""The report as JUnit XML: a suite a file, a case a finding. Errors are failures, the rest passes and is shown."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.outcome import LintOutcome
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable

_NO_CHARACTERS = re.compile("[\ufffe\uffff]")  # what XML 1.0 can't hold and `printable` lets pass


def junit_lines(outcome: LintOutcome, folder: Path) -> Iterator[str]:
    """The lines of the document; paths are relative to `folder`."""
    by_file: dict[Path, list[Diagnostic]] = {file: [] for file in outcome.files}
    for found in outcome.diagnostics:
        by_file.setdefault(found.file, []).append(found)
    tests = sum(max(1, len(found)) for found in by_file.values())
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield f'<testsuites name="stepflow lint" tests="{tests}" failures="{outcome.counts[0]}" errors="0">'
    for file, inside in by_file.items():
        name = _attribute(shown_path(file, folder))
        failures = sum(each.severity == "error" for each in inside)
        yield f'  <testsuite name="{name}" tests="{max(1, len(inside))}" failures="{failures}" errors="0">'
        if not inside:
            yield f'    <testcase classname="{name}" name="stepflow lint"/>'
        seen: Counter[str] = Counter()
        for each in inside:
            line, column, _offset = each.range.start
            case = f"{each.code} {each.name} {line}:{column}"
            seen[case] += 1  # of cases with one name, some readers show the first alone
            yield from _case(each, name, f"{case} ({seen[case]})" if seen[case] > 1 else case)
        yield "  </testsuite>"
    yield "</testsuites>"


def _case(found: Diagnostic, file: str, name: str) -> Iterator[str]:
    line, column, _offset = found.range.start
    place = f'classname="{file}" name="{name}" file="{file}" line="{line}"'
    message = _attribute(found.message)
    yield f"    <testcase {place}>"
    if found.severity == "error":
        yield f'      <failure type="{found.code}" message="{message}">{file}:{line}:{column}: {message}</failure>'
    else:
        yield f"      <system-out>{found.severity} {file}:{line}:{column}: {message}</system-out>"
    yield "    </testcase>"


def _attribute(text: str) -> str:
    text = _NO_CHARACTERS.sub(lambda char: f"\\u{ord(char[0]):04x}", printable(text))
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(char, entity)
    return text
