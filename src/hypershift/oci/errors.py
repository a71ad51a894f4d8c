"""What can go wrong with images."""

from hypershift.kit import TerminalError, TransientError


class InvalidReference(TerminalError):
    """A text that names no image."""


class InvalidImage(TerminalError):
    """Content that is not what its digest, its type or the specification says."""


class ImageNotFound(TerminalError):
    """A registry or layout that does not have what was asked for."""


class RegistryDenied(TerminalError):
    """A registry that wants other credentials."""


class RegistryUnavailable(TransientError):
    """A registry that cannot be reached, or answers that it cannot serve now."""
