"""Whether nodes of an architecture or version may join a cluster."""

import base64
import sys
import tempfile
from pathlib import Path

from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.kit import HypershiftError, Manifest, UsageError, key_of
from hypershift.kube import Client, kinds


def check_architecture(arch: str, cluster: Manifest) -> None:
    """Refuse an architecture that the cluster's release has no images for."""
    payload = cluster.get("status", {}).get("payloadArch", "")
    if not payload:
        _warn("the HostedCluster does not say its payload's architecture; not checked")
    elif payload not in ("Multi", arch.upper()):
        raise UsageError(
            f"NodePool CPU arch, {arch}, is not supported by the HostedCluster payload type, "
            f"{payload}"
        )


async def check_version(client: Client, image: str, cluster: Manifest) -> None:
    """Refuse a release that is too new or too old for the cluster's control plane."""
    # A registry's client is large, and most commands never look at a release.
    from hypershift.oci import Trust, read_pull_secret  # noqa: PLC0415
    from hypershift.release import Releases, Version, why_no_skew  # noqa: PLC0415

    control_plane = control_plane_version(cluster)
    name = cluster["spec"].get("pullSecret", {}).get("name", "")
    secret = await client.get(kinds.SECRET, name, key_of(cluster).namespace)
    content = base64.b64decode(secret["data"][DOCKER_CONFIG])
    try:
        with tempfile.TemporaryDirectory() as place:
            releases = Releases(Path(place), trust=Trust(loopback=True))
            release = await releases.find(image, read_pull_secret(content))
    except (HypershiftError, OSError) as error:
        _warn(f"unable to access the payload, skipping the minor version check: {error}")
        return
    if why := why_no_skew(Version.parse(control_plane), release.semantic):
        raise UsageError(why)


def control_plane_version(cluster: Manifest) -> str:
    """The newest version that was completed, else the newest or the one being installed."""
    version = cluster.get("status", {}).get("version", {})
    history = version.get("history") or []
    completed = [entry for entry in history if entry.get("state") == "Completed"]
    chosen = (completed or history or [version.get("desired", {})])[0]
    return str(chosen.get("version", ""))


def _warn(message: str) -> None:
    sys.stderr.write(f"WARNING: {message}\n")
