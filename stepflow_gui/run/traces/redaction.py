"""Takes secrets and the places of a person's home out of what is written down."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from stepflow_gui.text.json.tree import JsonValue

REMOVED = "[removed]"
_SHORTEST = 8  # characters of a variable's value that is looked for: shorter ones stand anywhere by chance
_SHORT, _MOST = 80, 10_000  # characters of the texts that are remembered, and how many
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET_ENDS = ("secret", "password", "passwd", "passphrase", "credential", "credentials", "token")
_KEYS_OF = frozenset({"api", "access", "private", "auth", "signing", "encryption", "client", "secret"})
_FORMS = re.compile(
    r"""
      -----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----.*?(?:-----END[ ][A-Z ]*PRIVATE[ ]KEY-----|\Z)
    | \bsk-[A-Za-z0-9_-]{16,}
    | \bgh[pousr]_[A-Za-z0-9]{20,} | \bgithub_pat_\w{20,} | \bglpat-[\w-]{16,}
    | \bxox[abeoprs]-[A-Za-z0-9-]{10,}
    | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b | \bAIza[\w-]{30,} | \bhf_[A-Za-z0-9]{20,} | \bnpm_[A-Za-z0-9]{30,}
    | \beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}
    """,
    re.VERBOSE | re.DOTALL,
)
_AFTER = re.compile(
    r"""
      (?P<before>\b(?:Bearer|Basic)\s+ | ://[^\s/:@]+: | (?:password|passwd|secret|token|api[_-]?key)["']?
        \s*[=:]\s*["']?)
      (?P<secret>[^\s"'@,;&]{6,})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HOMES = re.compile(r"(?:/home|/Users)/[^/\s\"':]+|\b[A-Za-z]:\\+Users\\+[^\\/\s\"']+|/root(?=/|\b)")


class Redactor:
    """Knows the values of the environment's secret variables and where the home folder is."""

    def __init__(self, environment: Mapping[str, str] | None = None, home: Path | None = None) -> None:
        given = os.environ if environment is None else environment
        secrets = {value for name, value in given.items() if is_secret_name(name) and len(value) >= _SHORTEST}
        self._secrets = sorted(secrets, key=len, reverse=True)
        homes = sorted(_homes(home), key=len, reverse=True)
        self._homes = [re.compile(rf"{re.escape(each)}(?=[/\\]|\b|$)") for each in homes]
        self._known: dict[str, str] = {}  # short texts: the names of keys and steps, which each event has again

    def text(self, text: str) -> str:
        """A text without secrets, and with `~` for home folders."""
        known = self._known.get(text)
        if known is not None:
            return known
        found = self._text(text)
        if len(text) <= _SHORT and len(self._known) < _MOST:
            self._known[text] = found
        return found

    def _text(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, REMOVED)
        text = _FORMS.sub(REMOVED, text)
        text = _AFTER.sub(_without, text)
        for home in self._homes:
            text = home.sub("~", text)
        return _HOMES.sub("~", text)

    def value(self, value: JsonValue) -> JsonValue:
        """The same in all texts of a value, keys included; a text under a name such as `apiKey` goes as a whole."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self._under(key, item) for key, item in value.items()}
        return value

    def _under(self, key: str, value: JsonValue) -> JsonValue:
        if isinstance(value, str) and value and is_secret_name(key):
            return REMOVED
        return self.value(value)


def is_secret_name(name: str) -> bool:
    """Whether a variable or key of that name is likely to hold a secret."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if not words:
        return False
    if words[-1].endswith(_SECRET_ENDS):
        return True
    of_key = any(word in _KEYS_OF for word in words[:-1]) and words[-1] == "key"
    return of_key or words[-1] in {"apikey", "authtoken"}


def _without(found: re.Match[str]) -> str:
    before, secret = found["before"], found["secret"]
    return f"{before}{secret}" if secret.startswith(REMOVED) else f"{before}{REMOVED}"


def _homes(home: Path | None) -> Iterator[str]:
    try:
        folder = home or Path.home()
    except RuntimeError:  # its place is unknown
        return
    for path in {str(folder), os.path.realpath(folder)}:
        if len(path) > 1:
            yield path
