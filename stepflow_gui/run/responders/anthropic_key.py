"""The key of the Messages API: from the environment or the system's keyring, never from a file, never shown."""

import os
from collections.abc import Mapping
from typing import Any, Literal

from stepflow_gui.messages import _

VARIABLE = "ANTHROPIC_API_KEY"
_SERVICE, _ACCOUNT = "stepflow", "anthropic"
_SHOWN = "…"
_SHORTEST = 8  # characters: what is shorter is not a key, and hiding it would spoil texts

Whence = Literal["environment", "keyring"]


class Key:
    """A key that shows itself nowhere but where it is asked for."""

    __slots__ = ("_text", "whence")

    def __init__(self, text: str, whence: Whence) -> None:
        self._text = text
        self.whence = whence

    def __repr__(self) -> str:
        return f"Key({_SHOWN})"

    __str__ = __repr__

    def __reduce__(self) -> str:
        raise TypeError("a key is never written down")

    def reveal(self) -> str:
        """The key itself, for the one header that needs it."""
        return self._text

    def hidden(self, text: str) -> str:
        """A text without the key."""
        return text.replace(self._text, _SHOWN) if len(self._text) >= _SHORTEST else text


def find_key(environment: Mapping[str, str] | None = None) -> Key | None:
    """The environment's key, else the keyring's; None where neither has one. May wait until the keyring is unlocked."""
    environment = os.environ if environment is None else environment
    text = environment.get(VARIABLE, "").strip()
    if text:
        return Key(text, "environment")
    ring = _keyring()
    if ring is None:
        return None
    try:
        kept = ring.get_password(_SERVICE, _ACCOUNT)
    except Exception:  # noqa: BLE001 - each backend has errors of its own: locked, refused, no session bus
        return None
    return Key(kept.strip(), "keyring") if isinstance(kept, str) and kept.strip() else None


def no_key() -> str:
    """What to do where there is no key."""
    message = _(
        "There is no key for the Messages API. Set {variable} in the environment, or keep a key in the keyring."
    )
    return message.format(variable=VARIABLE)


def _keyring() -> Any | None:
    """The system's own keyring; None for none and for those that write keys into files."""
    try:
        import keyring
    except ImportError:
        return None
    try:
        found = keyring.get_keyring()
    except Exception:  # noqa: BLE001 - a backend that can't start
        return None
    several = getattr(found, "backends", None)  # of a chain, the first that is the system's own
    chain = list(several) if isinstance(several, list | tuple) else [found]
    return next((each for each in chain if _is_systems(type(each).__module__)), None)


def _is_systems(module: str) -> bool:
    return module.startswith("keyring.backends.") and not module.endswith((".fail", ".null", ".chainer"))
