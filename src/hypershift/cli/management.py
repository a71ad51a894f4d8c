"""Finding and asking the management cluster that a command works on."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from hypershift.kit import Manifest, UsageError
from hypershift.kube import (
    ApiError,
    Client,
    Forbidden,
    NotFound,
    Resource,
    Unauthorized,
    Unavailable,
    kinds,
)
from hypershift.local.cluster import state

NO_CONFIGURATION = (
    "invalid configuration: no configuration has been provided, "
    "try setting KUBERNETES_MASTER environment variable"
)
ADDRESS_PREFERENCE = ("ExternalDNS", "ExternalIP", "InternalIP")


def kubeconfig_path(flag: str) -> Path:
    """The kubeconfig to use: the flag's, $KUBECONFIG's, the user's own, the embedded cluster's.

    $KUBECONFIG may list several files; the first that exists is taken, and when none does there
    is no configuration: a user who set it does not want another cluster.
    """
    if flag:
        if not Path(flag).exists():
            raise UsageError(
                f'unable to build config from kubeconfig "{flag}": '
                f"stat {flag}: no such file or directory"
            )
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
    """A client of the management cluster, or an error that says why it cannot be reached."""
    path = _kubeconfig(flag)
    async with Client.connect(path) as client:
        with _in_words(path):
            yield client


def _kubeconfig(flag: str) -> Path:
    try:
        return kubeconfig_path(flag)
    except UsageError as error:
        raise UsageError(f"unable to get kubernetes config: {error}") from None


#: What the API server answers, and what a user can do about it.
ADVICE: tuple[tuple[type[ApiError], str], ...] = (
    (Unauthorized, "its credentials are not accepted: is it of another cluster, or too old?"),
    (Forbidden, "its user may not do this: ask for the rights, or use another kubeconfig"),
)


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """Name the kubeconfig that led to an error, and what may help."""
    try:
        yield
    except Unavailable as error:
        if error.status:
            raise
        raise UsageError(
            f"the management cluster of kubeconfig {path} cannot be reached: {error.message}; "
            "is it running? (an embedded one: `hypershift local up`)"
        ) from None
    except ApiError as error:
        for kind, advice in ADVICE:
            if isinstance(error, kind):
                raise UsageError(f"kubeconfig {path}: {advice} ({error})") from None
        if isinstance(error, NotFound) and "the server could not find the requested" in str(error):
            raise UsageError(
                f"the cluster of kubeconfig {path} does not know HyperShift's kinds: install them "
                "with `hypershift install`, or use the kubeconfig of a management cluster"
            ) from None
        raise


@asynccontextmanager
async def management_named() -> AsyncIterator[Client]:
    """A client of the management cluster whose errors are shown as the API server returns them."""
    async with Client.connect(_kubeconfig("")) as client:
        yield client


def node_address(flag: str) -> str:
    """The address of the first node of the management cluster, the most public one it has."""

    async def ask() -> list[Manifest]:
        async with management(flag) as client:
            return await client.list(kinds.NODE)

    kubeconfig_path(flag)  # whose complaint the original gives as it is, here alone
    for node in asyncio.run(ask()):
        addresses = node.get("status", {}).get("addresses", [])
        by_type = {entry["type"]: entry["address"] for entry in addresses}
        for kind in ADDRESS_PREFERENCE:
            if kind in by_type:
                return str(by_type[kind])
    raise UsageError("no node of the management cluster has an address")


async def existing(client: Client, resource: Resource, name: str, namespace: str) -> Manifest:
    """An object that the user names; a sentence instead of the API's answer when it is missing."""
    found = await client.find(resource, name, namespace)
    if found is None:
        kind = _KINDS.get(resource.kind, resource.kind)
        raise UsageError(f"there is no {kind} {namespace}/{name}")
    return found


#: How messages call the kinds that users name.
_KINDS = {"HostedCluster": "hosted cluster", "NodePool": "node pool"}
