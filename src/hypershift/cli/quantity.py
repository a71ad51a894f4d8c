"""Quantities as flags give them: `8Gi`, `500m`."""

from hypershift.kit import InvalidSpec, UsageError
from hypershift.kit.quantity import canonical


def quantity(text: str, failing: str) -> str:
    """The quantity as Kubernetes prints it, or an error that begins with `failing`."""
    try:
        return canonical(text)
    except InvalidSpec as error:
        raise UsageError(f"{failing}: {error}") from None
