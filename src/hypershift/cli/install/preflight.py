"""`install --check`: what a cluster has and lacks for hosted clusters; nothing is changed."""

import asyncio
import json
import re
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from hypershift.cli.install.crds import crds
from hypershift.cli.install.installed import Installed, look, made_by_us
from hypershift.cli.install.options import InstallOptions
from hypershift.kit import Manifest
from hypershift.kube import Client, Forbidden, kinds
from hypershift.kube.services import load_balancer_ingress

#: From here on the API server knows what our definitions are written in.
OLDEST = (1, 30)
DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class"
#: Node agents that are known to enforce NetworkPolicies.
ENFORCERS = (
    "antrea-agent",
    "azure-npm",
    "calico-node",
    "cilium",
    "kube-network-policies",
    "kube-router",
    "ovnkube-node",
    "weave-net",
)
PATIENCE, INTERVAL = 20.0, 0.5


@dataclass(frozen=True)
class Finding:
    """One line of the answer."""

    subject: str
    fine: bool | None  # None: it could not be checked
    words: str

    @property
    def line(self) -> str:
        mark = {True: "ok", False: "MISSING", None: "unclear"}[self.fine]
        return f"{mark:8} {self.subject:16} {self.words}\n"


async def preflight(client: Client, options: InstallOptions) -> int:
    """Print the findings; 1 when an installation would not work."""
    installed = await look(client)
    findings = [
        await version(client),
        await storage(client),
        await load_balancer(client),
        await policies(client),
        conflicts(await crds(options), installed),
        cluster_api(installed, shared=options.shared),
    ]
    for each in findings:
        sys.stdout.write(each.line)
    return 1 if any(each.fine is False for each in findings) else 0


async def version(client: Client) -> Finding:
    told = json.loads(await client.raw("GET", "/version"))
    found = tuple(int(re.sub(r"\D.*", "", told[name])) for name in ("major", "minor"))
    wanted = ".".join(map(str, OLDEST))
    words = f"Kubernetes {told['gitVersion']}"
    if found >= OLDEST:
        return Finding("version", fine=True, words=words)
    return Finding("version", fine=False, words=f"{words}: {wanted} is the oldest that can host")


async def storage(client: Client) -> Finding:
    found = await client.list(kinds.STORAGE_CLASS)
    for each in found:
        annotations = each["metadata"].get("annotations") or {}
        if annotations.get(DEFAULT_CLASS) == "true":
            return Finding("storage", fine=True, words=f"default class {each['metadata']['name']}")
    words = (
        "no StorageClass is the default one: etcd needs volumes; mark one, or give every "
        "cluster --etcd-storage-class"
    )
    return Finding("storage", fine=None if found else False, words=words)


async def load_balancer(client: Client) -> Finding:
    for service in await client.list(kinds.SERVICE):
        if service["spec"].get("type") == "LoadBalancer" and _addresses(service):
            name = f"{service['metadata']['namespace']}/{service['metadata']['name']}"
            return Finding("load balancer", fine=True, words=f"Service {name} has an address")
    try:
        async with _probe(client) as place:
            got = await _address_soon(client, *place)
    except Forbidden as error:
        return Finding("load balancer", fine=None, words=f"not tried: {error}")
    if got:
        return Finding("load balancer", fine=True, words=f"a Service got the address {got}")
    words = (
        f"no Service of type LoadBalancer got an address in {PATIENCE:.0f} s: publish clusters "
        "by NodePort, or install a load balancer"
    )
    return Finding("load balancer", fine=None, words=words)


async def policies(client: Client) -> Finding:
    names = {each["metadata"]["name"] for each in await client.list(kinds.DAEMON_SET)}
    for enforcer in ENFORCERS:
        if any(name == enforcer or name.startswith(f"{enforcer}-") for name in names):
            return Finding("network policy", fine=True, words=f"{enforcer} enforces them")
    words = (
        "no agent is known here that enforces NetworkPolicies: without one, control planes of "
        "different owners reach each other"
    )
    return Finding("network policy", fine=None, words=words)


def conflicts(definitions: list[Manifest], installed: Installed) -> Finding:
    """Definitions of the same names that store another version than ours would."""
    bad = []
    for each in definitions:
        found = installed.definitions.get(each["metadata"]["name"])
        if found is None or made_by_us(found) or installed.leaves_unchanged(each):
            continue
        stored = set((found.get("status") or {}).get("storedVersions") or ())
        if not stored <= {version["name"] for version in each["spec"]["versions"]}:
            bad.append(f"{each['metadata']['name']} (stores {', '.join(sorted(stored))})")
    if bad:
        return Finding("definitions", fine=False, words=f"other ones are there: {'; '.join(bad)}")
    return Finding("definitions", fine=True, words=f"{len(definitions)} can be installed")


def cluster_api(installed: Installed, *, shared: bool) -> Finding:
    if installed.manager is None:
        how = "install brings one" if shared else "each hosted cluster gets one of its own"
        return Finding("cluster api", fine=True, words=f"none is there: {how}")
    place = installed.manager["metadata"]
    name = f"{place['namespace']}/{place['name']}"
    how = "will be adopted" if installed.adopts else "is ours"
    return Finding("cluster api", fine=True, words=f"Deployment {name} {how}")


def _addresses(service: Manifest) -> list[str]:
    found = load_balancer_ingress(service)
    return [each.get("ip") or each.get("hostname", "") for each in found]


@asynccontextmanager
async def _probe(client: Client) -> AsyncIterator[tuple[str, str]]:
    """A Service of type LoadBalancer in a namespace of its own, which goes with it."""
    name = f"hypershift-check-{uuid.uuid4().hex[:6]}"
    await client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    try:
        await client.create(
            {
                "apiVersion": "v1",
                "kind": "Service",
                "metadata": {"name": "probe", "namespace": name},
                "spec": {
                    "type": "LoadBalancer",
                    "selector": {"app": "nobody"},
                    "ports": [{"port": 443}],
                },
            }
        )
        yield "probe", name
    finally:
        await client.delete(kinds.NAMESPACE, name)


async def _address_soon(client: Client, name: str, namespace: str) -> str:
    for _ in range(int(PATIENCE / INTERVAL)):
        found = _addresses(await client.get(kinds.SERVICE, name, namespace))
        if found:
            return found[0]
        await asyncio.sleep(INTERVAL)
    return ""
