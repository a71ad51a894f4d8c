"""Finding and asking the management cluster that a command works on."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from hypershift.kit import Manifest, UsageError
from hypershift.kube import Client, kinds
from hypershift.local import state

NO_CONFIGURATION = (
    "invalid configuration: no configuration has been provided, "
    "try setting KUBERNETES_MASTER environment variable"
)
ADDRESS_PREFERENCE = ("ExternalDNS", "ExternalIP", "InternalIP")


def kubeconfig_path(flag: str) -> Path:
    """The kubeconfig to use: the flag's, $KUBECONFIG's, the user's own, the embedded cluster's.

    $KUBECONFIG may list several files; the first that exists is taken, and when none does there
    is no configuration: nobody who set it wants another cluster than the one it names.
    """
    if flag:
        return Path(flag)
    if listed := os.environ.get("KUBECONFIG", ""):
        existing = [Path(each) for each in listed.split(os.pathsep) if each and Path(each).exists()]
        if not existing:
            raise UsageError(NO_CONFIGURATION)
        return existing[0]
    own = Path.home() / ".kube" / "config"
    if own.exists():
        return own
    embedded = state.layout(state.DEFAULT_NAME, state.base_directory("")).admin
    if embedded.exists():
        return embedded
    raise UsageError(NO_CONFIGURATION)


@asynccontextmanager
async def management(flag: str = "") -> AsyncIterator[Client]:
    """A client of the management cluster."""
    async with Client.connect(kubeconfig_path(flag)) as client:
        yield client


@asynccontextmanager
async def management_named() -> AsyncIterator[Client]:
    """A client of the management cluster; without a kubeconfig, the original's longer sentence."""
    try:
        path = kubeconfig_path("")
    except UsageError as error:
        raise UsageError(f"unable to get kubernetes config: {error}") from None
    async with Client.connect(path) as client:
        yield client


def node_address(flag: str) -> str:
    """The address of the first node of the management cluster, the most public one it has."""

    async def ask() -> list[Manifest]:
        async with management(flag) as client:
            return await client.list(kinds.NODE)

    for node in asyncio.run(ask()):
        addresses = node.get("status", {}).get("addresses", [])
        by_type = {entry["type"]: entry["address"] for entry in addresses}
        for kind in ADDRESS_PREFERENCE:
            if kind in by_type:
                return str(by_type[kind])
    raise UsageError("no node of the management cluster has an address")
