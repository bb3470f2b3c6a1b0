"""Mistakes made in real texts by chance: of the text as characters, of its lines, and of the values in it."""

import random
import re
from collections.abc import Callable, Sequence

from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree

Mutation = Callable[[str, str, random.Random], str]
"""A text changed, of a file of that name."""

TOKENS = (
    *(
        "",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "'",
        "//",
        "#",
        "\\",
        "/*",
        "*/",
        "- ",
        "-",
        "|",
        ">",
        "&a ",
        "*a",
        "<<: ",
    ),
    *(
        "!",
        "!!binary ",
        "? ",
        "---\n",
        "...\n",
        "%",
        "@",
        "`",
        "\t",
        " ",
        "\n",
        "\r",
        "\r\n",
        "\u2028",
        "\x85",
        "\ufeff",
    ),
    *("\0", "null", "7", "true", "語", "🙂", "\ud800", "e\u0301", "\u202e", "{{X}}", "${x}"),
    *("<<<<<<< a\n", "=======\n", ">>>>>>> b\n"),
)
VALUES = (
    *("null", "true", "false", "0", "-1", "1.5", "1e400", "-0", "1e3", "123456789012345678901234567890", '""', '" "'),
    *(
        "[]",
        "{}",
        '"next"',
        '"closing"',
        '"a.b"',
        '"#/"',
        '"../../x"',
        '"/"',
        '"\\u0000"',
        '"\\ud800"',
        '"(a+)+$"',
        '"["',
    ),
    *('"*"', '"{"', "[null]", "[[]]", '[""]', '["date"]', '{"": null}', '{"a": {"a": 1}}', '{"$ref": "#"}', '"%s"'),
    *(
        '{"$ref": "x.json#/a"}',
        '"<b>&amp;"',
        '"next "',
        '"NEXT"',
        '"constructor"',
        '"__proto__"',
        '"ABORT"',
        '"COMPLETE"',
    ),
    *('{"type": ["string", 5]}', "2147483648", "9007199254740993", '"1"', '"true"', "[1, 2]", '{"target": null}'),
    *('{"target": 5}', '{"condition": "a"}'),
)
_DEPTHS = (10, 300, 3000)
_WORD = re.compile(r"[A-Za-z_]\w+")


def mutated(text: str, name: str, chance: random.Random) -> str:
    """The text with some mistakes, most often one."""
    for _time in range(chance.choice((1, 1, 1, 2, 3, 6))):
        kinds = BY_VALUE if chance.random() < 0.6 else BY_TEXT
        text = chance.choice(kinds)(text, name, chance)
    return text


def tree_of(text: str, name: str) -> JsonTree:
    """The text's tree by the ending of its name."""
    return read_yaml_tree(Source(text)) if name.endswith((".yaml", ".yml")) else read_json(Source(text))


def _at(text: str, chance: random.Random) -> int:
    return chance.randint(0, len(text))


def _put_token(text: str, _name: str, chance: random.Random) -> str:
    start = _at(text, chance)
    end = start + chance.choice((0, 0, 0, 1, 4, 40))
    return text[:start] + chance.choice(TOKENS) + text[end:]


def _cut(text: str, _name: str, chance: random.Random) -> str:
    start = _at(text, chance)
    return text[:start] + text[start + chance.randint(1, 60) :]


def _truncate(text: str, _name: str, chance: random.Random) -> str:
    return text[: _at(text, chance)]


def _double(text: str, _name: str, chance: random.Random) -> str:
    start = _at(text, chance)
    end = min(len(text), start + chance.randint(1, 200))
    return text[:end] + text[start:end] + text[end:]


def _change_lines(text: str, _name: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            lines[one], lines[other] = lines[other], lines[one]
        case 1:
            del lines[one]
        case 2:
            lines.insert(other, lines[one])
        case _:
            lines[one] = chance.choice((" ", "  ", "\t")) + lines[one]
    return "".join(lines)


def _change_line_ends(text: str, _name: str, chance: random.Random) -> str:
    end = chance.choice(("\r\n", "\r", "\n\n", " \n"))
    if chance.random() < 0.5:
        return text.replace("\n", end)
    parts = text.split("\n")
    return "".join(part + (chance.choice(("\n", end)) if at else "") for at, part in enumerate(reversed(parts)))


def _misspell(text: str, _name: str, chance: random.Random) -> str:
    words = list(_WORD.finditer(text))
    if not words:
        return text
    word = chance.choice(words)
    at = chance.randint(word.start(), word.end() - 1)
    changed = chance.choice(("", text[at] * 2, text[at].swapcase(), "x"))
    return text[:at] + changed + text[at + 1 :]


def _exchange_words(text: str, _name: str, chance: random.Random) -> str:
    words = list(_WORD.finditer(text))
    if not words:
        return text
    word, other = chance.choice(words), chance.choice(words)
    return text[: word.start()] + other[0] + text[word.end() :]


def _nest(text: str, _name: str, chance: random.Random) -> str:
    at, depth = _at(text, chance), chance.choice(_DEPTHS)
    opening, closing = chance.choice((("[", "]"), ('{"a":', "}"), ("- ", ""), ("(", ")")))
    return text[:at] + opening * depth + "1" + closing * (depth if chance.random() < 0.7 else 0) + text[at:]


def _lengthen(text: str, _name: str, chance: random.Random) -> str:
    at = _at(text, chance)
    return text[:at] + chance.choice(("a", "a ", "語", "a, ", "\n")) * chance.choice((100, 5000)) + text[at:]


def _spans(text: str, name: str) -> list[tuple[int, int]]:
    tree = tree_of(text, name)
    return [(node.start, node.end) for node in tree.root.nodes()] if tree.root is not None else []


def _other_value(text: str, name: str, chance: random.Random) -> str:
    spans = _spans(text, name)
    if not spans:
        return text
    start, end = chance.choice(spans)
    return text[:start] + chance.choice(VALUES) + text[end:]


def _copied_value(text: str, name: str, chance: random.Random) -> str:
    spans = _spans(text, name)
    if not spans:
        return text
    (start, end), (first, last) = chance.choice(spans), chance.choice(spans)
    return text[:start] + text[first:last] + text[end:]


def _keys(text: str, name: str) -> list[tuple[int, int, int]]:
    tree = tree_of(text, name)
    nodes = tree.root.nodes() if tree.root is not None else ()
    return [(each.key_start, each.key_end, each.value.end) for node in nodes for each in node.members()]


def _other_key(text: str, name: str, chance: random.Random) -> str:
    keys = _keys(text, name)
    if not keys:
        return text
    start, end, _value_end = chance.choice(keys)
    first, last, _value_end = chance.choice(keys)
    new = chance.choice((text[first:last], text[first:last], '""', '"a/b~c"', '"stepz"', "5", '"\\ud800"'))
    return text[:start] + new + text[end:]


def _without_member(text: str, name: str, chance: random.Random) -> str:
    keys = _keys(text, name)
    if not keys:
        return text
    start, _end, end = chance.choice(keys)
    comma = re.compile(r"\s*,?\s*").match(text, end)
    return text[:start] + text[comma.end() if comma and "," in comma[0] else end :]


def _doubled_member(text: str, name: str, chance: random.Random) -> str:
    keys = _keys(text, name)
    if not keys:
        return text
    start, _end, end = chance.choice(keys)
    line = text.rfind("\n", 0, start) + 1
    between = "\n" + text[line:start] if name.endswith((".yaml", ".yml")) and not text[line:start].strip() else ", "
    return text[:start] + text[start:end] + between + text[start:]


BY_TEXT: Sequence[Mutation] = (
    *(_put_token, _put_token, _cut, _truncate, _double, _change_lines, _change_lines, _change_line_ends, _misspell),
    *(_misspell, _exchange_words, _exchange_words, _nest, _lengthen),
)
BY_VALUE: Sequence[Mutation] = (
    *(_other_value, _other_value, _other_value, _copied_value, _copied_value, _other_key, _without_member),
    _doubled_member,
)
