"""The configuration of kubelets, copied into the cluster for operators of special hardware."""

from collections.abc import Iterable, Iterator

from hypershift.api import annotations, labels
from hypershift.kit import Manifest, labels_of
from hypershift.operators.guest_config.openshift.rules.guest import CONFIG_MANAGED

SELECTOR = f"{labels.KUBELET_CONFIG}=true"


def copies(originals: Iterable[Manifest]) -> Iterator[Manifest]:
    """A copy of each ConfigMap of the control plane namespace that has a KubeletConfig."""
    for original in originals:
        marks = {
            labels.KUBELET_CONFIG: "true",
            labels.MIRRORED_CONFIG: "true",
            annotations.NODE_POOL: pool_of(original),
        }
        name = original["metadata"]["name"]
        yield {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": name, "namespace": CONFIG_MANAGED, "labels": marks},
            "data": original.get("data") or {},
        }


def unwanted(originals: Iterable[Manifest], live: Iterable[Manifest]) -> Iterator[Manifest]:
    """Yield copies of pools that are gone.

    An original may be away for a moment while it is made anew. A copy that went with it would let
    nodes be rolled, so a copy stays as long as its pool has any original.
    """
    found = list(originals)
    names = {original["metadata"]["name"] for original in found}
    pools = {"", *map(pool_of, found)}
    for copy in live:
        if copy["metadata"]["name"] not in names and pool_of(copy) not in pools:
            yield {"apiVersion": "v1", "kind": "ConfigMap", **copy}


def pool_of(config: Manifest) -> str:
    """The NodePool that a ConfigMap is of; empty where none is named."""
    return labels_of(config).get(annotations.NODE_POOL, "")
