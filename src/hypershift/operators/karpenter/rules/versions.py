"""Which release the version of a class may name."""

from hypershift.kit import InvalidSpec
from hypershift.release import Version, why_no_skew


def why_not(wanted: str, plane: str, current: str) -> str:
    """Return why nodes cannot run a version at all; empty when they can.

    `plane` is the version of the control plane, `current` what nodes of the class run.
    """
    if not plane:
        return "the version of the control plane is not known yet"
    try:
        asked, limit = Version.parse(wanted), Version.parse(plane)
        before = Version.parse(current) if current else None
    except InvalidSpec as error:
        return str(error)
    if asked.minors_above(limit) > 0 or (asked.minors_above(limit) == 0 and asked > limit):
        return f'the latest version supported is: "{plane}". Attempting to use: "{wanted}"'
    if before is not None and asked.minors_above(before) < 0:
        return f'y-stream downgrade from "{current}" to "{wanted}" is not supported'
    return ""


def skew(wanted: str, plane: str) -> str:
    """Return why kubelets of a version do not go with the control plane; empty when they do."""
    try:
        return why_no_skew(Version.parse(plane), Version.parse(wanted))
    except InvalidSpec as error:
        return str(error)
