"""Everything that a management cluster holds, so that two moments can be compared."""

from tests.e2e.embedded import Cluster, until

#: Kinds that come and go by themselves, whoever is there.
RESTLESS = frozenset({"events", "events.events.k8s.io", "leases.coordination.k8s.io"})

NAMES = "{range .items[*]}{.kind} {.metadata.namespace}/{.metadata.name}{'\\n'}{end}"

Inventory = frozenset[str]


def take(cluster: Cluster) -> Inventory:
    """Every object, every volume on a disk and every address of a load balancer."""
    return frozenset({*_objects(cluster), *_volumes(cluster), *_addresses(cluster)})


def await_nothing_new(cluster: Cluster, before: Inventory, seconds: float) -> None:
    """Wait until nothing is there that was not there before; the complaint names the rest."""

    def nothing_new() -> bool:
        left = sorted(take(cluster) - before)
        assert not left, f"still there: {left}"
        return True

    until(nothing_new, seconds)


def _objects(cluster: Cluster) -> list[str]:
    found = cluster.kubectl("api-resources", "--verbs=list,delete", "-o", "name").split()
    kinds = ",".join(kind for kind in found if kind not in RESTLESS)
    return cluster.kubectl("get", kinds, "-A", "-o", f"jsonpath={NAMES}").splitlines()


def _volumes(cluster: Cluster) -> set[str]:
    found = cluster.where.machines.glob("*/disk/var/lib/hypershift/volumes/*")
    return {f"volume on disk {path.name}" for path in found}


def _addresses(cluster: Cluster) -> set[str]:
    services = cluster.get("services", "-A")
    return {
        f"address {ingress['ip']}"
        for service in services
        for ingress in service["status"].get("loadBalancer", {}).get("ingress", ())
    }
