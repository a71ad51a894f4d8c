"""The objects that `create cluster` makes, before a platform adds its part."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from hypershift.api import annotations, labels
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.cli.cluster import checks
from hypershift.cli.cluster.infra import require_management
from hypershift.cli.cluster.platform import ClusterPlatform, secret
from hypershift.cli.cluster.toleration import parse_toleration
from hypershift.cli.decoding import list_from_yaml
from hypershift.cli.files import read_file
from hypershift.cli.flags import Values
from hypershift.cli.quantity import quantity
from hypershift.kit import Manifest, UsageError
from hypershift.kit.duration import format_duration
from hypershift.kit.names import infra_id

T = TypeVar("T")

API_VERSION = "hypershift.openshift.io/v1beta1"
CPO_IMAGE = annotations.CONTROL_PLANE_OPERATOR_IMAGE
INFRA_LABEL = labels.AUTO_CREATED_FOR_INFRA
DUAL_STACK = {"cluster-cidr": "fd01::/48", "service-cidr": "fd02::/112"}
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


async def prepared(values: Values, platform: ClusterPlatform) -> Any:
    """What a platform makes in its cloud before there are objects; None where it makes nothing."""
    if platform.prepare is None:
        return None
    try:
        return await platform.prepare(values)
    except UsageError as error:
        raise UsageError(f"{COMPLETING}: {error}") from None


def draft(values: Values, platform: ClusterPlatform, made: Any = None) -> Draft:
    """Turn flags into objects; everything random or read from files happens here."""
    completed = made
    if made is None:
        completed = _attempt(COMPLETING, lambda: platform.complete(values))
    _require_release(values)
    prototype = _hosted_cluster(values, platform)
    extras = [*_trust_bundle(values), _pull_secret(values), *_ssh_key(values)]
    cluster = _attempt(
        "failed to apply platform specifics",
        lambda: platform.shape(values, completed, prototype),
    )
    pools = []
    if values["node-pool-replicas"] >= 0:
        pools = platform.pools(values, completed, lambda name: _node_pool(values, platform, name))
    extras += _attempt(
        "could not generate additional resources", lambda: platform.extras(values, completed)
    )
    extras += _encryption(values, cluster)
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": values["namespace"]}}
    return Draft(namespace | {"spec": {}}, tuple(extras), cluster, tuple(pools))


def _require_release(values: Values) -> None:
    """Refuse a release that would have to be looked up."""
    if values["release-image"] or not values["release-stream"]:
        return
    _attempt("failed to get client", lambda: require_management(values))
    raise UsageError(
        "looking up the newest release of --release-stream is not built yet: give --release-image"
    )


def _attempt(doing: str, step: Callable[[], T]) -> T:
    try:
        return step()
    except UsageError as error:
        raise UsageError(f"{doing}: {error}") from None


def _encryption(values: Values, cluster: Manifest) -> list[Manifest]:
    """A key for etcd, unless the platform brought a key management service."""
    if "secretEncryption" in cluster["spec"]:
        return []
    name = f"{values['name']}-etcd-encryption-key"
    cluster["spec"]["secretEncryption"] = {
        "type": "aescbc",
        "aescbc": {"activeKey": {"name": name}},
    }
    return [secret(values, name, {"key": secrets.token_bytes(32)}, "Opaque")]


def _hosted_cluster(values: Values, platform: ClusterPlatform) -> Manifest:
    metadata: Manifest = {"name": values["name"], "namespace": values["namespace"]}
    if annotations := _annotations(values):
        metadata["annotations"] = annotations
    if labels := _pairs(values["labels"], "label"):
        metadata["labels"] = labels
    spec: Manifest = {
        "autoscaling": {},
        "capabilities": _capabilities(values),
        "configuration": _configuration(values),
        "controllerAvailabilityPolicy": values["control-plane-availability-policy"],
        "dns": {"baseDomain": values["base-domain"]},
        "etcd": _etcd(values),
        "fips": values["fips"],
        "infraID": values["infra-id"] or infra_id(values["name"], secrets.SystemRandom()),
        "networking": _networking(values, platform),
        "olmCatalogPlacement": values["olm-catalog-placement"].lower(),
        "platform": {"type": platform.type},
        "pullSecret": {"name": f"{values['name']}-pull-secret"},
        "release": {"image": values["release-image"]},
        "sshKey": {"name": f"{values['name']}-ssh-key"} if _wants_ssh(values) else {},
    }
    spec |= _optional(values)
    return {"apiVersion": API_VERSION, "kind": "HostedCluster", "metadata": metadata, "spec": spec}


def _optional(values: Values) -> Manifest:
    """The parts of the spec that are there only when a flag asks for them."""
    found: Manifest = {}
    checks.check_paused_until(values["pausedUntil"])
    if values["pausedUntil"] and values["pausedUntil"] != "true":
        found["pausedUntil"] = values["pausedUntil"]
    if values["additional-trust-bundle"]:
        found["additionalTrustBundle"] = {"name": "user-ca-bundle"}
    if values["image-content-sources"]:
        found["imageContentSources"] = _content_sources(values["image-content-sources"])
    if values["infra-availability-policy"]:
        found["infrastructureAvailabilityPolicy"] = values["infra-availability-policy"]
    if values["kas-dns-name"]:
        found["kubeAPIServerDNSName"] = values["kas-dns-name"]
    for field, flag in (("nodeSelector", "node-selector"), ("labels", "pods-labels")):
        if values[flag]:
            found[field] = values[flag]
    if values["toleration"]:
        found["tolerations"] = [parse_toleration(text) for text in values["toleration"]]
    if operator := _network_operator(values):
        found["operatorConfiguration"] = {"clusterNetworkOperator": operator}
    return found


def _annotations(values: Values) -> dict[str, str]:
    annotations = _pairs(values["annotations"], "annotation")
    if image := values.get("control-plane-operator-image"):
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


def _capabilities(values: Values) -> Manifest:
    found = {
        word: list(values[f"{verb}-cluster-capabilities"])
        for word, verb in (("disabled", "disable"), ("enabled", "enable"))
    }
    return {word: names for word, names in found.items() if names}


def _configuration(values: Values) -> Manifest:
    configuration: Manifest = {}
    if values["feature-set"]:
        configuration["featureGate"] = {"featureSet": values["feature-set"]}
    if values["olm-disable-default-sources"]:
        configuration["operatorhub"] = {"disableAllDefaultSources": True}
    return configuration


def _etcd(values: Values) -> Manifest:
    size = values["etcd-storage-size"] or "8Gi"
    volume = {"size": quantity(size, "failed parse ectd storage size")}  # the original's spelling
    if values["etcd-storage-class"]:
        volume["storageClassName"] = values["etcd-storage-class"]
    storage = {"type": "PersistentVolume", "persistentVolume": volume}
    return {"managementType": "Managed", "managed": {"storage": storage}}


def _networking(values: Values, platform: ClusterPlatform) -> Manifest:
    networking: Manifest = {"networkType": values["network-type"]}
    for field, flag, name in (
        ("clusterNetwork", "cluster-cidr", "ClusterCIDR"),
        ("machineNetwork", "machine-cidr", "MachineCIDR"),
        ("serviceNetwork", "service-cidr", "ServiceCIDR"),
    ):
        ranges = [*values[flag]]
        if values["default-dual"] and platform.dual_stack and flag in DUAL_STACK:
            ranges.append(DUAL_STACK[flag])
        if ranges:
            networking[field] = [{"cidr": checks.check_cidr(text, name)} for text in ranges]
    if values["allocate-node-cidrs"]:
        networking["allocateNodeCIDRs"] = "Enabled"
    return networking


def _network_operator(values: Values) -> Manifest:
    operator: Manifest = {}
    if values["disable-multi-network"]:
        operator["disableMultiNetwork"] = True
    if values["ovn-kubernetes-mtu"]:
        operator["ovnKubernetesConfig"] = {"mtu": values["ovn-kubernetes-mtu"]}
    return operator


def _content_sources(path: str) -> list[Manifest]:
    text = read_file(path, "failed to read image content sources file")
    return list_from_yaml(
        text,
        "unable to deserialize image content sources file",
        "v1beta1.ImageContentSource",
        ("source", "mirrors"),
    )


def _trust_bundle(values: Values) -> list[Manifest]:
    if not values["additional-trust-bundle"]:
        return []
    failing = "failed to read additional trust bundle file"
    bundle = read_file(values["additional-trust-bundle"], failing)
    metadata = {"name": "user-ca-bundle", "namespace": values["namespace"]}
    data = {"ca-bundle.crt": bundle.decode()}
    return [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}]


def _pull_secret(values: Values) -> Manifest:
    content = EMPTY_PULL_SECRET
    if values["pull-secret"]:
        content = read_file(values["pull-secret"], "failed to read pull secret file")
    return secret(values, f"{values['name']}-pull-secret", {DOCKER_CONFIG: content})


def _wants_ssh(values: Values) -> bool:
    return bool(values["ssh-key"] or values["generate-ssh"])


def _ssh_key(values: Values) -> list[Manifest]:
    if values["ssh-key"] and values["generate-ssh"]:
        raise UsageError("--generate-ssh and --ssh-key cannot be specified together")
    name = f"{values['name']}-ssh-key"
    if values["ssh-key"]:
        public = read_file(values["ssh-key"], "failed to read ssh key file")
        return [secret(values, name, {"id_rsa.pub": public})]
    if values["generate-ssh"]:
        return [secret(values, name, new_ssh_key())]
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


def _node_pool(values: Values, platform: ClusterPlatform, name: str) -> Manifest:
    spec: Manifest = {
        "arch": values["arch"],
        "clusterName": values["name"],
        "management": {
            "autoRepair": values["auto-repair"],
            "upgradeType": values["node-upgrade-type"] or platform.upgrade_type,
        },
        "nodeDrainTimeout": format_duration(values["node-drain-timeout"]),
        "nodeVolumeDetachTimeout": format_duration(values["node-volume-detach-timeout"]),
        "platform": {"type": platform.type},
        "release": {"image": values["release-image"]},
        "replicas": values["node-pool-replicas"],
    }
    if values["pausedUntil"]:
        spec["pausedUntil"] = values["pausedUntil"]
    metadata = {"name": name, "namespace": values["namespace"]}
    return {"apiVersion": API_VERSION, "kind": "NodePool", "metadata": metadata, "spec": spec}
