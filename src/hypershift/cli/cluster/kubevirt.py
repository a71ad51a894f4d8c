"""`create cluster kubevirt`: nodes that are virtual machines of a cluster."""

from dataclasses import dataclass
from typing import Any

from hypershift.api import annotations
from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.cluster.platform import (
    ClusterPlatform,
    PoolMaker,
    published_at,
    published_by_ingress,
    secret,
)
from hypershift.cli.files import read_file
from hypershift.cli.flags import STRING_ARRAY, Flag
from hypershift.cli.management import node_address
from hypershift.cli.nodepool import kubevirt
from hypershift.kit import Manifest, UsageError

STRATEGIES = ("Ingress", "NodePort")
UNSUPPORTED_IMAGES = annotations.ALLOW_UNSUPPORTED_KUBEVIRT_RHCOS
MAPPING_PARTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class KubeVirtOptions(ClusterOptions):
    """What `create cluster kubevirt` is given."""

    machine: kubevirt.KubeVirtMachine
    api_server_address: str = ""
    infra_kubeconfig_file: str
    infra_namespace: str
    infra_storage_class_mapping: tuple[str, ...]
    infra_volumesnapshot_class_mapping: tuple[str, ...]
    service_publishing_strategy: str = "Ingress"


def check(options: KubeVirtOptions) -> None:
    strategy = options.service_publishing_strategy
    if strategy not in STRATEGIES:
        raise UsageError(
            f"service publish strategy {strategy} is not supported, supported options: "
            f"{', '.join(STRATEGIES)}"
        )
    if strategy != "NodePort" and options.api_server_address:
        raise UsageError(
            "external-api-server-address is supported only for NodePort service publishing "
            f"strategy, service publishing strategy {strategy} is used"
        )
    _check_mappings(options.infra_storage_class_mapping, "storageclass")
    _check_mappings(options.infra_volumesnapshot_class_mapping, "volume snapshot class")
    _check_external(options)
    kubevirt.check(options.machine)


def _check_mappings(mappings: tuple[str, ...], what: str) -> None:
    for mapping in mappings:
        if len(mapping.split("/")) != MAPPING_PARTS:
            raise UsageError(f"invalid infra {what} mapping [{mapping}]")


def _check_external(options: KubeVirtOptions) -> None:
    config, namespace = options.infra_kubeconfig_file, options.infra_namespace
    if namespace and not config:
        raise UsageError(
            "external infra cluster namespace was provided but a kubeconfig is missing"
        )
    if config and not namespace:
        raise UsageError(
            "external infra cluster kubeconfig was provided but an infra namespace is missing"
        )


def complete(options: KubeVirtOptions) -> tuple[Manifest, str]:
    """The parts of the pool that have a form of their own, and the node ports' address."""
    machine = kubevirt.complete(options.machine)
    address = options.api_server_address
    if options.service_publishing_strategy == "NodePort" and not address and not options.render:
        address = node_address(options.kubeconfig)
    return machine, address


def specialize(options: KubeVirtOptions, completed: Any, cluster: Manifest) -> Manifest:
    spec = cluster["spec"]
    spec["platform"]["kubevirt"] = _platform(options)
    if options.service_publishing_strategy == "NodePort":
        spec["services"] = published_at(completed[1])
    else:
        by_route = bool(options.external_dns_domain)
        spec["services"] = published_by_ingress(api_by_route=by_route)
    return cluster


def _platform(options: KubeVirtOptions) -> Manifest:
    platform: Manifest = {}
    if options.infra_kubeconfig_file:
        reference = {"name": _credentials(options), "key": "kubeconfig"}
        platform["credentials"] = {
            "infraKubeConfigSecret": reference,
            "infraNamespace": options.infra_namespace,
        }
    if not options.base_domain:
        platform["baseDomainPassthrough"] = True
    if driver := _storage(options):
        platform["storageDriver"] = {"type": "Manual", "manual": driver}
    return platform


def _storage(options: KubeVirtOptions) -> Manifest:
    found = {}
    for field, mappings, kind in (
        ("storageClassMapping", options.infra_storage_class_mapping, "StorageClassName"),
        (
            "volumeSnapshotClassMapping",
            options.infra_volumesnapshot_class_mapping,
            "VolumeSnapshotClassName",
        ),
    ):
        if mappings:
            found[field] = [_mapping(text, kind) for text in mappings]
    return found


def _mapping(text: str, kind: str) -> Manifest:
    """Read `INFRA/GUEST,group=G`."""
    infra, _, guest = text.partition("/")
    name, *settings = guest.split(",")
    mapping = {f"infra{kind}": infra, f"guest{kind}": name}
    for option in settings:
        word, equals, value = option.partition("=")
        if not equals:
            raise UsageError(f"invalid KubeVirt infra storage class mapping option [{option}]")
        if word.strip().lower() == "group":
            return mapping | ({"group": value} if value else {})
    return mapping


def pools(options: KubeVirtOptions, completed: Any, pool: PoolMaker) -> list[Manifest]:
    manifest = pool(options.name)
    manifest["spec"]["platform"]["kubevirt"] = kubevirt.section(options.machine, completed[0])
    for text in options.annotations:
        name, _, value = text.partition("=")
        if name == UNSUPPORTED_IMAGES and value:
            manifest["metadata"]["annotations"] = {name: value}
    return [manifest]


def extras(options: KubeVirtOptions, _completed: Any) -> list[Manifest]:
    path = options.infra_kubeconfig_file
    if not path:
        return []
    config = read_file(path, "failed to read external infra cluster kubeconfig file")
    return [secret(options, _credentials(options), {"kubeconfig": config}, "Opaque")]


def _credentials(options: KubeVirtOptions) -> str:
    return f"{options.name}-infra-credentials"


PLATFORM = ClusterPlatform(
    name="kubevirt",
    type="KubeVirt",
    upgrade_type="Replace",
    options=KubeVirtOptions,
    flags=(
        *kubevirt.FLAGS,
        Flag("infra-kubeconfig-file", "Kubeconfig of the cluster that runs the machines"),
        Flag("infra-namespace", "Namespace of the machines in that cluster"),
        Flag(
            "infra-storage-class-mapping",
            "Storage class of guests: INFRA/GUEST[,group=G]; repeatable",
            STRING_ARRAY,
        ),
        Flag(
            "infra-volumesnapshot-class-mapping",
            "Snapshot class of guests: INFRA/GUEST[,group=G]; repeatable",
            STRING_ARRAY,
        ),
    ),
    developer_flags=(
        Flag("api-server-address", "Address of the node ports (strategy NodePort)"),
        kubevirt.CONTAINER_DISK,
        Flag("service-publishing-strategy", "Ingress or NodePort", default="Ingress"),
    ),
    check=check,
    complete=complete,
    specialize=specialize,
    pools=pools,
    extras=extras,
)
