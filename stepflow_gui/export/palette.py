"""The colour tokens and kind icons of the window, for pictures made without it."""

import json
from functools import lru_cache

from stepflow_gui.bundled import resource


class Palette:
    """The colours of one look, by token (`resources/themes/tokens.json`)."""

    def __init__(self, *, dark: bool) -> None:
        side = "dark" if dark else "light"
        self._colours = {token: both[side] for token, both in _tokens().items()}

    def __getitem__(self, token: str) -> str:
        """The colour as `#RRGGBB`. Raises KeyError for a name that is not a token."""
        return self._colours[token]

    def mix(self, token: str, over: str, share: float) -> str:
        """A solid colour: `share` (0 to 1) of one token over another."""
        front, back = _channels(self[token]), _channels(self[over])
        return "#" + "".join(f"{round(a * share + b * (1 - share)):02X}" for a, b in zip(front, back, strict=True))


class CssPalette(Palette):
    """The same colours as CSS variables, so that one picture follows the look of the page around it."""

    def __init__(self) -> None:
        super().__init__(dark=False)
        self._mixes: dict[str, tuple[str, str, float]] = {}

    def __getitem__(self, token: str) -> str:
        """The colour as `var(--token)`."""
        return f"var(--{token})" if super().__getitem__(token) else ""

    def mix(self, token: str, over: str, share: float) -> str:
        """The variable of a mixed colour, which `variables` gives its value."""
        name = f"{token}-{round(share * 100)}-{over}"
        self._mixes[name] = (token, over, share)
        return f"var(--{name})"

    def variables(self, *, dark: bool) -> str:
        """The values of all variables in one look, as CSS declarations."""
        look = Palette(dark=dark)
        values = {token: look[token] for token in _tokens()}
        values |= {name: look.mix(*mixed) for name, mixed in self._mixes.items()}
        return ";".join(f"--{name}:{value}" for name, value in values.items())


def icon_shapes(name: str) -> str:
    """The shapes of a bundled icon (16 × 16, strokes in `currentColor`), without the `svg` element around them."""
    return _shapes(name)


@lru_cache(maxsize=1)
def _tokens() -> dict[str, dict[str, str]]:
    tokens: dict[str, dict[str, str]] = json.loads(resource("themes", "tokens.json").read_text("utf-8"))
    return tokens


@lru_cache(maxsize=16)
def _shapes(name: str) -> str:
    source = resource("icons", f"{name}.svg").read_text("utf-8")
    return source[source.index(">") + 1 : source.rindex("</svg>")].strip()


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
