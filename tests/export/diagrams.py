"""Mermaid and DOT read again, as far as they are written here."""

import re

Edge = tuple[str, str, str]  # from, label, to, by the texts of the nodes

_MERMAID_NODE = re.compile(r'\s*(n\d+)[\[({/]+"(.*?)"[\])}/]+:::(\w+)')
_MERMAID_LINK = re.compile(r'\s*(n\d+) -\.?->(?:\|"(.*)"\|)? (n\d+)')
_DOT_STRING = r'"((?:[^"\\]|\\.)*)"'
_DOT_NODE = re.compile(rf"\s*(n\d+) \[label={_DOT_STRING}, .*\]")
_DOT_LINK = re.compile(rf"\s*(n\d+) -> (n\d+)(?: \[(?:label={_DOT_STRING}(?:, )?)?(?:style=\"dashed\")?\])?")


def mermaid_edges(text: str) -> list[Edge]:
    """Every line must be one that is known."""
    names: dict[str, str] = {}
    found = []
    for line in text.splitlines()[2:]:
        node, link = _MERMAID_NODE.fullmatch(line), _MERMAID_LINK.fullmatch(line)
        if node:
            names[node[1]] = _plain(node[2])
        elif link:
            found.append((link[1], _plain(link[2] or ""), link[3]))
        else:
            assert re.fullmatch(r'    (subgraph g\d+\["[^"]*"\]|end|class(Def)? [^"]*)', line), line
    return [(names[source], label, names[target]) for source, label, target in found]


def mermaid_groups(text: str) -> dict[str, list[str]]:
    """The texts of the nodes in each subgraph, by its title."""
    groups: dict[str, list[str]] = {}
    title: str | None = None
    for line in text.splitlines():
        if begun := re.fullmatch(r'    subgraph g\d+\["(.*)"\]', line):
            title = _plain(begun[1])
            groups[title] = []
        elif line == "    end":
            title = None
        elif title is not None and (node := _MERMAID_NODE.fullmatch(line)):
            groups[title].append(_plain(node[2]))
    return groups


def _plain(text: str) -> str:
    return re.sub(r"#(\d+);", lambda found: chr(int(found[1])), text)


def dot_edges(text: str) -> list[Edge]:
    """Every line must be one that is known."""
    names: dict[str, str] = {}
    found = []
    for line in text.splitlines()[2:]:
        node, link = _DOT_NODE.fullmatch(line), _DOT_LINK.fullmatch(line)
        if node:
            names[node[1]] = _unquoted(node[2])
        elif link:
            found.append((link[1], _unquoted(link[3] or ""), link[2]))
        else:
            known = r"    (graph|node|edge) \[.*\]|    subgraph cluster_\d+ \{|        label=\".*\"|    \}|\}"
            assert re.fullmatch(known, line), line
    return [(names[source], label, names[target]) for source, label, target in found]


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
