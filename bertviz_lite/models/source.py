"""Where a model's files are, and the errors that name them."""

from dataclasses import dataclass
from pathlib import Path

from bertviz_lite.basics.one_line_error import OneLineError


class ModelError(OneLineError, ValueError):
    """A model could not be loaded; the message is one line and says what to do next."""

    __module__ = "bertviz_lite"


class IncompleteError(ModelError):
    """A file of the model is not there (from the hub it may still come)."""


@dataclass(frozen=True)
class Source:
    """A folder to read, what the reader called it, and how to get its files afresh."""

    folder: Path
    name: str
    again: str

    def error(self, what: str, advice: str | None = None) -> ModelError:
        """Make the error that names the model, what is wrong with it, and what to do."""
        return ModelError(f"{self.name}: {what} {self.again if advice is None else advice}")

    def lacks(self, what: str, advice: str | None = None) -> IncompleteError:
        """Make the error for a file that is not there."""
        return IncompleteError(f"{self.name}: {what} {self.again if advice is None else advice}")
