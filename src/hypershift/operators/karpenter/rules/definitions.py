"""The definitions of the kinds by which users of a hosted cluster speak with Karpenter."""

from functools import lru_cache

from hypershift.api.kind import Cluster
from hypershift.api.schema import crds
from hypershift.kit import Manifest


@lru_cache(maxsize=1)
def definitions() -> tuple[Manifest, ...]:
    """Our class of nodes, and Karpenter's own kinds as that project publishes them."""
    return tuple(crds(cluster=Cluster.HOSTED))


def definition_names() -> tuple[str, ...]:
    """The names of the definitions."""
    return tuple(str(each["metadata"]["name"]) for each in definitions())
