"""Machines of platform KubeVirt: the KubevirtMachineTemplate of a pool."""

from hypershift.api import NodePool, annotations, encode, labels, read
from hypershift.api.conditions import NodePoolConditionType, false, true
from hypershift.api.node_pool import KubevirtNodePool
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.quantity import canonical
from hypershift.kube import Resource
from hypershift.platforms.kubevirt import vm_patch
from hypershift.platforms.kubevirt.boot_image import (
    ROOT_LABEL,
    BootImage,
    boot_image,
    credentials_of,
    storage,
)
from hypershift.platforms.machines import (
    FAILED,
    VALID_IMAGE,
    PoolFacts,
    Report,
    SimpleMachines,
    Template,
    filled,
    named_by,
)

_GROUP = "infrastructure.cluster.x-k8s.io"
RESOURCE = Resource(_GROUP, "v1alpha1", "kubevirtmachinetemplates", "KubevirtMachineTemplate")
MACHINE = Resource(_GROUP, "v1alpha1", "kubevirtmachines", "KubevirtMachine")
#: More than any host has.
MOST_DEVICES = 256
SPREADS = annotations.KUBEVIRT_TOPOLOGY_SPREAD
POOL_LABEL = labels.NODE_POOL_NAME
INFRA_LABEL = labels.INFRA_ID
_ROOT = "rhcos"
_HOST = "kubernetes.io/hostname"
_BRIDGE_MIGRATION = "kubevirt.io/allow-pod-bridge-network-live-migration"
_SAFE_VOLUMES = "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes"
#: Volumes of a virtual machine's pod that hold nothing worth keeping it for.
_LOCAL_VOLUMES = (
    "private",
    "public",
    "sockets",
    "virt-bin-share-dir",
    "libvirt-runtime",
    "ephemeral-disks",
    "container-disks",
    "hotplug-disks",
)


class KubeVirtMachines(SimpleMachines):
    """Templates of virtual machines on a Kubernetes cluster."""

    resource = RESOURCE

    def check(self, facts: PoolFacts) -> Report:
        if why := why_invalid(facts):
            message = f"validation of NodePool KubeVirt platform failed: {why}"
            invalid = false(NodePoolConditionType.VALID_MACHINE_CONFIG, FAILED, message)
            return Report((invalid,), message)
        status = _status(facts)
        try:
            image = boot_image(facts)
        except InvalidSpec as error:
            message = f'Couldn\'t discover a KubeVirt Image for release image "{facts.image}"'
            missing = false(VALID_IMAGE, FAILED, f"{message}: {error}")
            failure = f"couldn't discover a KubeVirt Image in release payload image: {error}"
            return Report((missing,), failure, status=status)
        message = f"Bootstrap KubeVirt Image is {image.name}"
        ready = true(VALID_IMAGE, message)
        return Report((ready,), status=status, annotations=_marks(facts))

    def template(self, facts: PoolFacts) -> Template:
        try:
            image = boot_image(facts)
        except InvalidSpec as error:
            raise InvalidSpec(
                f"couldn't discover a KubeVirt Image in release payload image: {error}"
            ) from error
        spec = {
            "virtualMachineTemplate": machine_spec(facts, image),
            "virtualMachineBootstrapCheck": {"checkStrategy": "none"},
        }
        return named_by({"template": {"spec": spec}})


def _status(facts: PoolFacts) -> Manifest:
    credentials = credentials_of(facts)
    if credentials is None or not credentials.infra_namespace:
        return {}
    return {"kubeVirt": {"credentials": encode(credentials)}}


def _marks(facts: PoolFacts) -> dict[str, str]:
    """New and upgrading pools spread by a constraint; others keep the template that they have."""
    version = facts.wanted.status.version
    return {SPREADS: "true"} if version != facts.release.version else {}


def why_invalid(facts: PoolFacts) -> str:
    """Say what the pool must not ask for; empty when it may."""
    section = facts.wanted.spec.platform.kubevirt
    if section is None:
        return "nodepool.spec.platform.kubevirt is required"
    given, volume = facts.given.spec.platform.kubevirt, section.root_volume
    if given is None or not given.root_volume.type:
        return "the kubevirt platform rootVolume field is required"
    if volume.type == "Persistent" and volume.persistent is None:
        return "the kubevirt persistent storage field must be set when rootVolume.Type=Persistent"
    if not section.additional_networks and not section.attach_default_network:
        return "default network cannot be disabled when no additional networks are configured"
    for device in section.host_devices:
        if device.count < 1:
            return f"host device count must be greater than or equal to 1. received: {device.count}"
    return ""


def machine_spec(facts: PoolFacts, image: BootImage) -> Manifest:
    """The virtual machine, fields in Go's order, with the changes that annotations ask for."""
    try:
        source = image.source
    except InvalidSpec as error:
        raise InvalidSpec(f"unable to generate kubevirt machine template: {error}") from error
    labels = {INFRA_LABEL: facts.infra_id, POOL_LABEL: facts.pool_name}
    credentials = credentials_of(facts)
    namespace = credentials.infra_namespace if credentials else None
    machine: Manifest = {
        "metadata": filled({"namespace": namespace, "labels": labels}),
        "spec": {
            "runStrategy": "Always",
            "template": _instance(facts, labels),
            "dataVolumeTemplates": [_root_volume(facts.wanted, source)],
        },
    }
    return _patched(facts, machine)


def _patched(facts: PoolFacts, machine: Manifest) -> Manifest:
    owners = (facts.cluster.metadata.annotations, facts.wanted.metadata.annotations)
    patches = [
        text for marks in owners if (text := (marks or {}).get(vm_patch.ANNOTATION)) is not None
    ]
    return vm_patch.patched(machine, *patches) if patches else machine


def _instance(facts: PoolFacts, labels: dict[str, str]) -> Manifest:
    platform = facts.wanted.spec.platform.kubevirt or read(KubevirtNodePool, {})
    annotations = {_SAFE_VOLUMES: ",".join(_LOCAL_VOLUMES)}
    if platform.attach_default_network:
        annotations[_BRIDGE_MIGRATION] = ""
    spec = {
        "domain": _domain(platform),
        "nodeSelector": dict(sorted((platform.node_selector or {}).items())),
        **_placement(facts),
        "evictionStrategy": "External",
        "volumes": [{"name": _ROOT, "dataVolume": {"name": _ROOT}}],
        "networks": _networks(platform),
    }
    return {"metadata": {"labels": labels, "annotations": annotations}, "spec": filled(spec)}


def _domain(platform: KubevirtNodePool) -> Manifest:
    compute = platform.compute
    guest = canonical(str(compute.memory)) if compute else "0"
    cores = (compute.cores if compute else None) or 0
    domain: Manifest = {"resources": {}}
    if compute and compute.qos_class == "Guaranteed":
        amounts = filled({"cpu": str(cores) if cores else None, "memory": guest})
        domain["resources"] = {"requests": amounts, "limits": amounts}
    else:
        domain |= filled({"cpu": {"cores": cores} if cores else None})
        domain["memory"] = {"guest": guest}
    return domain | {"devices": _devices(platform)}


def _devices(platform: KubevirtNodePool) -> Manifest:
    wanted = platform.host_devices
    count = sum(device.count for device in wanted)
    if count > MOST_DEVICES:
        # The API takes two thousand million of each, and each is an entry of the template.
        raise InvalidSpec(f"{count} host devices are more than {MOST_DEVICES}")
    names = [device.device_name for device in wanted for _ in range(device.count)]
    queues = platform.network_interface_multiqueue == "Enable"
    devices = {
        "disks": [{"name": _ROOT, "disk": {"bus": "virtio"}}],
        "interfaces": [{"name": one["name"], "bridge": {}} for one in _networks(platform)],
        "networkInterfaceMultiqueue": queues or None,
        "hostDevices": [
            {"name": f"hostdevice-{number}", "deviceName": name}
            for number, name in enumerate(names, start=1)
        ],
    }
    return filled(devices)


def _networks(platform: KubevirtNodePool) -> list[Manifest]:
    networks: list[Manifest] = []
    if platform.attach_default_network:
        networks.append({"name": "default", "pod": {}})
    for number, one in enumerate(platform.additional_networks, start=1):
        name = f"iface{number}_{one.name.replace('/', '-')}"
        networks.append({"name": name, "multus": {"networkName": one.name}})
    return networks


def _placement(facts: PoolFacts) -> Manifest:
    """Machines of a pool on different hosts, as far as there are some."""
    if SPREADS in (facts.wanted.metadata.annotations or {}):
        constraint = {
            "maxSkew": 1,
            "topologyKey": _HOST,
            "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": {"matchLabels": {POOL_LABEL: facts.pool_name}},
        }
        return {"topologySpreadConstraints": [constraint]}
    expression = {"key": POOL_LABEL, "operator": "In", "values": [facts.pool_name]}
    term = {"labelSelector": {"matchExpressions": [expression]}, "topologyKey": _HOST}
    preferred = [{"weight": 100, "podAffinityTerm": term}]
    affinity = {"preferredDuringSchedulingIgnoredDuringExecution": preferred}
    return {"affinity": {"podAntiAffinity": affinity}}


def _root_volume(pool: NodePool, source: Manifest) -> Manifest:
    spec: Manifest = {"source": source}
    if (wanted := storage(pool)) is not None:
        spec["storage"] = wanted
    return {"metadata": {"name": _ROOT, "labels": {ROOT_LABEL: "true"}}, "spec": spec}


MACHINES = KubeVirtMachines()
