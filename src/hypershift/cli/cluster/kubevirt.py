"""`create cluster kubevirt`: nodes that are virtual machines of a cluster."""

from typing import Any

from hypershift.api import annotations
from hypershift.cli.cluster.platform import (
    ClusterPlatform,
    PoolMaker,
    published_at,
    published_by_ingress,
    secret,
)
from hypershift.cli.files import read_file
from hypershift.cli.flags import STRING_ARRAY, Flag, Values
from hypershift.cli.management import node_address
from hypershift.cli.nodepool import kubevirt
from hypershift.kit import Manifest, UsageError

STRATEGIES = ("Ingress", "NodePort")
UNSUPPORTED_IMAGES = annotations.ALLOW_UNSUPPORTED_KUBEVIRT_RHCOS
MAPPING_PARTS = 2


def check(values: Values) -> None:
    strategy = _strategy(values)
    if strategy not in STRATEGIES:
        raise UsageError(
            f"service publish strategy {strategy} is not supported, supported options: "
            f"{', '.join(STRATEGIES)}"
        )
    if strategy != "NodePort" and values.get("api-server-address"):
        raise UsageError(
            "external-api-server-address is supported only for NodePort service publishing "
            f"strategy, service publishing strategy {strategy} is used"
        )
    _check_mappings(values["infra-storage-class-mapping"], "storageclass")
    _check_mappings(values["infra-volumesnapshot-class-mapping"], "volume snapshot class")
    _check_external(values)
    kubevirt.check(values)


def _check_mappings(mappings: tuple[str, ...], what: str) -> None:
    for mapping in mappings:
        if len(mapping.split("/")) != MAPPING_PARTS:
            raise UsageError(f"invalid infra {what} mapping [{mapping}]")


def _check_external(values: Values) -> None:
    config, namespace = values["infra-kubeconfig-file"], values["infra-namespace"]
    if namespace and not config:
        raise UsageError(
            "external infra cluster namespace was provided but a kubeconfig is missing"
        )
    if config and not namespace:
        raise UsageError(
            "external infra cluster kubeconfig was provided but an infra namespace is missing"
        )


def _strategy(values: Values) -> str:
    return str(values.get("service-publishing-strategy", "Ingress"))


def complete(values: Values) -> tuple[Manifest, str]:
    """The parts of the pool that have a form of their own, and the node ports' address."""
    machine = kubevirt.complete(values)
    address = values.get("api-server-address")
    if _strategy(values) == "NodePort" and not address and not values["render"]:
        address = node_address(values["kubeconfig"])
    return machine, address


def shape(values: Values, completed: Any, cluster: Manifest) -> Manifest:
    spec = cluster["spec"]
    spec["platform"]["kubevirt"] = _platform(values)
    if _strategy(values) == "NodePort":
        spec["services"] = published_at(completed[1])
    else:
        by_route = bool(values["external-dns-domain"])
        spec["services"] = published_by_ingress(api_by_route=by_route)
    return cluster


def _platform(values: Values) -> Manifest:
    platform: Manifest = {}
    if values["infra-kubeconfig-file"]:
        reference = {"name": _credentials(values), "key": "kubeconfig"}
        platform["credentials"] = {
            "infraKubeConfigSecret": reference,
            "infraNamespace": values["infra-namespace"],
        }
    if not values["base-domain"]:
        platform["baseDomainPassthrough"] = True
    if driver := _storage(values):
        platform["storageDriver"] = {"type": "Manual", "manual": driver}
    return platform


def _storage(values: Values) -> Manifest:
    found = {}
    for field, flag, kind in (
        ("storageClassMapping", "infra-storage-class-mapping", "StorageClassName"),
        (
            "volumeSnapshotClassMapping",
            "infra-volumesnapshot-class-mapping",
            "VolumeSnapshotClassName",
        ),
    ):
        if values[flag]:
            found[field] = [_mapping(text, kind) for text in values[flag]]
    return found


def _mapping(text: str, kind: str) -> Manifest:
    """Read `INFRA/GUEST,group=G`."""
    infra, _, guest = text.partition("/")
    name, *options = guest.split(",")
    mapping = {f"infra{kind}": infra, f"guest{kind}": name}
    for option in options:
        word, equals, value = option.partition("=")
        if not equals:
            raise UsageError(f"invalid KubeVirt infra storage class mapping option [{option}]")
        if word.strip().lower() == "group":
            return mapping | ({"group": value} if value else {})
    return mapping


def pools(values: Values, completed: Any, pool: PoolMaker) -> list[Manifest]:
    manifest = pool(values["name"])
    manifest["spec"]["platform"]["kubevirt"] = kubevirt.section(values, completed[0], {})
    for text in values["annotations"]:
        name, _, value = text.partition("=")
        if name == UNSUPPORTED_IMAGES and value:
            manifest["metadata"]["annotations"] = {name: value}
    return [manifest]


def extras(values: Values, _completed: Any) -> list[Manifest]:
    path = values["infra-kubeconfig-file"]
    if not path:
        return []
    config = read_file(path, "failed to read external infra cluster kubeconfig file")
    return [secret(values, _credentials(values), {"kubeconfig": config}, "Opaque")]


def _credentials(values: Values) -> str:
    return f"{values['name']}-infra-credentials"


PLATFORM = ClusterPlatform(
    name="kubevirt",
    type="KubeVirt",
    summary="A cluster of KubeVirt machines",
    upgrade_type="Replace",
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
    shape=shape,
    pools=pools,
    extras=extras,
)
