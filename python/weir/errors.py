"""What goes wrong: the user's mistakes, and runs that fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .results import Results


class InputError(ValueError):
    """The input is wrong. Its text says where, which key is to blame, and why.

    Several mistakes of one experiment are one exception, whose text has a line for each;
    `problems` has them one by one, and the other attributes are those of the first.
    """

    file: str | None
    """The file that is wrong; None where the mistake stands in no file."""
    line: int | None
    """Counted from 1."""
    column: int | None
    """Counted from 1."""
    key: str
    """The dotted key to blame, as in "buffer.ingress"; empty: none is."""
    message: str
    """What is wrong with it, without place and key."""
    problems: list[InputError]
    """Each mistake by itself, in the order of the file; the only one: this exception."""

    def __init__(
        self,
        text: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        key: str = "",
        message: str | None = None,
    ) -> None:
        super().__init__(text)
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.message = text if message is None else message
        self.problems = [self]

    def __reduce__(self):
        arguments = (str(self), self.file, self.line, self.column, self.key, self.message)
        if self.problems == [self]:
            return type(self), arguments
        return type(self), arguments, {"problems": self.problems}


class RunError(RuntimeError):
    """A run has failed: a deadlock, a broken invariant, not enough memory."""

    results: Results | None
    """Of weir.run(): all runs that ended, failed ones among them (`results.runs` says why)."""

    def __init__(self, text: str, results: Results | None = None) -> None:
        super().__init__(text)
        self.results = results


def mistake(key: str, message: str) -> InputError:
    """An InputError that stands in no file."""
    return InputError(f"{key}: {message}", key=key, message=message)
