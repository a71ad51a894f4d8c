"""The names, labels and annotations by which a pool and its objects find each other."""

from hypershift.api import NodePool, annotations, finalizers, labels, read
from hypershift.ignition import authority, fingerprint
from hypershift.kit import Key, Manifest
from hypershift.kit.names import control_plane_namespace

FINALIZER = finalizers.FINALIZER
NODE_POOL = annotations.NODE_POOL
CURRENT_CONFIG = annotations.NODE_POOL_CURRENT_CONFIG
CURRENT_CONFIG_VERSION = annotations.NODE_POOL_CURRENT_CONFIG_VERSION
TARGET_CONFIG_VERSION = annotations.NODE_POOL_TARGET_CONFIG_VERSION
CURRENT_TEMPLATE = annotations.NODE_POOL_MACHINE_TEMPLATE
CANONICAL_IMAGES = annotations.CANONICAL_DATA_PLANE_IMAGES
HAPROXY_IMAGE = annotations.HAPROXY_IMAGE
RELEASE_VERSION = annotations.RELEASE_VERSION
MAX_UNAVAILABLE = annotations.NODE_POOL_MAX_UNAVAILABLE
UPGRADE_RUNNING = annotations.NODE_POOL_UPGRADE_IN_PROGRESS_TRUE
UPGRADE_FAILED = annotations.NODE_POOL_UPGRADE_IN_PROGRESS_FALSE
TAINTS = annotations.NODE_POOL_TAINTS
RESTORED = annotations.RESTORED_FROM_BACKUP
CORE_CONFIG = labels.CORE_IGNITION_CONFIG
NTO_CONFIG = labels.NTO_GENERATED_MACHINE_CONFIG
MANAGED_LABEL = "managed.hypershift.openshift.io"
INTERRUPTIBLE = labels.INTERRUPTIBLE_INSTANCE
KARPENTER = labels.MANAGED_BY_KARPENTER
CLUSTER_NAME = "cluster.x-k8s.io/cluster-name"
DEPLOYMENT_NAME = "cluster.x-k8s.io/deployment-name"
GLOBAL_PULL_SECRET = labels.GLOBAL_PULL_SECRET_ENABLED
PAUSED = "cluster.x-k8s.io/paused"
MIN_SIZE = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size"
MAX_SIZE = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size"
IGNITION_CA = authority.NAME
RESOURCES_NAME_LIMIT = 43
TEMPLATE_NAME_LIMIT = 253


def cluster_of(manifest: Manifest) -> str:
    """The control plane namespace of the cluster that a pool names."""
    pool = read(NodePool, manifest)
    return control_plane_namespace(Key(pool.metadata.namespace, pool.spec.cluster_name))


def pool_value(pool: NodePool) -> str:
    """How children name their pool: namespace and name."""
    return f"{pool.metadata.namespace}/{pool.metadata.name}"


def pool_key(annotations: dict[str, str]) -> Key | None:
    """The pool that a child's annotation names."""
    namespace, slash, name = annotations.get(NODE_POOL, "").partition("/")
    return Key(namespace, name) if slash else None


def resources_name(infra_id: str, cluster: str, pool: str) -> str:
    """Key and value of the label that selects a pool's machines."""
    return fingerprint.name(f"{infra_id}-{cluster}", pool, RESOURCES_NAME_LIMIT)


def template_name(pool: str, spec_json: str) -> str:
    """A machine template's name, which follows the JSON text of its spec."""
    suffix = fingerprint.of_bytes(spec_json.encode())
    return fingerprint.name(pool, suffix, TEMPLATE_NAME_LIMIT)


def ami_label(architecture: str) -> str:
    """The label that names the image for a processor; the first one came without its name."""
    return labels.AMI if architecture == "amd64" else f"{labels.AMI}-{architecture}"
