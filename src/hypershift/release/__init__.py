"""What a release contains, and which versions may follow or accompany which."""

from hypershift.release.product import ALIASES, Product
from hypershift.release.release import Release, override
from hypershift.release.versions import (
    Version,
    supported,
    why_no_skew,
    why_no_upgrade,
    why_unsupported,
)

__all__ = [
    "ALIASES",
    "Product",
    "Release",
    "Version",
    "override",
    "supported",
    "why_no_skew",
    "why_no_upgrade",
    "why_unsupported",
]
