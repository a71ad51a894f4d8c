"""Where projects on GitHub publish their releases."""

from hypershift.parts.part import Release


def github(repository: str, tag: str, asset: str, checksums: str, member: str = "") -> Release:
    """A release's asset, its checksums, and where in the asset a binary lies."""
    base = f"https://github.com/{repository}/releases/download/{tag}"
    return Release(f"{base}/{asset}", f"{base}/{checksums}", member)
