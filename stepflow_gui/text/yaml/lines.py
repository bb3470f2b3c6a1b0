"""The line ends of a YAML text: LF, CRLF and a lone CR, all three in one text if need be."""

import re
from collections import Counter

LINE_END = re.compile(r"\r\n|\r|\n")
_LONE_RETURN = re.compile(r"\r(?!\n)")


def with_line_feeds(text: str) -> str:
    """The text with LF for each lone CR: offsets stay, and every line ends with LF."""
    return _LONE_RETURN.sub("\n", text) if "\r" in text else text


def usual_line_end(text: str) -> str:
    """The line end that most lines of a text have; LF where there is none."""
    if "\r" not in text:
        return "\n"
    return str(Counter(LINE_END.findall(text)).most_common(1)[0][0])
