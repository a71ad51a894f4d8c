"""What a release contains, and which versions may follow or accompany which."""

from hypershift.release.announcement import supported_versions
from hypershift.release.boot_images import STREAM_ARCHITECTURES, BootImages
from hypershift.release.capabilities import (
    CONTRACT,
    FIRST_CONTRACT,
    OURS,
    Capability,
    capabilities_of,
    labels_of_ours,
    read_labels,
)
from hypershift.release.documents import InvalidRelease, read_release
from hypershift.release.lookup import Releases
from hypershift.release.product import ALIASES, Product
from hypershift.release.release import Lookup, Release, override
from hypershift.release.validity import why_invalid
from hypershift.release.versions import (
    Version,
    supported,
    why_no_skew,
    why_no_upgrade,
    why_unsupported,
)

__all__ = [
    "ALIASES",
    "CONTRACT",
    "FIRST_CONTRACT",
    "OURS",
    "STREAM_ARCHITECTURES",
    "BootImages",
    "Capability",
    "InvalidRelease",
    "Lookup",
    "Product",
    "Release",
    "Releases",
    "Version",
    "capabilities_of",
    "labels_of_ours",
    "override",
    "read_labels",
    "read_release",
    "supported",
    "supported_versions",
    "why_invalid",
    "why_no_skew",
    "why_no_upgrade",
    "why_unsupported",
]
