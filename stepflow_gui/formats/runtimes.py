"""The runners that findings can be about, of all formats together."""

from stepflow_gui.formats.climpt.eras import ERAS, OTHER_RUNNERS

RELEASE_FORMS = ("takt-X.Y", "takt-X.Y..X.Y")
REGISTRY_RUNNERS = "climpt"  # how the names of runners begin that know nothing of pieces


class RuntimeNames(tuple[str, ...]):
    """Names to choose from. Releases of TAKT are among them, as `takt-0.27` or `takt-0.12..0.35`, and not listed."""

    __slots__ = ()

    @property
    def forms(self) -> tuple[str, ...]:
        """All names with the forms of those that aren't listed, for messages."""
        return (*self, *RELEASE_FORMS)

    def release_meant(self, word: str) -> str | None:
        """The name of releases that a wrong word most likely stands for; None where it has no version in it."""
        from stepflow_gui.formats.takt.releases.setting import runtime_meant

        return None if word.startswith(REGISTRY_RUNNERS) else runtime_meant(word)

    def __contains__(self, name: object) -> bool:
        if super().__contains__(name):
            return True
        if not isinstance(name, str) or not name.startswith(OTHER_RUNNERS):
            return False
        from stepflow_gui.formats.takt.releases.setting import releases_of_runtime  # the tables of all releases

        return releases_of_runtime(name) is not None


_OF_TAKT = ("takt-2026-08-23", "takt-2026-02-07")  # a test holds them to what its room knows, which loads later
RUNTIMES = RuntimeNames((*ERAS, *_OF_TAKT, "takt-latest", "takt-head"))
"""Their public names, `guide` first; one of another format than a file's leaves that one's default."""
