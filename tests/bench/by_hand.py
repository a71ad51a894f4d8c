"""A control plane's containers as pods that somebody writes by hand, without any operator.

What the operator made stays but for the workloads: the pods are their templates, so that the same
programs run with the same flags, files and probes. Each group waits for the one before it.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator

from tests.bench.seen import until_true

from hypershift.kit import Manifest, annotations_of, labels_of
from hypershift.kube import Client, Resource, kinds

ORDER = ("etcd", "kube-apiserver")
WORKLOADS: tuple[Resource, ...] = (kinds.STATEFUL_SET, kinds.DEPLOYMENT)
CLAIM = "by-hand"


async def take_away(client: Client, namespace: str) -> list[Manifest]:
    """Delete the workloads with their pods and disks; returns what they were."""
    found = [
        {**each, "kind": kind.kind}
        for kind in WORKLOADS
        for each in await client.list(kind, namespace)
    ]
    for each in found:
        kind = kinds.STATEFUL_SET if each["kind"] == "StatefulSet" else kinds.DEPLOYMENT
        await client.delete(kind, each["metadata"]["name"], namespace)
    while await client.list(kinds.POD, namespace):  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.2)
    await client.delete_collection(kinds.PERSISTENT_VOLUME_CLAIM, namespace)
    # Without its disk the member founds a cluster again, instead of looking for one to join.
    patch = {"data": {"initial-cluster-state": "new"}}
    await client.patch(kinds.CONFIG_MAP, "etcd-bootstrap", patch, namespace)
    return found


async def boot(client: Client, workloads: Iterable[Manifest], namespace: str) -> float:
    """Create the pods group by group; the seconds until the last one is ready."""
    began = time.monotonic()
    for group in groups(list(workloads)):
        for manifest in group:
            await client.create(manifest)
        names = [each["metadata"]["name"] for each in group if each["kind"] == "Pod"]
        await until_true(client, kinds.POD, names, namespace, "Ready")
    return time.monotonic() - began


def groups(workloads: list[Manifest]) -> Iterator[list[Manifest]]:
    """What is created together: etcd with its claim, the API server, all the rest."""
    for name in ORDER:
        yield [m for w in workloads if w["metadata"]["name"] == name for m in by_hand(w)]
    yield [m for w in workloads if w["metadata"]["name"] not in ORDER for m in by_hand(w)]


def by_hand(workload: Manifest) -> Iterator[Manifest]:
    """The pod of a workload with one replica, and its claim when it has one."""
    metadata, spec = workload["metadata"], workload["spec"]
    template, namespace = spec["template"], metadata["namespace"]
    name, pod = metadata["name"], dict(template["spec"])
    for claim in spec.get("volumeClaimTemplates") or ():
        yield {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": CLAIM, "namespace": namespace},
            "spec": claim["spec"],
        }
        volume = {
            "name": claim["metadata"]["name"],
            "persistentVolumeClaim": {"claimName": CLAIM},
        }
        pod["volumes"] = [*pod.get("volumes", ()), volume]
        name = f"{name}-0"
        pod |= {"hostname": name, "subdomain": spec["serviceName"]}
    yield {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "labels": labels_of(template),
            "annotations": annotations_of(template),
        },
        "spec": pod,
    }
