"""Random YAML texts: sound ones in every style that people write, and ones with mistakes in them."""

from collections.abc import Sequence
from random import Random
from typing import Any

LINE_ENDS = ("\n", "\r\n", "\r")
_WORDS = ("a", "b", "name", "rules", "next", "x y", "yes", "no", "1", "1.0", "true", "null", "~", "", "é", "日本", "😀")
_ODD_WORDS = ("a: b", "a #b", "#", "- x", "? y", ": z", "[", "{}", "'", '"', "\\", "*a", "&a", "!t", "%", "@", "|", ">")
_ODDER_WORDS = ("a,b", "]", "-", "---", "...", "tail ", " lead", "a\tb", "\x07", "\u2028", "\ufeff", "0x1f", ".nan")
_TEXTS = ("one\ntwo", "one\n\ntwo\n", "one\n\n", "\n", "\nstart", "  indented\nnot", "tab\tbed\n", "# no comment\nb")
_INSERTED = ("\r", "\n", "\r\n", ":", ": ", "- ", "#", " # c", "  ", "\t", '"', "'", "[", "]", "{", "}", ",", "?", "|")
_PIECES = ("&a ", "*a", "!t ", "---\n", "...", "<<: ", "\u2028", "\x85", "\x00", "\\", "null", "x", "%", "@")


def random_word(chance: Random) -> str:
    """A short text, now and then one that needs quotes."""
    odd = chance.random()
    return chance.choice(_WORDS if odd < 0.7 else _ODD_WORDS if odd < 0.92 else _ODDER_WORDS)


def random_value(chance: Random, depth: int = 0) -> Any:
    """A value of any kind, at most four levels deep."""
    kind = chance.random()
    if depth < 4 and kind < 0.15:
        return {random_word(chance): random_value(chance, depth + 1) for _each in range(chance.randrange(4))}
    if depth < 4 and kind < 0.3:
        return [random_value(chance, depth + 1) for _each in range(chance.randrange(4))]
    if kind < 0.7:
        return random_word(chance)
    if kind < 0.8:
        return chance.choice(_TEXTS)
    return chance.choice((None, True, False, 0, 1, -7, 2.5, 1e300))


def sound_text(chance: Random) -> str:
    """A text without a mistake, whose line ends are all of one kind."""
    writer = _Writer(chance)
    root: Any = {f"k{number}": random_value(chance, 1) for number in range(chance.randrange(1, 5))}
    if chance.random() < 0.2:
        root = [random_value(chance, 1) for _each in range(chance.randrange(1, 5))]
    lines = [*writer.comments(0), *writer.block(root, 0)]
    return chance.choice(LINE_ENDS).join([*lines, ""] if chance.random() < 0.7 else lines)


def mixed_text(chance: Random) -> str:
    """A valid text whose lines end with several line endings."""
    text = sound_text(chance).replace("\r\n", "\n").replace("\r", "\n")
    return "".join(chance.choice(LINE_ENDS) if letter == "\n" else letter for letter in text)


def broken_text(chance: Random, seeds: Sequence[str] = ()) -> str:
    """A text with a few things put in, taken out or doubled at random, so that mostly it is none any more."""
    text = chance.choice(seeds) if seeds and chance.random() < 0.5 else mixed_text(chance)
    for _each in range(chance.randrange(1, 5)):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.choice((0, 0, 0, 1, 1, 3, 10)))
        copied = text[end : end + chance.randrange(12)] if chance.random() < 0.2 else ""
        text = text[:at] + (copied or chance.choice((*_INSERTED, *_PIECES, ""))) + text[end:]
    return text


class _Writer:
    """Writes a value in lines, in a random one of the styles that YAML has."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.step = chance.choice((2, 2, 2, 4, 3))
        self.lists = chance.choice((0, self.step))
        self.remarks = 0
        self.anchors = 0

    def comments(self, indent: int) -> list[str]:
        """Lines without a value above one."""
        if self.chance.random() < 0.85:
            return []
        return [self.chance.choice((" " * indent + self.remark(), "", " " * indent + self.remark()))]

    def remark(self) -> str:
        """A comment unlike all others."""
        self.remarks += 1
        return f"# remark {self.remarks};"

    def behind(self) -> str:
        """What is allowed at the end of a line."""
        return f"  {self.remark()}" if self.chance.random() < 0.12 else ""

    def block(self, value: Any, indent: int) -> list[str]:
        """The lines of a mapping or list that isn't empty, all with their indentation."""
        lines: list[str] = []
        pad = " " * indent
        for key, each in value.items() if isinstance(value, dict) else [(None, each) for each in value]:
            lines += self.comments(indent)
            head = pad + ("-" if key is None else f"{self.scalar(key, key=True)}:")
            if isinstance(each, dict | list) and each and self.chance.random() < 0.7:
                inner = indent + (self.step if isinstance(each, dict) or key is None else self.lists)
                inner = max(inner, indent + 2) if key is None else inner
                below = self.block(each, inner)
                if key is None and self.chance.random() < 0.8 and len(below[0]) > inner and below[0][inner] not in "# ":
                    lines.append(head + " " * (inner - indent - 1) + below[0][inner:])
                    lines += below[1:]
                else:
                    lines += [head + self.anchor() + self.behind(), *below]
            elif isinstance(each, str) and "\n" in each and each[0] not in " \n#" and self.chance.random() < 0.7:
                lines += self.literal(head, each, indent + self.step)
            elif each is None and self.chance.random() < 0.5:
                lines.append(head + self.behind())
            else:
                lines.append(f"{head} {self.anchor().lstrip()}{self.flow(each)}{self.behind()}")
        return lines

    def anchor(self) -> str:
        """Now and then a name for what follows."""
        if self.chance.random() < 0.95:
            return ""
        self.anchors += 1
        return f" &n{self.anchors} "

    def literal(self, head: str, text: str, indent: int) -> list[str]:
        """A text as a block of lines."""
        body = text.rstrip("\n")
        ends = len(text) - len(body)
        mark = "|" + ("-" if not ends else "" if ends == 1 else "+")
        lines = [" " * indent + line if line else "" for line in body.split("\n")]
        return [f"{head} {mark}{self.behind()}", *lines, *[""] * max(0, ends - 1)]

    def flow(self, value: Any) -> str:
        """A value in one line."""
        if isinstance(value, dict):
            inner = ", ".join(f"{self.scalar(key, key=True)}: {self.flow(each)}" for key, each in value.items())
            return self.chance.choice(("{%s}", "{ %s }")) % inner
        if isinstance(value, list):
            return self.chance.choice(("[%s]", "[ %s ]")) % ", ".join(self.flow(each) for each in value)
        if self.anchors and not isinstance(value, str) and self.chance.random() < 0.1:
            return f"*n{self.chance.randrange(1, self.anchors + 1)}"
        return self.scalar(value)

    def scalar(self, value: Any, *, key: bool = False) -> str:
        """A text, number or constant, with quotes where it needs them and now and then where it doesn't."""
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        if not isinstance(value, str):
            return str(value)
        if value.isalpha() and value.isascii() and value not in {"true", "null"} and self.chance.random() < 0.6:
            return value
        if "'" not in value and value.isprintable() and self.chance.random() < 0.4:
            return f"'{value}'"
        return '"' + "".join(_ESCAPES.get(each, each) if each.isprintable() else _escaped(each) for each in value) + '"'


_ESCAPES = {'"': '\\"', "\\": "\\\\"}


def _escaped(letter: str) -> str:
    return "\\n" if letter == "\n" else f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"
