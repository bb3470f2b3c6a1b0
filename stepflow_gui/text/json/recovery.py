"""The error-recovering reader of JSON text: names each mistake and keeps the rest of the tree.

Where brackets don't match, or are where the indentation doesn't expect them, the text is read a second time with its
indentation as the guide to where one is missing or too many. That reading counts if it is as good an explanation: it
may have a problem more for each bracket that stands wrong in the first one, and for every two lines more that it read.
"""

from stepflow_gui.text.json.indent_recovery import GuidedReading
from stepflow_gui.text.json.reading import Reading
from stepflow_gui.text.json.tree import JsonTree, Node
from stepflow_gui.text.source import Source

# The kinds of mistakes, each with the smallest text that has it.
KINDS = {
    "bad-escape": r'{"a": "C:\dir"}',
    "bad-number": '{"a": 007}',
    "bare-key": "{a: 1}",
    "bare-value": '{"a": work}',
    "comment": '{"a": 1} // note',
    "control-character": '{"a": "x\ty"}',
    "curly-quotes": "{“a”: 1}",
    "empty": "",
    "extra-text": '{"a": 1} {"b": 2}',
    "full-width": '{"a"：1}',
    "merge-conflict": '{\n<<<<<<< ours\n"a": 1\n=======\n"a": 2\n>>>>>>> theirs\n}',
    "missing-colon": '{"a" 1}',
    "missing-comma": '{"a": 1 "b": 2}',
    "missing-value": '{"a": , "b": 2}',
    "odd-blank": '{"a":\u00a01}',
    "single-quotes": "{'a': 1}",
    "too-deep": "[" * 10_001,
    "trailing-comma": '{"a": 1,}',
    "unclosed-array": '{"a": [1, "b": 2}',
    "unclosed-object": '{"a": 1',
    "unclosed-string": '{"a": "x}',
    "unescaped-quote": '{"a": "say "yes" now"}',
    "unexpected": '{"a": 1, *}',
    "unopened-object": '"a": 1}',
    "wrong-bracket": '{"a": [1}, "b": 2}',
}


def recover(source: Source) -> JsonTree:
    """Read a text that may be broken anywhere."""
    reading = Reading(source.text)
    reading.run()
    if reading.mismatched or (reading.problems and reading.misfits):
        guided = GuidedReading(source.text)
        guided.run()
        allowed = len(reading.problems) + reading.misfits + max(0, reading.unread_lines - guided.unread_lines) // 2
        if len(guided.problems) <= allowed:
            reading = guided
    problems = sorted(reading.problems, key=lambda problem: (problem.start, problem.end))
    return JsonTree(source, reading.root, tuple(problems), reading.has_duplicates)


def read_all(text: str, start: int, depth: int) -> Node:
    """The sound value at an offset with all its inside, however deep."""
    reading = Reading(text, at=start, depth=depth, quick=False)
    reading.run_value()
    assert reading.root is not None
    return reading.root
