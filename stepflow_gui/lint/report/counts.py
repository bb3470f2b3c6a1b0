"""How many findings there are of each severity, in words."""

from collections.abc import Iterator

from stepflow_gui.messages import ngettext


def counted(errors: int, warnings: int, infos: int) -> Iterator[str]:
    """`1 error`, `2 warnings`: what there is of each severity."""
    if errors:
        yield ngettext("{count} error", "{count} errors", errors).format(count=errors)
    if warnings:
        yield ngettext("{count} warning", "{count} warnings", warnings).format(count=warnings)
    if infos:
        yield ngettext("{count} note", "{count} notes", infos).format(count=infos)
