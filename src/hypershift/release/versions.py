"""Versions, and which of them may follow or accompany which."""

import re
from dataclasses import dataclass

from hypershift.kit import InvalidSpec
from hypershift.release.product import Product

OPENSHIFT_5 = 5

_SEMANTIC = re.compile(
    r"v?([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})(?:-([0-9A-Za-z.-]{1,200}))?(?:\+[0-9A-Za-z.-]+)?"
)

#: How many minors nodes may be older than their API server, in every product.
NODE_SKEW = 3

#: The minors that this operator hosts, newest first.
MINORS: dict[Product, tuple[str, ...]] = {
    Product.OPENSHIFT: ("5.1", "5.0", *(f"4.{minor}" for minor in range(23, 13, -1))),
    Product.KUBERNETES: ("1.35", "1.34", "1.33"),
}


@dataclass(frozen=True, order=True, slots=True)
class Version:
    """A semantic version; a pre-release sorts before its release."""

    major: int
    minor: int
    patch: int
    #: What follows the dash, so that it sorts: a release after every pre-release.
    stage: tuple[tuple[int, int, str], ...] = ((1, 0, ""),)

    @classmethod
    def parse(cls, text: str) -> "Version":
        """Read `4.18.0`, `v1.35.8` or `4.19.0-ec.4`."""
        found = _SEMANTIC.fullmatch(text.strip())
        if found is None:
            raise InvalidSpec(_why_no_version(text), field="spec.release")
        major, minor, patch, stage = found.groups()
        return cls(int(major), int(minor), int(patch), _stage(stage or ""))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def line(self) -> str:
        """Major and minor: `4.18`."""
        return f"{self.major}.{self.minor}"

    def minors_above(self, other: "Version") -> int:
        """How many minors this is newer than `other`."""
        return self.counted() - other.counted()

    def counted(self) -> int:
        """Minors on one line: OpenShift 5.0 is what 4.23 is, and 5.1 what 4.24 would be."""
        if self.major == OPENSHIFT_5:
            return 4 * 1000 + 23 + self.minor
        return self.major * 1000 + self.minor


def _stage(text: str) -> tuple[tuple[int, int, str], ...]:
    if not text:
        return ((1, 0, ""),)
    # Numbers sort before words, and both before a release.
    return tuple(
        (0, int(part), "") if part.isdigit() else (0, 1 << 64, part) for part in text.split(".")
    )


def _why_no_version(text: str) -> str:
    """Return in the original's words why a text is not a version."""
    if not text:
        return "Version string empty"
    parts = text.split(".", 2)
    if len(parts) < 3:  # noqa: PLR2004 - major, minor, patch
        return "No Major.Minor.Patch elements found"
    for name, part in zip(("major", "minor", "patch"), parts, strict=True):
        number = re.split(r"[-+]", part)[0] if name == "patch" else part
        if not re.fullmatch("[0-9]+", number):
            return f'Invalid character(s) found in {name} number "{number}"'
    return f'Invalid character(s) found in "{text}"'


def why_unsupported(product: Product, version: Version) -> str:
    """Return why this operator does not host a version; empty when it does."""
    newest, oldest = _bounds(product)
    if version.minors_above(newest) > 0:
        return f"the latest version supported is: {newest.line}. Attempting to use: {version.line}"
    if version.minors_above(oldest) < 0:
        return f"the minimum version supported is: {oldest.line}. Attempting to use: {version.line}"
    return ""


def why_no_upgrade(product: Product, current: Version, wanted: Version) -> str:
    """Return why a control plane may not go from `current` to `wanted`; empty when it may."""
    distance = wanted.minors_above(current)
    match product:
        case Product.KUBERNETES if distance < 0:
            return f"a control plane never goes from {current.line} back to {wanted.line}"
        case Product.KUBERNETES if distance > 1:
            return f"one minor at a time: {current.line} cannot become {wanted.line} directly"
        case Product.OPENSHIFT if distance < 0:
            return f"y-stream downgrade from {current.line} to {wanted.line} is not supported"
    return ""


def why_no_skew(control_plane: Version, node: Version) -> str:
    """Return why nodes of version `node` may not join this control plane; empty when they may."""
    distance = control_plane.minors_above(node)
    # 5.0 and 4.23 are the same minor, so that what comes after it decides between them.
    ahead = (node.patch, node.stage) > (control_plane.patch, control_plane.stage)
    if distance < 0 or (distance == 0 and ahead):
        return f"node version {node} is newer than the control plane's {control_plane}"
    if distance > NODE_SKEW:
        return f"node version {node} is over {NODE_SKEW} minors older than {control_plane}"
    return ""


def supported(product: Product) -> tuple[str, ...]:
    """The minors that this operator hosts, newest first."""
    return MINORS[product]


def _bounds(product: Product) -> tuple[Version, Version]:
    minors = MINORS[product]
    return Version.parse(f"{minors[0]}.0"), Version.parse(f"{minors[-1]}.0")
