"""What a release contains, and which versions may follow or accompany which."""

from hypershift.release.announcement import supported_versions
from hypershift.release.boot_images import STREAM_ARCHITECTURES, BootImages
from hypershift.release.documents import InvalidRelease, read_release
from hypershift.release.lookup import Releases
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
    "STREAM_ARCHITECTURES",
    "BootImages",
    "InvalidRelease",
    "Product",
    "Release",
    "Releases",
    "Version",
    "override",
    "read_release",
    "supported",
    "supported_versions",
    "why_no_skew",
    "why_no_upgrade",
    "why_unsupported",
]
