"""Quantities as Kubernetes writes them: `8Gi`, `500m`."""

import re

from hypershift.kit import UsageError

_QUANTITY = re.compile(r"^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$")


def check_quantity(text: str, prefix: str) -> None:
    """Refuse what Kubernetes does not take as a quantity."""
    if not _QUANTITY.match(text):
        raise UsageError(
            f"{prefix}: quantities must match the regular expression '{_QUANTITY.pattern}'"
        )
