"""One process with guest configuration and approvals of twenty clusters, some of them hostile.

`python -m tests.bench.hostile_child` reads a JSON list of kubeconfigs, the hostile ones first, and
prints latency and memory as JSON. The servers run in other processes: their work is not ours.
"""

import asyncio
import json
import logging
import random
import resource
import sys
import time
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import structlog
from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport

from hypershift.kit import Manifest, Secret, annotations_of, rfc3339
from hypershift.kube import Client, kinds
from hypershift.operators import guest_config, machine_approver
from hypershift.pki import Leaf, new_authority
from hypershift.release import Product, Release
from hypershift.runtime import Controller, Done, Manager, Outcome, Scope

#: So many clusters may be hostile; the others are measured.
HOSTILE = 4
SECONDS, BETWEEN, SETTLE = 20.0, 0.5, 10.0
STAMP = "bench/asked-at"
IMAGE = "registry.example/release:1.35.8"
TAGS = ("kube-proxy", "kube-router", "coredns", "konnectivity-agent")
NOW = datetime.now(UTC)
BOOT = new_authority("signer", NOW).issue(
    Leaf("system:node-bootstrapper", organizations=("system:bootstrappers",)), NOW
)


class Releases:
    """A registry with one release."""

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        del pull_secret
        images = {tag: f"registry.example/{tag}:1" for tag in TAGS}
        return Release("1.35.8", Product.KUBERNETES, images, image, image)


def an_object(of: Any, name: str, namespace: str, **fields: Any) -> Manifest:
    metadata = {"name": name, "namespace": namespace}
    return {
        "apiVersion": of.api_version, "kind": of.kind, "metadata": metadata, **fields,
    }  # fmt: skip


def secret(name: str, namespace: str, **data: bytes) -> Manifest:
    content = {key.replace("_", "."): b64encode(value).decode() for key, value in data.items()}
    return an_object(kinds.SECRET, name, namespace, data=content)


def manifests(number: int, kubeconfig: bytes) -> list[Manifest]:
    """A control plane that is up, as far as its inside is concerned."""
    place = f"clusters-{number}"
    spec = {
        "releaseImage": IMAGE,
        "platform": {"type": "None"},
        "services": [],
        "networking": {
            "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
            "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
        },
    }
    conditions = [
        {"type": kind, "status": "True", "lastTransitionTime": rfc3339(NOW)}
        for kind in ("Available", "KubeAPIServerAvailable")
    ]
    port = {"ports": [{"port": 8091}]}
    address = {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}}
    return [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": place}},
        secret("hcco-kubeconfig", place, kubeconfig=kubeconfig),
        secret("kas-bootstrap-client", place, tls_crt=BOOT.certificate),
        secret("konnectivity-agent", place, tls_crt=b"c", tls_key=b"k"),
        an_object(kinds.CONFIG_MAP, "konnectivity-ca-bundle", place, data={"ca.crt": "CA"}),
        an_object(kinds.SERVICE, "konnectivity-server", place, spec=port, status=address),
        an_object(
            kinds.HOSTED_CONTROL_PLANE, "demo", place, spec=spec, status={"conditions": conditions}
        ),
    ]


async def build(client: Client, number: int, kubeconfig: bytes) -> None:
    for manifest in manifests(number, kubeconfig):
        status = manifest.pop("status", None)
        made = await client.create(manifest)
        if status:
            await client.replace(made | {"status": status}, subresource="status")


def measured(one: Controller[Any], latencies: list[float]) -> Controller[Any]:
    """The controller, telling how long a stamped change took until its pass was over."""
    seen: dict[str, str] = {}

    async def note(scope: Scope) -> Outcome:
        stamp = annotations_of(scope.object).get(STAMP, "")
        if stamp and seen.get(scope.key.namespace) != stamp:
            seen[scope.key.namespace] = stamp
            latencies.append(time.monotonic() - float(stamp))
        return Done()

    return replace(one, normal=(*one.normal, note))


async def ask(client: Client, number: int) -> None:
    """Change one control plane again and again."""
    await asyncio.sleep(random.uniform(0, BETWEEN))  # noqa: S311 - spreads the changes
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        patch = {"metadata": {"annotations": {STAMP: str(time.monotonic())}}}
        await client.patch(kinds.HOSTED_CONTROL_PLANE, "demo", patch, f"clusters-{number}")
        await asyncio.sleep(BETWEEN)


async def run(kubeconfigs: list[str]) -> dict[str, float]:
    server = SimServer()
    client = Client(SimTransport(server), manager="bench")
    for number, kubeconfig in enumerate(kubeconfigs):
        await build(client, number, kubeconfig.encode())
    latencies: list[float] = []
    first, *others = guest_config.controllers(Releases())
    controllers = [measured(first, latencies), *others, *machine_approver.controllers()]
    manager = Manager(Client(SimTransport(server, latency=(0.001, 0.003))), controllers)
    task = asyncio.create_task(manager.run())
    await asyncio.sleep(SETTLE)
    latencies.clear()
    await asyncio.gather(*(ask(client, one) for one in range(HOSTILE, len(kubeconfigs))))
    await asyncio.sleep(2)
    manager.stop()
    await asyncio.wait({task}, timeout=30)
    ordered = sorted(latencies)
    return {
        "passes": len(ordered),
        "p50": ordered[len(ordered) // 2],
        "p99": ordered[int(len(ordered) * 0.99)],
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


if __name__ == "__main__":
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    sys.stdout.write(json.dumps(asyncio.run(run(json.load(sys.stdin)))) + "\n")
