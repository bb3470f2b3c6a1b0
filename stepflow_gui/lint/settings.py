"""What a person can set for a lint run."""

GUIDE = "guide"


class Settings:
    """`runtime` is the era that the messages are about, by its public name; None takes each format's default."""

    __slots__ = ("runtime",)

    def __init__(self, runtime: str | None = None) -> None:
        self.runtime = runtime

    @property
    def guide(self) -> bool:
        """Whether files are judged by the guide alone, not by what an upstream version makes of them."""
        return self.runtime == GUIDE
