"""`get releases`: the releases that there are here, and who runs them."""

import asyncio
import json
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from hypershift.cli.consoles import embedded_home
from hypershift.cli.management import management
from hypershift.cli.output import show
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.local.cluster import state

HEADER = ("RELEASE", "VERSION", "CLUSTERS", "NODEPOOLS")
SECONDS = 5.0


@dataclass(slots=True)
class Release:
    """One release image, its version where it is known, and its users."""

    image: str
    version: str = ""
    clusters: list[str] = field(default_factory=list)
    pools: list[str] = field(default_factory=list)

    def as_data(self) -> Manifest:
        """The form that programs read."""
        return {
            "image": self.image,
            "version": self.version,
            "clusters": self.clusters,
            "nodePools": self.pools,
        }


def gathered(
    clusters: list[Manifest], pools: list[Manifest], offered: dict[str, str]
) -> list[Release]:
    """Releases that are offered (image to version) and that are in use, each once."""
    found = {image: Release(image, version) for image, version in offered.items()}
    for cluster in clusters:
        for entry in (cluster.get("status", {}).get("version") or {}).get("history") or ():
            known = found.setdefault(entry["image"], Release(entry["image"]))
            known.version = known.version or entry.get("version", "")
        image = cluster["spec"]["release"]["image"]
        found.setdefault(image, Release(image)).clusters.append(_name(cluster))
    for pool in pools:
        image = pool["spec"]["release"]["image"]
        release = found.setdefault(image, Release(image))
        release.version = release.version or pool.get("status", {}).get("version", "")
        release.pools.append(_name(pool))
    return sorted(found.values(), key=lambda each: each.image)


@dataclass(frozen=True, slots=True)
class GetReleases:
    """What `get releases` is given."""

    kubeconfig: str
    namespace: str
    output: str


async def run(options: GetReleases) -> int:
    """Print them."""
    async with management(options.kubeconfig) as client:
        clusters = await client.list(kinds.HOSTED_CLUSTER, options.namespace)
        pools = await client.list(kinds.NODE_POOL, options.namespace)
    home = embedded_home(options.kubeconfig)
    offered = await asyncio.to_thread(_offered, home) if home else {}
    found = gathered(clusters, pools, offered)
    lines = [
        (each.image, each.version, ", ".join(each.clusters) or "-", ", ".join(each.pools) or "-")
        for each in found
    ]
    show([each.as_data() for each in found], options.output, HEADER, lines)
    return 0


def _offered(home: state.Layout) -> dict[str, str]:
    """What the registry of an embedded cluster has; nothing when it does not answer."""
    from hypershift import payload  # noqa: PLC0415 - what makes images is large

    spec = state.load(home)
    if spec is None:
        return {}
    repository = payload.REPOSITORY.partition("/")[2]
    url = f"http://{spec.plan.registry}/v2/{repository}/release"
    try:
        with _asked(f"{url}/tags/list") as answer:
            tags = json.load(answer).get("tags") or []
        return {f"{payload.release_reference(tag)}@{_digest(url, tag)}": tag for tag in tags}
    except (OSError, ValueError, urllib.error.URLError):
        return {}


def _digest(url: str, tag: str) -> str:
    """What a tag means now: clusters are named by tag and digest."""
    with _asked(f"{url}/manifests/{tag}", "HEAD") as answer:
        return str(answer.headers["Docker-Content-Digest"])


def _asked(url: str, method: str = "GET") -> Any:
    headers = {"Accept": "application/vnd.oci.image.manifest.v1+json, application/json"}
    request = urllib.request.Request(url, method=method, headers=headers)  # noqa: S310 - http
    return urllib.request.urlopen(request, timeout=SECONDS)  # noqa: S310 - http


def _name(manifest: Manifest) -> str:
    metadata = manifest["metadata"]
    return f"{metadata['namespace']}/{metadata['name']}"
