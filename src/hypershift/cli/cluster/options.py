"""The flags that `create cluster` shares among all platforms."""

from dataclasses import dataclass, replace
from datetime import timedelta

from hypershift.cli.flags import (
    BOOL,
    DURATION,
    INT32,
    STRING_ARRAY,
    STRING_MAP,
    STRINGS,
    Flag,
    one_of,
)
from hypershift.cli.nodepool.platform import UPGRADE_TYPE
from hypershift.cli.typed import named

OLM_PLACEMENT = one_of(
    "OLMCatalogPlacement",
    {"management": "management", "guest": "guest"},
    lambda word: f"unknown OLMCatalogPlacement type used '{word}'",
)

EXCLUSIVE = (("service-cidr", "default-dual"), ("cluster-cidr", "default-dual"))

FLAGS = tuple(
    Flag(**{"persistent": True, **options})  # type: ignore[arg-type]  # a table of keywords
    for options in (
        {"name": "additional-trust-bundle", "help": "File with a user CA bundle"},
        {
            "name": "allocate-node-cidrs",
            "type": BOOL,
            "help": "Let the controller manager give each node a pod range (network type Other)",
        },
        {
            "name": "annotations",
            "type": STRING_ARRAY,
            "help": "Annotation of the HostedCluster, key=value; may be repeated",
        },
        {"name": "arch", "default": "amd64", "help": "Processor architecture of the nodes"},
        {"name": "auto-repair", "type": BOOL, "help": "Replace machines that stay unhealthy"},
        {"name": "base-domain", "help": "The domain below which the cluster's names live"},
        {
            "name": "base-domain-prefix",
            "help": "Prefix of the cluster's domain; 'none' for no prefix at all",
        },
        {
            "name": "cluster-cidr",
            "type": STRING_ARRAY,
            "default": ("10.132.0.0/14",),
            "help": "Range of pod addresses; may be repeated",
        },
        {
            "name": "control-plane-availability-policy",
            "default": "SingleReplica",
            "help": "SingleReplica (not for production) or HighlyAvailable",
        },
        {
            "name": "control-plane-operator-image",
            "help": "Run the control plane operator from this image instead of the release's",
        },
        {
            "name": "default-dual",
            "type": BOOL,
            "help": "Default IPv4 and IPv6 ranges for pods and services (agent and local)",
        },
        {
            "name": "disable-cluster-capabilities",
            "type": STRINGS,
            "help": "Optional capabilities that the cluster goes without",
        },
        {
            "name": "disable-multi-network",
            "type": BOOL,
            "help": "No Multus in the hosted cluster (network type Other)",
        },
        {
            "name": "enable-cluster-capabilities",
            "type": STRINGS,
            "help": "Optional capabilities that the cluster has although they are off by default",
        },
        {"name": "etcd-storage-class", "help": "Storage class of etcd's volumes"},
        {"name": "etcd-storage-size", "help": "Size of each etcd volume (8Gi when not given)"},
        {"name": "external-dns-domain", "help": "Domain of names that external-dns publishes"},
        {
            "name": "feature-set",
            "help": "TechPreviewNoUpgrade or DevPreviewNoUpgrade; such a cluster cannot upgrade",
        },
        {"name": "fips", "type": BOOL, "help": "FIPS mode on the nodes"},
        {"name": "generate-ssh", "type": BOOL, "help": "Make an SSH key for the nodes"},
        {"name": "image-content-sources", "help": "File with mirrors of image repositories"},
        {"name": "infra-availability-policy", "help": "SingleReplica or HighlyAvailable"},
        {"name": "infra-id", "help": "Name shared by all infrastructure (made up when not given)"},
        {"name": "infra-json", "help": "File with infrastructure that exists already"},
        {"name": "kas-dns-name", "help": "A further DNS name of the API server"},
        {"name": "kubeconfig", "help": "Kubeconfig of the management cluster"},
        {
            "name": "labels",
            "type": STRING_ARRAY,
            "help": "Label of the HostedCluster, key=value; may be repeated",
        },
        {
            "name": "machine-cidr",
            "type": STRING_ARRAY,
            "help": "Range of the machines' addresses; may be repeated",
        },
        {"name": "name", "help": "Name of the cluster"},
        {"name": "namespace", "default": "clusters", "help": "Namespace of the cluster's objects"},
        {
            "name": "network-type",
            "default": "OVNKubernetes",
            "help": "Calico, OVNKubernetes, OpenShiftSDN or Other (bring your own)",
        },
        {
            "name": "node-drain-timeout",
            "type": DURATION,
            "help": "How long a node may take to drain; 0s waits forever",
        },
        {
            "name": "node-pool-replicas",
            "type": INT32,
            "help": "Nodes of the first pool; a negative number makes no pool",
        },
        {
            "name": "node-selector",
            "type": STRING_MAP,
            "help": "Labels that management nodes must have to run this control plane",
        },
        {"name": "node-upgrade-type", "type": UPGRADE_TYPE, "help": "Replace or InPlace"},
        {
            "name": "node-volume-detach-timeout",
            "type": DURATION,
            "help": "How long volumes may take to detach; 0s waits forever",
        },
        {
            "name": "olm-catalog-placement",
            "type": OLM_PLACEMENT,
            "default": "management",
            "help": "Where operator catalogs run: Management or Guest",
        },
        {
            "name": "olm-disable-default-sources",
            "type": BOOL,
            "help": "No default operator catalogs",
        },
        {
            "name": "ovn-kubernetes-mtu",
            "type": INT32,
            "help": "MTU of the pod network, 576 to 9216 (OVNKubernetes)",
        },
        {
            "name": "pausedUntil",
            "help": "Leave the cluster alone until this RFC3339 moment; 'true'",
        },
        {
            "name": "pods-labels",
            "type": STRING_MAP,
            "help": "Labels of all pods of the control plane",
        },
        {"name": "pull-secret", "help": "File with the credentials of image registries"},
        {"name": "release-image", "help": "The release that the cluster runs"},
        {"name": "release-stream", "help": "Release stream to take the newest release from"},
        {"name": "render", "type": BOOL, "help": "Print the objects instead of creating them"},
        {"name": "render-into", "help": "Write the objects into this file"},
        {"name": "render-sensitive", "type": BOOL, "help": "Print Secrets too"},
        {
            "name": "service-cidr",
            "type": STRING_ARRAY,
            "default": ("172.31.0.0/16",),
            "help": "Range of service addresses; may be repeated",
        },
        {"name": "ssh-key", "help": "File with the public SSH key of the nodes"},
        {"name": "timeout", "type": DURATION, "help": "Give up after this long; 0s never does"},
        {
            "name": "toleration",
            "type": STRING_ARRAY,
            "help": "Toleration of the control plane's pods: key=K,value=V,operator=O,effect=E",
        },
        {
            "name": "version-check",
            "type": BOOL,
            "help": "Refuse when this program and the operator are of different versions",
        },
        {"name": "wait", "type": BOOL, "help": "Wait until the cluster and its nodes are ready"},
    )
)

#: What only the developer's program has.
_DEVELOPER = ("control-plane-operator-image", "infra-json")


def _product(flag: Flag) -> Flag:
    if flag.name == "control-plane-availability-policy":
        return replace(flag, default="HighlyAvailable")
    return flag


PRODUCT_FLAGS = tuple(_product(flag) for flag in FLAGS if flag.name not in _DEVELOPER)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOptions:
    """What `create cluster` is given for every platform."""

    additional_trust_bundle: str
    allocate_node_cidrs: bool
    annotations: tuple[str, ...]
    arch: str
    auto_repair: bool
    base_domain: str
    cluster_cidr: tuple[str, ...]
    control_plane_availability_policy: str
    control_plane_operator_image: str = ""
    default_dual: bool
    disable_cluster_capabilities: tuple[str, ...]
    disable_multi_network: bool
    enable_cluster_capabilities: tuple[str, ...]
    etcd_storage_class: str
    etcd_storage_size: str
    external_dns_domain: str
    feature_set: str
    fips: bool
    generate_ssh: bool
    image_content_sources: str
    infra_availability_policy: str
    infra_id: str
    infra_json: str = ""
    kas_dns_name: str
    kubeconfig: str
    labels: tuple[str, ...]
    machine_cidr: tuple[str, ...]
    name: str
    namespace: str
    network_type: str
    node_drain_timeout: timedelta
    node_pool_replicas: int
    node_selector: dict[str, str]
    node_upgrade_type: str
    node_volume_detach_timeout: timedelta
    olm_catalog_placement: str
    olm_disable_default_sources: bool
    ovn_kubernetes_mtu: int
    paused_until: str = named("pausedUntil")
    pods_labels: dict[str, str]
    pull_secret: str
    release_image: str
    release_stream: str
    render: bool
    render_into: str
    render_sensitive: bool
    service_cidr: tuple[str, ...]
    ssh_key: str
    timeout: timedelta
    toleration: tuple[str, ...]
    version_check: bool
    wait: bool
