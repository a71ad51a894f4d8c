"""Versions of releases, as far as a pool compares them; `release/` owns the policies."""

import re

_VERSION = re.compile(r"v?(\d+)\.(\d+)(?:\.(\d+))?(?:[-+].*)?")
#: The first minor of OpenShift 5 follows this one of OpenShift 4.
LAST_MINOR_OF_4 = 23


def parse(version: str) -> tuple[int, int, int] | None:
    """Major, minor and patch; None for what is no version. A pre-release counts as its release."""
    found = _VERSION.fullmatch(version)
    return (int(found[1]), int(found[2]), int(found[3] or 0)) if found else None


def major_minor(version: str) -> tuple[int, int]:
    """Major and minor, zeros for what is no version."""
    major, minor, _ = parse(version) or (0, 0, 0)
    return major, minor


def linear_minor(version: str) -> int | None:
    """Minors on one line, where 5.0 takes the place of 4.23."""
    parsed = parse(version)
    if parsed is None:
        return None
    major, minor, _ = parsed
    return minor + LAST_MINOR_OF_4 if major >= 5 else minor  # noqa: PLR2004 - OpenShift 5
