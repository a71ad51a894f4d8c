"""Names, labels and annotations by which everything around a hosted cluster is found."""

import re
from random import Random

from hypershift.kit import Key, Manifest, annotations_of
from hypershift.operators.hypershift import operator_image

PREFIX = "hypershift.openshift.io"
FINALIZER = f"{PREFIX}/finalizer"
COMPONENT_FINALIZER = f"{PREFIX}/component-finalizer"
CLUSTER = f"{PREFIX}/cluster"  # annotation: `namespace/name` of the HostedCluster
HOSTED_CONTROL_PLANE = f"{PREFIX}/hosted-control-plane"
OWNER_NAMESPACE = f"{PREFIX}/owner.namespace"
OWNER_NAME = f"{PREFIX}/owner.name"
REFERENCED = "referenced-resource.hypershift.openshift.io"
HAS_BEEN_AVAILABLE = f"{PREFIX}/HasBeenAvailable"
RESTART_DATE = f"{PREFIX}/restart-date"
PREVIOUS_RESTART_DATE = f"{PREFIX}/previous-restart-date"
SERVING_CERT_HASH = f"{PREFIX}/kas-serving-cert-hash"
MODE = operator_image.MODE
CLEANUP_CLOUD_RESOURCES = f"{PREFIX}/cleanup-cloud-resources"
DESTROY_GRACE_PERIOD = f"{PREFIX}/destroy-grace-period"
SKIP_DELETE_NAMESPACE = f"{PREFIX}/skip-delete-hosted-controlplane-namespace"
DISABLE_MACHINE_MANAGEMENT = f"{PREFIX}/disable-machine-management"
DISABLE_PKI = f"{PREFIX}/disable-pki-reconciliation"
POD_SECURITY_OVERRIDE = f"{PREFIX}/pod-security-admission-label-override"
SECURITY_CONTEXT_UID = f"{PREFIX}/default-security-context-uid"
FORCE_UPGRADE_TO = f"{PREFIX}/force-upgrade-to"
SKIP_RELEASE_VALIDATION = f"{PREFIX}/skip-release-image-validation"
SKIP_SAN_VALIDATION = f"{PREFIX}/skip-kas-conflict-san-validation"
SAFE_TO_DELETE = f"{PREFIX}/safe-to-delete-with-cluster"
AUTO_CREATED_FOR = f"{PREFIX}/auto-created-for-infra"

PULL_SECRET = "pull-secret"  # noqa: S105 - the name of an object
SSH_KEY = "ssh-key"
USER_CA_BUNDLE = "user-ca-bundle"

_INFRA_NAME = 21
_SUFFIX = 5
_ALPHABET = "bcdfghjklmnpqrstvwxz2456789"


def control_plane_namespace(key: Key) -> str:
    """The namespace that a cluster's control plane runs in."""
    return f"{key.namespace}-{key.name.replace('.', '-')}"


def cluster_annotation(key: Key) -> dict[str, str]:
    """What tells of any object which hosted cluster it belongs to."""
    return {CLUSTER: str(key)}


def cluster_of(manifest: Manifest) -> Key | None:
    """The hosted cluster that an object says it belongs to."""
    namespace, _, name = annotations_of(manifest).get(CLUSTER, "").partition("/")
    return Key(namespace, name) if name else None


def referenced_annotation(key: Key) -> str:
    """The annotation that tells which clusters use a user's Secret or ConfigMap."""
    return f"{REFERENCED}/{key.name}"


def referencing_clusters(manifest: Manifest) -> list[Key]:
    """The clusters that a user's Secret or ConfigMap says use it."""
    namespace = manifest["metadata"].get("namespace", "")
    prefix = f"{REFERENCED}/"
    names = (
        name.removeprefix(prefix) for name in annotations_of(manifest) if name.startswith(prefix)
    )
    return [Key(namespace, name) for name in names]


def new_infra_id(name: str, rng: Random) -> str:
    """An id from a cluster's name, short enough for what clouds allow (27 characters)."""
    stem = re.sub(r"[^a-z0-9-]", "-", name.lower())
    stem = re.sub(r"-{2,}", "-", stem)[:_INFRA_NAME].rstrip("-")
    return f"{stem}-{''.join(rng.choice(_ALPHABET) for _ in range(_SUFFIX))}"


def admin_kubeconfig(name: str) -> str:
    """The Secret in the user's namespace that holds the admin kubeconfig."""
    return f"{name}-admin-kubeconfig"


def custom_admin_kubeconfig(name: str) -> str:
    """The Secret with the kubeconfig for the user's own API name."""
    return f"{name}-custom-admin-kubeconfig"


def kubeadmin_password(name: str) -> str:
    """The Secret in the user's namespace that holds the first administrator's password."""
    return f"{name}-kubeadmin-password"
