"""What a hosted cluster consists of besides etcd: gathered, sealed, and put in place again."""

from hypershift.operators.hypershift.recovery.gather import gather, pools_of
from hypershift.operators.hypershift.recovery.keys import missing_keys
from hypershift.operators.hypershift.recovery.manifest import (
    HOME,
    LARGEST,
    BadManifest,
    ClusterManifest,
    manifest_of,
    packed,
)
from hypershift.operators.hypershift.recovery.plant import (
    RESTORED_FROM,
    cluster_to_create,
    namespace_to_create,
    pool_to_create,
)
from hypershift.operators.hypershift.recovery.reading import unpacked
from hypershift.operators.hypershift.recovery.seal import BadSeal, opened, seal_key, sealed

__all__ = [
    "HOME",
    "LARGEST",
    "RESTORED_FROM",
    "BadManifest",
    "BadSeal",
    "ClusterManifest",
    "cluster_to_create",
    "gather",
    "manifest_of",
    "missing_keys",
    "namespace_to_create",
    "opened",
    "packed",
    "pool_to_create",
    "pools_of",
    "seal_key",
    "sealed",
    "unpacked",
]
