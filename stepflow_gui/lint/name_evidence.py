"""Which of two similar names is misspelt, by what else an agent's files hold."""

import re
from collections import Counter
from collections.abc import Collection, Iterator

from stepflow_gui.formats.climpt.fallback_keys import FALLBACK_KEYS
from stepflow_gui.formats.climpt.vocabulary import ALIASES, INTENTS, KIND_OF_C2
from stepflow_gui.lint.closest_name import plain
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.json.tree import JsonValue

FLOW_TESTS = "flow_tests"
_LETTERS = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+")
_NAME = re.compile(r"\w(?:[\w.-]*\w)?")
_WORD = re.compile(r"[^\W\d_]{2,}")
_VOWELS = frozenset("aeiouy")
_MOST_TEXT = 100_000  # characters of a text that are read
_MOST_FILES = 50  # prompts, and flow tests, that are read
_SHIPPED = ("personas", "policies", "knowledge", "instructions", "steps", "workflows")


class NameEvidence:
    """What the files of an agent tell of names. They are read when something is asked."""

    __slots__ = ("_alone", "_elsewhere", "_folder", "_text", "_words")

    def __init__(self, folder: AgentFolder) -> None:
        self._folder = folder
        self._text: str | None = None
        self._alone: Counter[str] = Counter()
        self._elsewhere: Counter[str] = Counter()
        self._words: Counter[str] = Counter()

    def is_right(
        self,
        name: str,
        other: str,
        fits: Collection[str] = (),
        *,
        pair: bool = False,
        named: int = 0,
        defined: int = 0,
        within: int = 0,
    ) -> bool | None:
        """Whether a name that is referred to is right rather than the other, which is defined; None: nothing tells.

        What is independent of both counts before how often a name is referred to, which may be one slip, copied.
        Right is the one without blanks at its ends, else the one that is among `fits` (as `plain` makes them), else
        that other files have, else whose words are elsewhere, in other names, files or what the runners bring along,
        else of which all pairs of letters do; else the one that stands alone in more places, that the texts have more
        often, or that can better be spoken. `pair` says that the definition has the other name twice. Of files besides
        the registry, `named` are the references and `defined` the definitions there; `within` are references that have
        the name in a path.
        """
        if (other == other.strip()) != (name == name.strip()):
            return name == name.strip()
        text = self._read()
        for wanted, given in (
            (plain(name) in fits, plain(other) in fits),
            (self._elsewhere[name] > named, self._elsewhere[other] > defined),
            (self._known_words(name, other, within), self._known_words(other, name)),
            (_rarest_pair(name, text) > 0, _rarest_pair(other, text) > 0),
            (self._alone[name], self._alone[other] - pair),
            (_count_apart(text, name, other), _count_apart(text, other, name) - pair),
            (_rarest_pair(name, text), _rarest_pair(other, text)),
            (_spoken(name), _spoken(other)),
        ):
            if wanted != given:
                return wanted > given
        return None

    def _known_words(self, name: str, other: str, within: int = 0) -> int:
        """How many of the words that a name alone has stand elsewhere, less those that don't."""
        own, others = words_of(name), words_of(other)
        score = 0
        for word in own.keys() - others.keys():
            times = own[word] * (self._alone[name] + self._elsewhere[name] + within)
            score += 1 if self._words[word] > times else -1
        return score

    def _read(self) -> str:
        """The texts of the agent's files, as much as is read. What is in them is counted the first time."""
        if self._text is None:
            folder = self._folder
            self._alone = Counter(_strings(folder.registry))
            prompts = [path for place in folder.prompt_folders() for path in sorted(folder.files_below(place))]
            tests = sorted(folder.files_below(folder.folder / FLOW_TESTS))
            read = map(folder.content, (*prompts[:_MOST_FILES], *tests[:_MOST_FILES]))
            others = [folder.agent_document, *folder.schema_files(), *read]
            texts = [each.source.text[:_MOST_TEXT] for each in others if isinstance(each, TextFile | ParsedFile)]
            for each in (*texts, *(path.stem for path in prompts)):
                self._elsewhere.update(_NAME.findall(each))
            for counted in (self._alone, self._elsewhere, Counter(self._brought_along())):
                for string, count in counted.items():
                    for word in _LETTERS.findall(string[:_MOST_TEXT]):
                        self._words[word.lower()] += count
            self._text = "\n".join((folder.registry.source.text, *texts))
        return self._text

    def _brought_along(self) -> Iterator[str]:
        if self._folder.format != "takt":
            yield from (*FALLBACK_KEYS, *INTENTS, *ALIASES, *KIND_OF_C2, *KIND_OF_C2.values())
            return
        from stepflow_gui.formats.takt.releases.shipped import shipped  # registries have nothing of it

        for kind in _SHIPPED:
            yield from shipped(kind)


def words_of(name: str) -> Counter[str]:
    """The words of a name, in lower case and without digits."""
    return Counter(word.lower() for word in _LETTERS.findall(name))


def _strings(document: ParsedFile) -> Iterator[str]:
    """The keys and texts of a file."""
    stack: list[JsonValue] = [document.root.value] if document.root is not None else []
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            yield from (str(key) for key in value)
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, str):
            yield value


def _spoken(name: str) -> int:
    """How many words of a name have a vowel."""
    return sum(not _VOWELS.isdisjoint(word.lower()) for word in _WORD.findall(name))


def _rarest_pair(name: str, text: str) -> int:
    """How often a text has elsewhere the two letters of a name that it has least often."""
    looked_at = text[:_MOST_TEXT]
    times = looked_at.count(name)
    pairs = {name[at : at + 2] for at in range(len(name) - 1)}
    return min((looked_at.count(pair) - times * name.count(pair) for pair in pairs), default=0)


def _count_apart(text: str, name: str, other: str) -> int:
    """How often a text has a name, those left out that are part of the other one."""
    count = text.count(name)
    return count - text.count(other) if name in other else count
