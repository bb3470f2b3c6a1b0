"""Builds the docs site in both languages into `build/site`: `python packaging/docs_site.py`, or `make docs`.

English pages are `docs/*.md`, Japanese ones `docs/ja/*.md`. Each language is a site of its own, the Japanese one in the
folder `ja` of the English one; mkdocs.yml names this file as a hook, which shows each of them its own pages. Warnings
(a dead link, a page that is missing in nav) and a page without its translation fail the build.
"""

import argparse
import logging
import re
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from stepflow_gui import __version__

if TYPE_CHECKING:  # not installed for the tests
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = {"en": "English", "ja": "日本語"}
OTHER = {"en": "ja", "ja": "en"}
JAPANESE = "ja/"  # where its pages are, below the docs and below the site
LANGUAGE_LINK = re.compile(rf"(^| · )\[(?:{'|'.join(LANGUAGES.values())})\]\([^)]*\)$\n?", re.MULTILINE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build both; 1 where a warning was printed."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site", help="the folder of the site")
    output = parser.parse_args(arguments).output
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    missing = untranslated(ROOT / "docs")
    for page in missing:
        sys.stderr.write(f"docs: {page} is missing\n")
    for language in LANGUAGES:
        config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(output / ("" if language == "en" else JAPANESE)))
        config.theme["language"] = language
        if language == "ja":
            config.nav = _in_japanese(config.nav, config.extra["japanese"])
            for palette in config.theme["palette"]:
                palette["toggle"]["name"] = config.extra["japanese"][palette["toggle"]["name"]]
        try:
            build(config)
        except MkDocsException as error:
            sys.stderr.write(f"docs: {error}\n")
            return 1
    return 1 if missing else 0


def untranslated(docs: Path) -> list[str]:
    """The pages that are missing in a language, by their path below the docs."""
    japanese = {page.relative_to(docs / JAPANESE).as_posix() for page in (docs / JAPANESE).rglob("*.md")}
    english = {page.relative_to(docs).as_posix() for page in docs.rglob("*.md")}
    english = {page for page in english if not page.startswith(JAPANESE)}
    return sorted([*(JAPANESE + page for page in english - japanese), *(japanese - english)])


def _in_japanese(nav: Any, titles: dict[str, str]) -> Any:
    """The same navigation with Japanese titles and pages."""
    match nav:
        case list():
            return [_in_japanese(each, titles) for each in nav]
        case dict():
            return {titles[title]: _in_japanese(below, titles) for title, below in nav.items()}
    return JAPANESE + nav


# What mkdocs calls


def on_config(config: "MkDocsConfig") -> "MkDocsConfig":
    """The version is shown on every page."""
    config.copyright = f"Stepflow {__version__}"
    return config


def on_files(files: "Files", config: "MkDocsConfig") -> "Files":
    """Leave out the pages of the other language; those of this one are at the top of its site."""
    japanese = _language(config) == "ja"
    for file in list(files):
        if file.src_uri.startswith(JAPANESE) != japanese and file.is_documentation_page():
            files.remove(file)
        elif japanese and file.src_uri.startswith(JAPANESE):
            file.dest_uri = file.dest_uri.removeprefix(JAPANESE)
            file.url = file.url.removeprefix(JAPANESE)
            file.abs_dest_path = str(Path(config.site_dir) / file.dest_uri)
    return files


def on_page_markdown(markdown: str, **_event: object) -> str:
    """The page without its link to the other language, which the header has."""
    return LANGUAGE_LINK.sub("", markdown)


def on_page_context(_context: dict[str, Any], page: "Page", config: "MkDocsConfig", **_event: object) -> None:
    """The header links to the same page in the other language."""
    here, url = _language(config), page.file.url
    links = {here: url, OTHER[here]: JAPANESE + url if here == "en" else _above(url)}
    config.extra["alternate"] = [
        {"name": name, "link": links[language], "lang": language} for language, name in LANGUAGES.items()
    ]


def _above(url: str) -> str:
    """A page of the folder above the site, so the theme's `url` filter goes there from the page of that name.

    The filter counts what follows the dots from the page's own folder.
    """
    folder = PurePosixPath(url).parent
    return "../" * (len(folder.parts) + 1) + (folder / url).as_posix()


def _language(config: "MkDocsConfig") -> str:
    return str(config.theme["language"])


if __name__ == "__main__":
    sys.exit(main())
