"""The objects that `create cluster` makes, before a platform adds its part."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from hypershift.api import annotations, labels
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.cli.cluster import checks
from hypershift.cli.cluster.infra import require_management
from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.cluster.platform import ClusterPlatform, Options, secret
from hypershift.cli.cluster.toleration import parse_toleration
from hypershift.cli.decoding import Struct, list_from_yaml
from hypershift.cli.files import read_file
from hypershift.cli.quantity import quantity
from hypershift.kit import Manifest, UsageError
from hypershift.kit.duration import format_duration
from hypershift.kit.names import infra_id

T = TypeVar("T")

API_VERSION = "hypershift.openshift.io/v1beta1"
CPO_IMAGE = annotations.CONTROL_PLANE_OPERATOR_IMAGE
INFRA_LABEL = labels.AUTO_CREATED_FOR_INFRA
DUAL_STACK = {"clusterNetwork": "fd01::/48", "serviceNetwork": "fd02::/112"}
IMAGE_CONTENT_SOURCE = Struct("v1beta1.ImageContentSource", {"source": str, "mirrors": (str,)})
EMPTY_PULL_SECRET = b'{"auths":{}}'


@dataclass(frozen=True, slots=True)
class Draft:
    """Everything that a command line asks for, in the order in which it is created."""

    namespace: Manifest
    extras: tuple[Manifest, ...]
    hosted_cluster: Manifest
    pools: tuple[Manifest, ...]

    @property
    def manifests(self) -> tuple[Manifest, ...]:
        return (self.namespace, *self.extras, self.hosted_cluster, *self.pools)


COMPLETING = "could not complete platform specific options"


async def prepared(options: Options, platform: ClusterPlatform[Options]) -> Any:
    """What a platform makes in its cloud before there are objects; None where it makes nothing."""
    if platform.prepare is None:
        return None
    try:
        return await platform.prepare(options)
    except UsageError as error:
        raise UsageError(f"{COMPLETING}: {error}") from None


def draft(options: Options, platform: ClusterPlatform[Options], made: Any = None) -> Draft:
    """Turn flags into objects; everything random or read from files happens here."""
    completed = made
    if made is None:
        completed = _attempt(COMPLETING, lambda: platform.complete(options))
    _require_release(options)
    prototype = _hosted_cluster(options, platform)
    if keys := _ssh_key(options):
        prototype["spec"]["sshKey"] = {"name": keys[0]["metadata"]["name"]}
    extras = [*_trust_bundle(options), _pull_secret(options), *keys]
    cluster = _attempt(
        "failed to apply platform specifics",
        lambda: platform.specialize(options, completed, prototype),
    )
    pools = []
    if options.node_pool_replicas >= 0:
        pools = platform.pools(options, completed, lambda name: _node_pool(options, platform, name))
    extras += _attempt(
        "could not generate additional resources", lambda: platform.extras(options, completed)
    )
    extras += _encryption(options, cluster)
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": options.namespace}}
    return Draft(namespace | {"spec": {}}, tuple(extras), cluster, tuple(pools))


def _require_release(options: ClusterOptions) -> None:
    """Refuse a release that would have to be looked up."""
    if options.release_image or not options.release_stream:
        return
    _attempt("failed to get client", lambda: require_management(options.kubeconfig))
    raise UsageError(
        "looking up the newest release of --release-stream is not built yet: give --release-image"
    )


def _attempt(doing: str, step: Callable[[], T]) -> T:
    try:
        return step()
    except UsageError as error:
        raise UsageError(f"{doing}: {error}") from None


def _encryption(options: ClusterOptions, cluster: Manifest) -> list[Manifest]:
    """A key for etcd, unless the platform brought a key management service."""
    if "secretEncryption" in cluster["spec"]:
        return []
    name = f"{options.name}-etcd-encryption-key"
    cluster["spec"]["secretEncryption"] = {
        "type": "aescbc",
        "aescbc": {"activeKey": {"name": name}},
    }
    return [secret(options, name, {"key": secrets.token_bytes(32)}, "Opaque")]


def _hosted_cluster(options: ClusterOptions, platform: ClusterPlatform[Any]) -> Manifest:
    metadata: Manifest = {"name": options.name, "namespace": options.namespace}
    if annotations := _annotations(options):
        metadata["annotations"] = annotations
    if labels := _pairs(options.labels, "label"):
        metadata["labels"] = labels
    spec: Manifest = {
        "autoscaling": {},
        "capabilities": _capabilities(options),
        "configuration": _configuration(options),
        "controllerAvailabilityPolicy": options.control_plane_availability_policy,
        "dns": {"baseDomain": options.base_domain},
        "etcd": _etcd(options),
        "fips": options.fips,
        "infraID": options.infra_id or infra_id(options.name, secrets.SystemRandom()),
        "networking": _networking(options, platform),
        "olmCatalogPlacement": options.olm_catalog_placement.lower(),
        "platform": {"type": platform.type},
        "pullSecret": {"name": f"{options.name}-pull-secret"},
        "release": {"image": options.release_image},
        "sshKey": {},
    }
    spec |= _optional(options)
    return {"apiVersion": API_VERSION, "kind": "HostedCluster", "metadata": metadata, "spec": spec}


def _optional(options: ClusterOptions) -> Manifest:
    """The parts of the spec that are there only when a flag asks for them."""
    found: Manifest = {}
    checks.check_paused_until(options.paused_until)
    if options.paused_until and options.paused_until != "true":
        found["pausedUntil"] = options.paused_until
    if options.additional_trust_bundle:
        found["additionalTrustBundle"] = {"name": "user-ca-bundle"}
    if options.image_content_sources:
        found["imageContentSources"] = _content_sources(options.image_content_sources)
    if options.infra_availability_policy:
        found["infrastructureAvailabilityPolicy"] = options.infra_availability_policy
    if options.kas_dns_name:
        found["kubeAPIServerDNSName"] = options.kas_dns_name
    if options.node_selector:
        found["nodeSelector"] = options.node_selector
    if options.pods_labels:
        found["labels"] = options.pods_labels
    if options.toleration:
        found["tolerations"] = [parse_toleration(text) for text in options.toleration]
    if operator := _network_operator(options):
        found["operatorConfiguration"] = {"clusterNetworkOperator": operator}
    return found


def _annotations(options: ClusterOptions) -> dict[str, str]:
    annotations = _pairs(options.annotations, "annotation")
    if image := options.control_plane_operator_image:
        annotations[CPO_IMAGE] = image
    return annotations


def _pairs(texts: tuple[str, ...], what: str) -> dict[str, str]:
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"invalid {what}: {text}")
        if not name:
            raise UsageError(f'invalid {what}: key must not be empty in "{text}"')
        pairs[name] = value
    return pairs


def _capabilities(options: ClusterOptions) -> Manifest:
    found = {
        "disabled": list(options.disable_cluster_capabilities),
        "enabled": list(options.enable_cluster_capabilities),
    }
    return {word: names for word, names in found.items() if names}


def _configuration(options: ClusterOptions) -> Manifest:
    configuration: Manifest = {}
    if options.feature_set:
        configuration["featureGate"] = {"featureSet": options.feature_set}
    if options.olm_disable_default_sources:
        configuration["operatorhub"] = {"disableAllDefaultSources": True}
    return configuration


def _etcd(options: ClusterOptions) -> Manifest:
    size = options.etcd_storage_size or "8Gi"
    volume = {"size": quantity(size, "failed parse ectd storage size")}  # the original's spelling
    if options.etcd_storage_class:
        volume["storageClassName"] = options.etcd_storage_class
    storage = {"type": "PersistentVolume", "persistentVolume": volume}
    return {"managementType": "Managed", "managed": {"storage": storage}}


def _networking(options: ClusterOptions, platform: ClusterPlatform[Any]) -> Manifest:
    networking: Manifest = {"networkType": options.network_type}
    for field, given, name in (
        ("clusterNetwork", options.cluster_cidr, "ClusterCIDR"),
        ("serviceNetwork", options.service_cidr, "ServiceCIDR"),
        ("machineNetwork", options.machine_cidr, "MachineCIDR"),
    ):
        ranges = [*given]
        if options.default_dual and platform.dual_stack and field in DUAL_STACK:
            ranges.append(DUAL_STACK[field])
        if ranges:
            networking[field] = [{"cidr": checks.check_cidr(text, name)} for text in ranges]
    if options.allocate_node_cidrs:
        networking["allocateNodeCIDRs"] = "Enabled"
    return networking


def _network_operator(options: ClusterOptions) -> Manifest:
    operator: Manifest = {}
    if options.disable_multi_network:
        operator["disableMultiNetwork"] = True
    if options.ovn_kubernetes_mtu:
        operator["ovnKubernetesConfig"] = {"mtu": options.ovn_kubernetes_mtu}
    return operator


def _content_sources(path: str) -> list[Manifest]:
    text = read_file(path, "failed to read image content sources file")
    failing = "unable to deserialize image content sources file"
    found = list_from_yaml(text, failing, IMAGE_CONTENT_SOURCE)
    return [{name: value for name, value in each.items() if value != []} for each in found]


def _trust_bundle(options: ClusterOptions) -> list[Manifest]:
    if not options.additional_trust_bundle:
        return []
    failing = "failed to read additional trust bundle file"
    bundle = read_file(options.additional_trust_bundle, failing)
    metadata = {"name": "user-ca-bundle", "namespace": options.namespace}
    data = {"ca-bundle.crt": bundle.decode("utf-8", "replace")}
    return [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}]


def _pull_secret(options: ClusterOptions) -> Manifest:
    content = EMPTY_PULL_SECRET
    if options.pull_secret:
        content = read_file(options.pull_secret, "failed to read pull secret file")
    return secret(options, f"{options.name}-pull-secret", {DOCKER_CONFIG: content})


def _ssh_key(options: ClusterOptions) -> list[Manifest]:
    """The key that opens nodes; an empty file has none."""
    if options.ssh_key and options.generate_ssh:
        raise UsageError("--generate-ssh and --ssh-key cannot be specified together")
    name = f"{options.name}-ssh-key"
    if options.ssh_key:
        public = read_file(options.ssh_key, "failed to read ssh key file")
        return [secret(options, name, {"id_rsa.pub": public})] if public else []
    if options.generate_ssh:
        return [secret(options, name, new_ssh_key())]
    return []


def new_ssh_key() -> dict[str, bytes]:
    """A new pair of SSH keys, under the names of their files."""
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - few want a key
    from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: PLC0415

    key = rsa.generate_private_key(public_exponent=65537, key_size=4096)
    return {
        "id_rsa": key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        ),
        "id_rsa.pub": key.public_key().public_bytes(
            serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH
        ),
    }


def _node_pool(options: ClusterOptions, platform: ClusterPlatform[Any], name: str) -> Manifest:
    spec: Manifest = {
        "arch": options.arch,
        "clusterName": options.name,
        "management": {
            "autoRepair": options.auto_repair,
            "upgradeType": options.node_upgrade_type or platform.upgrade_type,
        },
        "nodeDrainTimeout": format_duration(options.node_drain_timeout),
        "nodeVolumeDetachTimeout": format_duration(options.node_volume_detach_timeout),
        "platform": {"type": platform.type},
        "release": {"image": options.release_image},
        "replicas": options.node_pool_replicas,
    }
    if options.paused_until:
        spec["pausedUntil"] = options.paused_until
    metadata = {"name": name, "namespace": options.namespace}
    return {"apiVersion": API_VERSION, "kind": "NodePool", "metadata": metadata, "spec": spec}
