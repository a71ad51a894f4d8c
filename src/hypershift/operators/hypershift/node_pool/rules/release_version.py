"""Versions of releases, as far as a pool compares them; `release/` owns the policies."""

import re

_VERSION = re.compile(r"v?([0-9]{1,9})\.([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:[-+].*)?")


def parse(version: str) -> tuple[int, int, int] | None:
    """Major, minor and patch; None for what is no version. A pre-release counts as its release."""
    found = _VERSION.fullmatch(version)
    return (int(found[1]), int(found[2]), int(found[3] or 0)) if found else None


def major_minor(version: str) -> tuple[int, int]:
    """Major and minor, zeros for what is no version."""
    major, minor, _ = parse(version) or (0, 0, 0)
    return major, minor
