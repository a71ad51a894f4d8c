"""A management cluster for operators: real API server, real garbage collection, no kubelets.

`World` plays what is missing: the cloud that gives Services their addresses and the kubelets that
make workloads ready.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from hypershift.kit import Manifest
from hypershift.kube import Client, NotFound, kinds

WRITTEN = (
    kinds.SECRET,
    kinds.CONFIG_MAP,
    kinds.SERVICE,
    kinds.NETWORK_POLICY,
    kinds.DEPLOYMENT,
    kinds.STATEFUL_SET,
    kinds.CONTROL_PLANE_COMPONENT,
    kinds.HOSTED_CONTROL_PLANE,
    kinds.CAPI_CLUSTER,
    kinds.LOCAL_CLUSTER,
)


@dataclass
class World:
    """The management cluster and the parts of it that this test plays."""

    client: Client
    reachable: bool = True
    playing: bool = True
    asked: list[str] = field(default_factory=list)

    async def check(self, host: str, port: int, authority: str, name: str) -> str:
        assert name
        assert "BEGIN CERTIFICATE" in authority
        self.asked.append(f"{host}:{port}")
        return "" if self.reachable else f"{host} is not reachable"

    async def play(self) -> None:
        while True:
            if self.playing:
                await self._give_addresses()
                await self._make_ready()
            await asyncio.sleep(0.1)

    async def _give_addresses(self) -> None:
        for service in await self.client.list(kinds.SERVICE):
            status = (service.get("status") or {}).get("loadBalancer") or {}
            if service["spec"].get("type") == "LoadBalancer" and not status.get("ingress"):
                given = {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}}
                await self._status(service, given)

    async def _make_ready(self) -> None:
        for resource in (kinds.STATEFUL_SET, kinds.DEPLOYMENT):
            for workload in await self.client.list(resource):
                wanted = ready_status(workload)
                known = workload.get("status") or {}
                if any(known.get(name) != value for name, value in wanted.items()):
                    await self._status(workload, wanted)

    async def _status(self, found: Manifest, status: Manifest) -> None:
        resource = kinds.resource_of(found)
        metadata = found["metadata"]
        with suppress(NotFound):
            await self.client.patch(
                resource,
                metadata["name"],
                {"status": status},
                metadata["namespace"],
                subresource="status",
            )

    async def until(
        self, what: Callable[[], Awaitable[Any]], seconds: float = 90, about: str = ""
    ) -> Any:
        """Wait until something holds, and give it."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    if found := await what():
                        return found
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise AssertionError(f"still not so after {seconds} s: {about or what}") from None

    async def condition(self, name: str, kind: str, status: str, reason: str = "") -> Manifest:
        """Wait until a HostedCluster's condition says this."""

        async def says() -> Manifest | None:
            cluster = await self.client.find(kinds.HOSTED_CLUSTER, name, "clusters")
            known = ((cluster or {}).get("status") or {}).get("conditions") or ()
            for found in known:
                if found["type"] == kind and found["status"] == status:
                    return found if reason in ("", found["reason"]) else None
            return None

        found: Manifest = await self.until(says, about=f"{name}: {kind}={status} {reason}")
        return found

    async def versions(self) -> dict[tuple[str, ...], str]:
        """The resource version of every object that operators write."""
        found: dict[tuple[str, ...], str] = {}
        for resource in (*WRITTEN, kinds.NAMESPACE, kinds.HOSTED_CLUSTER):
            for item in await self.client.list(resource):
                metadata = item["metadata"]
                place = (resource.kind, metadata.get("namespace", ""), metadata["name"])
                found[place] = metadata["resourceVersion"]
        return found


def ready_status(workload: Manifest) -> Manifest:
    replicas = workload["spec"].get("replicas", 1)
    counts = ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas")
    status: Manifest = dict.fromkeys(counts, replicas)
    status["observedGeneration"] = workload["metadata"]["generation"]
    if workload["kind"] == "Deployment":
        live = (workload.get("status") or {}).get("conditions")
        status["conditions"] = live or [
            {
                "type": "Available",
                "status": "True",
                "reason": "Played",
                "lastTransitionTime": "2026-01-01T00:00:00Z",
                "lastUpdateTime": "2026-01-01T00:00:00Z",
            }
        ]
    return {name: value for name, value in status.items() if value != []}
