"""JSON Pointers (RFC 6901)."""


def escape(key: str) -> str:
    """A key as a pointer's token."""
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


def join(pointer: str, *keys: str | int) -> str:
    """The pointer of a member or element below `pointer`."""
    for key in keys:
        pointer = f"{pointer}/{key if isinstance(key, int) else escape(key)}"
    return pointer


def split(pointer: str) -> list[str]:
    """The keys of a pointer, unescaped. Raises ValueError where it begins with anything but `/`."""
    if not pointer:
        return []
    if not pointer.startswith("/"):
        raise ValueError(f"not a JSON Pointer: {pointer!r}")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def parent(pointer: str) -> str:
    """The pointer one level up; the root's is the root."""
    return pointer.rpartition("/")[0]


def element_index(token: str, length: int) -> int | None:
    """A pointer's token as an index into an array of that length; None where it is none (`-`, `01`, too large)."""
    plain = token.isascii() and token.isdigit() and len(token) <= 18 and (token == "0" or token[0] != "0")
    return int(token) if plain and int(token) < length else None
