"""NodePools on KubeVirt: virtual machines that are pods of a cluster."""

import re
from dataclasses import dataclass

from hypershift.cli.flags import BOOL, STRING_ARRAY, STRING_MAP, UINT32, Flag
from hypershift.cli.nodepool.platform import PoolOptions, PoolPlatform, parameters, present
from hypershift.cli.quantity import quantity
from hypershift.kit import Manifest, UsageError
from hypershift.kit.quantity import canonical

SMALLEST_VOLUME = 16

FLAGS = (
    Flag("additional-network", "A further network, name:NAMESPACE/NAD; repeatable", STRING_ARRAY),
    Flag("attach-default-network", "Attach the machines to the pod network", BOOL, default=True),
    Flag("cores", "Processors of each machine", UINT32, 2),
    Flag("host-device-name", "Host device, NAME,count:N; repeatable", STRING_ARRAY),
    Flag("memory", "Memory of each machine", default="4Gi"),
    Flag("network-multiqueue", "Enable or Disable", default="Enable"),
    Flag("qos-class", "Burstable or Guaranteed", default="Burstable"),
    Flag("root-volume-access-modes", "Access modes of the root volume, comma separated"),
    Flag("root-volume-cache-strategy", "Cache of the boot image: None or PVC"),
    Flag("root-volume-size", "Size of the root volume in GiB, at least 16", UINT32, 32),
    Flag("root-volume-storage-class", "Storage class of the root volume"),
    Flag("root-volume-volume-mode", "Filesystem or Block"),
    Flag("vm-node-selector", "Labels of the nodes that machines run on", STRING_MAP),
)
CONTAINER_DISK = Flag("containerdisk", "Boot image instead of the release's")


@dataclass(frozen=True, slots=True, kw_only=True)
class KubeVirtMachine:
    """How large each machine is, its volume, networks and devices."""

    additional_network: tuple[str, ...]
    attach_default_network: bool
    containerdisk: str = ""
    cores: int
    host_device_name: tuple[str, ...]
    memory: str
    network_multiqueue: str
    qos_class: str
    root_volume_access_modes: str
    root_volume_cache_strategy: str
    root_volume_size: int
    root_volume_storage_class: str
    root_volume_volume_mode: str
    vm_node_selector: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class KubeVirtPool(PoolOptions):
    """What `create nodepool kubevirt` is given."""

    machine: KubeVirtMachine


def check(machine: KubeVirtMachine) -> None:
    """Refuse what no machine can be made of."""
    if machine.root_volume_cache_strategy not in ("", "None", "PVC"):
        raise UsageError(
            'wrong value for the --root-volume-cache-strategy parameter. May be only "None" or '
            '"PVC"'
        )
    if machine.root_volume_volume_mode not in ("", "Filesystem", "Block"):
        raise UsageError(
            "unsupported value for the --root-volume-volume-mode parameter. "
            'May be only "Filesystem" or "Block"'
        )
    if machine.cores < 1:
        raise UsageError(
            "the number of cores inside the machine must be a value greater than or equal to 1"
        )
    size = machine.root_volume_size
    if size < SMALLEST_VOLUME:
        raise UsageError(f"the root volume size [{size}] must be greater than or equal to 16")
    _memory(machine)
    if not machine.additional_network and not machine.attach_default_network:
        raise UsageError(
            "missing --additional-network. when --attach-default-network is false configuring "
            "an additional network is mandatory"
        )


def _memory(machine: KubeVirtMachine) -> str:
    text = machine.memory
    return quantity(text, f'invalid memory quantity "{text}"') if text else ""


def complete(machine: KubeVirtMachine) -> Manifest:
    """The parts whose flags have a form of their own."""
    if machine.network_multiqueue not in ("", "Enable", "Disable"):
        raise UsageError(
            "wrong value for the --network-multiqueue parameter. "
            'Supported values are "Enable" or "Disable"'
        )
    if machine.qos_class not in ("", "Burstable", "Guaranteed"):
        raise UsageError(
            "wrong value for the --qos-class parameter. "
            'Supported values are "Burstable" are "Guaranteed"'
        )
    networks = [
        parameters("additional-network", text, ("name",)) for text in machine.additional_network
    ]
    devices = [device for text in machine.host_device_name for device in _devices(text)]
    return present({"additionalNetworks": networks, "hostDevices": devices})


def _devices(text: str) -> list[Manifest]:
    """One device, or none: a device without a count is dropped, as the original does it."""
    name, *settings = text.split(",")
    if not settings:
        return []
    word, _, count = settings[0].partition(":")
    if len(settings) > 1 or word != "count" or settings[0].count(":") != 1:
        raise UsageError(f"invalid KubeVirt host device setting: [{text}]")
    if not re.fullmatch(r"[+-]?\d+", count):
        raise UsageError(f"could not parse host device count: [{text}]")
    if int(count) < 1:
        raise UsageError(
            f"host device count must be greater than or equal to 1. received: [{int(count)}]"
        )
    return [{"deviceName": name, "count": int(count)}]


def section(machine: KubeVirtMachine, completed: Manifest) -> Manifest:
    """The section of a pool of such machines; `completed` is what `complete` returned."""
    compute = {
        "cores": machine.cores,
        "memory": _memory(machine),
        "qosClass": "Guaranteed" if machine.qos_class == "Guaranteed" else "",
    }
    multiqueue = machine.network_multiqueue == "Enable"
    found = {
        "networkInterfaceMultiqueue": "Enable" if multiqueue else "",
        "nodeSelector": machine.vm_node_selector,
    }
    return {
        "attachDefaultNetwork": machine.attach_default_network,
        "compute": present(compute),
        "rootVolume": _volume(machine),
        **present(found),
        **completed,
    }


def _volume(machine: KubeVirtMachine) -> Manifest:
    modes = machine.root_volume_access_modes
    persistent = {
        "size": canonical(f"{machine.root_volume_size}Gi"),
        "storageClass": machine.root_volume_storage_class,
        "accessModes": modes.split(",") if modes else [],
        "volumeMode": machine.root_volume_volume_mode,
    }
    volume: Manifest = {"type": "Persistent", "persistent": present(persistent)}
    if machine.containerdisk:
        volume["diskImage"] = {"containerDiskImage": machine.containerdisk}
    if machine.root_volume_cache_strategy:
        volume["cacheStrategy"] = {"type": machine.root_volume_cache_strategy}
    return volume


PLATFORM = PoolPlatform(
    name="kubevirt",
    type="KubeVirt",
    key="kubevirt",
    upgrade_type="Replace",
    flags=FLAGS,
    developer_flags=(CONTAINER_DISK,),
    options=KubeVirtPool,
    check=lambda options: check(options.machine),
    complete=lambda options: complete(options.machine),
    section=lambda options, completed, _cluster: section(options.machine, completed),
)
