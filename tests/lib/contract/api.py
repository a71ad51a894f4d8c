"""One face for both servers of the contract suite, with short ways to the ordinary objects."""

import asyncio
from collections.abc import Callable
from typing import Any

from tests.lib.server import RealServer
from tests.lib.sim.server import SimServer

from hypershift.kit import Manifest
from hypershift.kube import ApiError, Client, Event, Resource

WIDGET = Resource("contract.hypershift.io", "v1", "widgets", "Widget")
WIDGETS: Manifest = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.contract.hypershift.io"},
    "spec": {
        "group": WIDGET.group,
        "scope": "Namespaced",
        "names": {"plural": "widgets", "singular": "widget", "kind": "Widget"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "x-kubernetes-preserve-unknown-fields": True,
                    }
                },
            }
        ],
    },
}


class Api:
    """A server, a namespace in it, and clients under any manager's name."""

    def __init__(self, connect: Callable[[str], Client], server: RealServer | SimServer) -> None:
        """`connect` gives a client for a manager."""
        self._connect, self._server = connect, server
        self._clients: dict[str, Client] = {}
        self.namespace = ""

    def client(self, manager: str = "alice") -> Client:
        """The client of one manager."""
        if manager not in self._clients:
            self._clients[manager] = self._connect(manager)
        return self._clients[manager]

    async def close(self) -> None:
        """Close every client."""
        for client in self._clients.values():
            await client.close()

    async def expire(self) -> None:
        """Make every version so far too old, as compaction and a restart do."""
        if isinstance(self._server, SimServer):
            self._server.store.compact()
            return
        await self._server.compact()
        self._server.kill("kube-apiserver")
        await asyncio.to_thread(self._server.start_api)
        await self.close()
        self._clients.clear()

    # Objects

    def config_map(self, name: str = "one", **fields: Any) -> Manifest:
        """A ConfigMap; keywords are its data, `labels`, `finalizers` and `owners` its metadata."""
        metadata: Manifest = {"name": name, "namespace": self.namespace}
        for field in ("labels", "annotations", "finalizers", "ownerReferences"):
            if field in fields:
                metadata[field] = fields.pop(field)
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": fields}

    def widget(self, name: str = "one", **spec: Any) -> Manifest:
        """A custom object; keywords are its spec."""
        metadata = {"name": name, "namespace": self.namespace}
        api_version, kind = WIDGET.api_version, WIDGET.kind
        return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}

    def service(self, name: str = "one", **spec: Any) -> Manifest:
        """A Service with a port; keywords are its spec."""
        metadata = {"name": name, "namespace": self.namespace}
        whole = {"ports": [{"port": 80}]} | spec
        return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": whole}

    async def events(
        self, resource: Resource, count: int, *, since: str = "", labels: str = "", **options: Any
    ) -> list[Event]:
        """The first `count` events of a watch."""
        found: list[Event] = []
        stream = self.client().watch(resource, self.namespace, labels, "", since, **options)
        try:
            async with asyncio.timeout(20):
                async for event in stream:
                    found.append(event)
                    if len(found) == count:
                        break
        finally:
            await stream.aclose()
        return found


def version(manifest: Manifest) -> str:
    """The resource version."""
    return str(manifest["metadata"]["resourceVersion"])


async def refusal(attempt: Any) -> ApiError:
    """The error with which a server answers."""
    try:
        answer = await attempt
    except ApiError as error:
        return error
    raise AssertionError(f"the server accepted: {answer}")
