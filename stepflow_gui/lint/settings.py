"""What a person can set for a lint run."""

GUIDE = "guide"


class Settings:
    """`runtime` is the era that findings are about, by its public name or `guide`; None takes each format's default.

    Which eras there are, and the defaults, is said in `formats.climpt.eras`: a name is one of `ERAS`.
    """

    __slots__ = ("runtime",)

    def __init__(self, runtime: str | None = None) -> None:
        self.runtime = runtime

    @property
    def guide(self) -> bool:
        """Whether files are judged by the guide alone, not by what an upstream version makes of them."""
        return self.runtime == GUIDE
