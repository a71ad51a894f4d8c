"""Workers of a hosted cluster from outside: their pools, their machines, the packets they get."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.e2e.embedded import Manifest
from tests.e2e.hosted import Hosted

TABLE = "inet e2e"


@dataclass
class Pool:
    """A NodePool of one test's own."""

    hosted: Hosted
    name: str

    def create(self, *flags: str, replicas: int = 0) -> None:
        """Type `hypershift create nodepool local`."""
        words = ("create", "nodepool", "local", "--cluster-name", self.hosted.name)
        where = ("--name", self.name, "--namespace", self.hosted.namespace)
        self.hosted.hypershift(*words, *where, "--replicas", str(replicas), *flags)

    def destroy(self) -> None:
        """Delete it, and wait until it is gone."""
        words = ("delete", "nodepool", self.name, "-n", self.hosted.namespace)
        self.hosted.management.kubectl(*words, "--ignore-not-found", "--timeout=230s")

    def resource(self) -> Manifest:
        """The NodePool."""
        words = ("nodepool", self.name, "-n", self.hosted.namespace)
        found: Manifest = self.hosted.management.get(*words)
        return found

    def patch(self, patch: Manifest) -> None:
        """Change the NodePool."""
        words = ("patch", "nodepool", self.name, "-n", self.hosted.namespace)
        self.hosted.management.kubectl(*words, "--type=merge", "-p", json.dumps(patch))

    def scale(self, replicas: int) -> None:
        """Type `kubectl scale`."""
        words = ("scale", "nodepool", self.name, "-n", self.hosted.namespace)
        self.hosted.management.kubectl(*words, f"--replicas={replicas}")

    def conditions(self) -> dict[str, Manifest]:
        """Its conditions by their type."""
        found = self.resource().get("status", {}).get("conditions", [])
        return {each["type"]: each for each in found}

    def machines(self) -> list[Manifest]:
        """Its Machines; the LocalMachine of each has the same name."""
        found = self.hosted.management.get("machines", "-n", self.hosted.plane)
        return [one for one in found if self._mine(one)]

    def nodes(self) -> list[Manifest]:
        """Its nodes as the hosted cluster shows them."""
        chosen = f"hypershift.openshift.io/nodePool={self.name}"
        found: list[Manifest] = self.hosted.get("nodes", "-l", chosen)
        return found

    def await_nodes(self, count: int) -> list[Manifest]:
        """Wait for exactly so many nodes, all Ready, and as many machines."""

        def there() -> list[Manifest] | None:
            nodes = self.nodes()
            fits = len(nodes) == count and all(is_ready(one) for one in nodes)
            return [{"nodes": nodes}] if fits and len(self.machines()) == count else None

        found = self.hosted.until(there, f"{count} nodes of {self.name}", self._seen)
        nodes: list[Manifest] = found[0]["nodes"]
        return nodes

    def _seen(self) -> Any:
        machines = [(m["metadata"]["name"], m.get("status")) for m in self.machines()]
        return [node["metadata"]["name"] for node in self.nodes()], machines

    def _mine(self, machine: Manifest) -> bool:
        value = f"{self.hosted.namespace}/{self.name}"
        marks = machine["metadata"].get("annotations") or {}
        return bool(marks.get("hypershift.openshift.io/nodePool") == value)


@contextlib.contextmanager
def a_pool(hosted: Hosted, name: str, *flags: str, replicas: int = 0) -> Iterator[Pool]:
    """A pool that goes with its test."""
    pool = Pool(hosted, name)
    try:
        pool.create(*flags, replicas=replicas)
        yield pool
    finally:
        pool.destroy()


def is_ready(node: Manifest) -> bool:
    """Whether a node says that it is ready."""
    conditions = node.get("status", {}).get("conditions", [])
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def on_host(hosted: Hosted, machine: Manifest | str) -> str:
    """The name that a machine has on the host."""
    name = machine if isinstance(machine, str) else machine["metadata"]["name"]
    return f"{hosted.plane}.{name}"


@contextlib.contextmanager
def ruled(hosted: Hosted, *rules: tuple[str, int, str]) -> Iterator[None]:
    """Put packet rules (hook, priority, what) into every worker, and take them away again."""
    machines = hosted.management.get("localmachines", "-n", hosted.plane)
    names = [on_host(hosted, one) for one in machines]
    words = [f"add table {TABLE}"]
    for hook, priority, rule in rules:
        kind = f"type filter hook {hook} priority {priority} ;"
        words += [f"add chain {TABLE} {hook} {{ {kind} }}", f"add rule {TABLE} {hook} {rule}"]
    try:
        for name in names:
            _nft(hosted, name, "; ".join(words))
        yield
    finally:
        for name in names:
            _nft(hosted, name, f"delete table {TABLE}", check=False)


def _nft(hosted: Hosted, worker: str, rules: str, *, check: bool = True) -> None:
    hosted.management.machine("exec", worker, "--", "nft", rules, check=check)
