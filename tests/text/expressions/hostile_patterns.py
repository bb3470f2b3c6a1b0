"""Regular expressions and globs that a file may hold to keep whoever matches them busy, each of a named kind."""

import random
from collections.abc import Callable, Iterator

LONGEST = 8_000  # characters that an expression may have before it is refused unread
LONGEST_GLOB = 2_000  # the same of a pattern of paths
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def hostile_expressions(count: int, seed: int = 17) -> Iterator[tuple[str, str]]:
    """So many expressions with the names of their kinds, the kinds in turn; the same for a seed everywhere."""
    chance = random.Random(seed)
    kinds = list(EXPRESSIONS.items())
    for number in range(count):
        name, make = kinds[number % len(kinds)]
        yield name, make(chance)


def hostile_globs(count: int, seed: int = 17) -> Iterator[tuple[str, str]]:
    """The same of patterns of paths."""
    chance = random.Random(seed)
    kinds = list(GLOBS.items())
    for number in range(count):
        name, make = kinds[number % len(kinds)]
        yield name, make(chance)[:LONGEST_GLOB]


def _atom(chance: random.Random) -> str:
    return chance.choice(
        ("a", "a?", ".", r"\w", r"\W", r"[^b]", "[a-z0-9_]", "é", r"\S", "(?:a|aa)", "(?:ab?|)", r"\d")
    )


def _nested(chance: random.Random) -> str:
    found = _atom(chance)
    for _depth in range(chance.randint(2, 90)):
        found = f"({found}{chance.choice(('', 'a?', '.'))}){chance.choice(('*', '+', '{1,3}', '?', '{0,9}', '{2,}'))}"
    return f"^{found}$"


def _counted(chance: random.Random) -> str:
    found = chance.choice(("a", "a?", ".", "[^a]", "(?:a|b)", r"\w", "(?:)", "(?=a)"))
    for _depth in range(chance.randint(1, 4)):
        least = chance.choice((0, 0, 1, 50))
        found = f"(?:{found}){{{least},{chance.choice((60, 99, 1000, 5000, 100_000, 10**9))}}}"
    return chance.choice(("", "^", "x|")) + found + chance.choice(("", "$", "b"))


def _counted_below_limit(chance: random.Random) -> str:
    """As many repeated parts as are still built, each open to all that went before."""
    inner = chance.choice(("a?", ".?", r"\w?", "(?:a|b)?", "(?:é|a)?", "[^x]?"))
    size = inner.count("|") * 3 + 4
    return f"{chance.choice(('', '^', '.*', '(?i:'))}(?:{inner}){{{6000 // size}}}"


def _alternatives(chance: random.Random) -> str:
    word = chance.randint(1, 6)
    words = ["".join(chance.choices(_LETTERS[:3], k=word)) for _ in range(LONGEST // (word + 1) - 4)]
    return f"({'|'.join(words)}){chance.choice(('', '*', '+$', '{3}'))}"


def _classes(chance: random.Random) -> str:
    members = "".join(f"{chr(code)}-{chr(code + 9)}" for code in chance.sample(range(0x100, 0xD000), 600))
    count = chance.choice(("*", "+", "?", "{9}"))
    return f"(?:[{chance.choice(('', '^'))}{members}]{count}a?){{{chance.randint(1, 60)}}}$"


def _many_classes(chance: random.Random) -> str:
    sets = (f"[^{chr(code)}-{chr(code + 500)}]?" for code in chance.sample(range(0x100, 0xD000), 800))
    return "".join(sets)[: LONGEST - LONGEST % 7]


def _looks(chance: random.Random) -> str:
    kinds = ("(?=", "(?!", "(?<=", "(?<!")
    found = "a"
    for _time in range(chance.randint(1, 24)):
        inner = chance.choice((".*a", "(?:a|aa)*b", "a{0,200}", ".{0,300}x", found if len(found) < 900 else "a"))
        look = f"{chance.choice(kinds)}{inner}){chance.choice(('', 'a', '.*'))}"
        found = look + (found if chance.random() < 0.5 else "")
    return found[:LONGEST]


def _long_look(chance: random.Random) -> str:
    kind = chance.choice(("(?=", "(?!", "(?<=", "(?<!"))
    parts = [f"{_atom(chance)}{chance.choice(('*', '{0,3}', ''))}" for _ in range(900)]
    body = "".join(parts).replace("a?*", "a*").replace("a?{0,3}", "a?")
    return f"{kind}{body[: LONGEST - 20]})a"


def _back_references(chance: random.Random) -> str:
    groups = chance.randint(1, 600)
    return "(a*)" * groups + "".join(f"\\{chance.randint(1, groups)}" for _ in range(chance.randint(1, 300)))


def _any_case(chance: random.Random) -> str:
    letters = "".join(chance.choices("éßſK\u212aİıΣςσαΩǅǆἈᾈa", k=chance.choice((40, 400, 7000))))
    return f"(?i:{letters}|(?:[{letters[:60]}]{chance.choice(('?', '*', '+'))}){{{chance.choice((2, 50, 400))}}})"[
        :LONGEST
    ]


def _literal(chance: random.Random) -> str:
    return chance.choice(("a", "ab", "é", "a.", "a?", ".", "a?b?")) * 10_000


def _longest_literal(chance: random.Random) -> str:
    unit = chance.choice(("a", "ab", "é", "a.", "a?", ".", "a?b?", ".?", r"\w?", "a*", ".*", r"\S+", "(a)?", "(?i:é)"))
    return unit * (LONGEST // len(unit))


def _mixed(chance: random.Random, depth: int = 0) -> str:
    choices = ("a", "a?", ".*", "a+", r"\w*", "[^b]", "(?=a*)", "(?<!b*)", "^", "$", r"\b", "é", "(?i:Σ)*")
    parts = [chance.choice(choices) for _ in range(chance.randint(1, 4))]
    if depth < 4:
        inner = _mixed(chance, depth + 1)
        nested = (f"({inner})*", f"({inner}|{inner})+", f"(?:{inner}){{0,9}}", f"({inner})?", f"(?!{inner})")
        parts.append(chance.choice(nested))
    return "".join(parts)[:LONGEST]


EXPRESSIONS: dict[str, Callable[[random.Random], str]] = {
    "nested quantifiers": _nested,
    "counts in counts": _counted,
    "counts below the limit": _counted_below_limit,
    "alternatives": _alternatives,
    "classes": _classes,
    "many classes": _many_classes,
    "looks inside looks": _looks,
    "long looks": _long_look,
    "back-references": _back_references,
    "letters in any case": _any_case,
    "10,000 characters": _literal,
    "as long as is read": _longest_literal,
    "mixed": _mixed,
}


def _stars(chance: random.Random) -> str:
    return "".join(chance.choices(("*", "a", "?", "b", "[a-z]", "[!b]", "*a"), k=chance.choice((20, 300, 1500))))


def _folders(chance: random.Random) -> str:
    return "/".join(chance.choices(("**", "a", "*", "*a*", "b?", "**", "[ab]*"), k=chance.choice((20, 300, 1300))))


def _sets(chance: random.Random) -> str:
    return "".join(chance.choices(("[^a]", "[]a]", r"[\w-z]", "[[:alpha:]]", "*", "[&&~~||a]", "/"), k=500))


def _longest_glob(chance: random.Random) -> str:
    unit = chance.choice(("*a", "**/", "**/a/", "?", "a", "[a]", "*", r"\*", "*a/", "**a"))
    return unit * (LONGEST_GLOB // len(unit))


GLOBS: dict[str, Callable[[random.Random], str]] = {
    "stars": _stars,
    "folders": _folders,
    "sets": _sets,
    "as long as is read": _longest_glob,
}

TEXTS = ("a" * 1000 + "!", "ab" * 500, "", "a b " * 250, "\n" * 500, "aA1_éΣſ" * 140, "x", _LETTERS * 40)
"""What expressions are looked for in."""

PATHS = ("a/" * 500 + "b", "a" * 1000 + "b", "ab/" * 300 + "a", "", "a/b", ("a" * 60 + "/") * 16 + "x")
"""What globs are compared with."""
