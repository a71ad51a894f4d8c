"""A tenant that tries to get at another: as consumer, from its control plane, from its machines."""

import base64
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml
from tests.e2e.embedded import Cluster, Manifest
from tests.e2e.hosted import Hosted
from tests.soak.intruder import Intruder

RBAC = "rbac.authorization.k8s.io"
#: Words of the API server for what a role or a policy keeps from somebody.
REFUSALS = ("forbidden", "Forbidden", "denied")


@dataclass
class Party:
    """One hosted cluster, who ordered it, and a pod on either side of it."""

    cluster: Hosted
    plane: Intruder = field(init=False)
    machine: Intruder = field(init=False)

    def __post_init__(self) -> None:
        self.plane = Intruder(self.cluster.management, self.cluster.plane)
        self.machine = Intruder(self.cluster, "default")

    @property
    def management(self) -> Cluster:
        return self.cluster.management

    @property
    def user(self) -> str:
        """The consumer, who has a namespace of the management cluster and nothing else."""
        return f"consumer-of-{self.cluster.namespace}"

    @property
    def pool(self) -> str:
        """The name of its node pool."""
        pools = self.management.get("nodepools", "-n", self.cluster.namespace)
        return str(pools[0]["metadata"]["name"])

    def move_in(self, *flags: str) -> None:
        """Make the namespace, bind the consumer, order the cluster, enter both sides of it."""
        namespace = self.cluster.namespace
        self.management.apply(
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}},
            _binding(self.user, namespace),
        )
        self.cluster.create(*flags, nodes=1)
        image = self.management.images["hypershift"]
        self.plane.enter(image, on_machine=False)
        self.machine.enter(image, on_machine=True)

    def move_out(self) -> None:
        """Take everything away again."""
        self.cluster.destroy()
        self.management.try_kubectl("delete", "namespace", self.cluster.namespace)

    def kubectl(self, *words: str, feed: str = "") -> subprocess.CompletedProcess[str]:
        """Type kubectl at the management cluster as the consumer."""
        who = (f"--as={self.user}", "--as-group=system:authenticated")
        return self.management.try_kubectl(*who, *words, feed=feed)

    def gains(self, *words: str, feed: str = "") -> str:
        """What the consumer got by a kubectl that must be refused; nothing is right."""
        done = self.kubectl(*words, feed=feed)
        refused = done.returncode != 0 and any(word in done.stderr for word in REFUSALS)
        return "" if refused else f"{done.stdout}{done.stderr}" or "no complaint"

    def pods(self, component: str) -> list[str]:
        """Addresses of a component of its control plane."""
        return [str(pod["status"]["podIP"]) for pod in self.cluster.pods(component)]

    def nodes(self) -> list[str]:
        """Addresses of its machines."""
        return addresses(self.cluster.get("nodes"))

    def conditions(self, pool: str) -> dict[str, Manifest]:
        """What a node pool says."""
        found = self.management.get("nodepool", pool, "-n", self.cluster.namespace)
        return {each["type"]: each for each in found.get("status", {}).get("conditions", [])}

    def credentials(self) -> Iterator[tuple[str, bytes]]:
        """Every client certificate with its key that its control plane holds."""
        for secret in self.management.get("secrets", "-n", self.cluster.plane):
            data = {key: base64.b64decode(text) for key, text in (secret.get("data") or {}).items()}
            if pair := _pair(data):
                yield secret["metadata"]["name"], pair


def addresses(nodes: list[Manifest]) -> list[str]:
    """Internal addresses of nodes."""
    found = (address for node in nodes for address in node["status"]["addresses"])
    return [each["address"] for each in found if each["type"] == "InternalIP"]


def _binding(user: str, namespace: str) -> Manifest:
    return {
        "apiVersion": f"{RBAC}/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "consumer", "namespace": namespace},
        "roleRef": {
            "apiGroup": RBAC,
            "kind": "ClusterRole",
            "name": "hypershift-service-consumer",
        },
        "subjects": [{"apiGroup": RBAC, "kind": "User", "name": user}],
    }


def _pair(data: dict[str, bytes]) -> bytes:
    if "kubeconfig" in data:
        user: dict[str, Any] = yaml.safe_load(data["kubeconfig"])["users"][0]["user"]
        encoded = (user.get("client-certificate-data"), user.get("client-key-data"))
        found = [base64.b64decode(each) for each in encoded if each]
    else:
        found = [data[key] for key in ("tls.crt", "tls.key") if key in data]
    return b"\n".join(found) if len(found) == 2 else b""
