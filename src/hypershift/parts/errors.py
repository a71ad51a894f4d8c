"""What can go wrong on the way to a part, each in one sentence that says what to do."""

from hypershift.kit import TerminalError, TransientError, UsageError


class UnknownPart(UsageError):
    """A name that the table does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(f'there is no part "{name}": `hypershift parts list` shows them all')
        self.name = name


class PartMissing(TerminalError):
    """A part that was expected to be there and is not."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"part {name} is not in the cache: run `hypershift parts fetch {name}` first"
        )
        self.name = name


class PartUnavailable(TransientError):
    """No source could give a part."""


class ChecksumMismatch(TransientError):
    """A download whose bytes are not the published ones."""


class SignatureRefused(TransientError):
    """A download without a valid signature of those who publish it."""


class BuildFailed(TerminalError):
    """A compiler run that ended with an error of its own."""
