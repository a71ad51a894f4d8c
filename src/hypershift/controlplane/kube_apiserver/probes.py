"""Probes of an API server whose etcd has shards.

An API server fails its checks while any etcd cluster that it knows is away. Its kubelet would take
it out of every Service then, and with a shard all kinds would be gone. So probes leave the shards'
checks out; `EtcdAvailable` tells of a shard that is away.
"""

from collections.abc import Iterator

from hypershift.component import View, edit
from hypershift.controlplane.kube_apiserver.common import NAME, etcd_overrides
from hypershift.kit import Manifest

#: The probes that ask for everything; the third one leaves out whatever etcd is to blame for.
PROBES = ("startupProbe", "readinessProbe")


def shard_checks(view: View) -> Iterator[str]:
    """Yield the names by which an API server checks shards: it counts their addresses."""
    places = {override.partition("#")[2] for override in etcd_overrides(view)}
    for number in range(len(places)):
        yield f"etcd-override-{number}"
        yield f"etcd-override-readiness-{number}"


def probed(view: View, manifest: Manifest) -> Manifest:
    """Let an API server be ready that misses a shard alone."""
    excluded = "&".join(f"exclude={name}" for name in shard_checks(view))
    if not excluded:
        return manifest

    def asking(container: Manifest) -> Manifest:
        for probe in PROBES:
            path = (probe, "httpGet", "path")
            container = edit.at(container, path, lambda found: f"{found}?{excluded}")
        return container

    return edit.change_container(manifest, NAME, asking)
