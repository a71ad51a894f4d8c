"""Where projects on GitHub publish their releases."""

from hypershift.parts.part import Release
from hypershift.parts.signing import Signing


def github_address(repository: str, tag: str, asset: str) -> str:
    """Where an asset of a release is."""
    return f"https://github.com/{repository}/releases/download/{tag}/{asset}"


def github(  # noqa: PLR0917 - in the order in which people read a release's page
    repository: str,
    tag: str,
    asset: str,
    checksums: str,
    member: str = "",
    signed: Signing | None = None,
) -> Release:
    """A release's asset, its checksums, where in the asset a binary lies, and its signature."""
    file, sums = (github_address(repository, tag, each) for each in (asset, checksums))
    return Release(file, sums, member, signed)
