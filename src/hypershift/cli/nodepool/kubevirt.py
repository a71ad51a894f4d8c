"""NodePools on KubeVirt: virtual machines that are pods of a cluster."""

import re
from typing import Any

from hypershift.cli.flags import BOOL, STRING_ARRAY, STRING_MAP, UINT32, Flag, Values
from hypershift.cli.nodepool.platform import PoolPlatform, parameters, present
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


def check(values: Values) -> None:
    if values["root-volume-cache-strategy"] not in ("", "None", "PVC"):
        raise UsageError(
            'wrong value for the --root-volume-cache-strategy parameter. May be only "None" or '
            '"PVC"'
        )
    if values["root-volume-volume-mode"] not in ("", "Filesystem", "Block"):
        raise UsageError(
            "unsupported value for the --root-volume-volume-mode parameter. "
            'May be only "Filesystem" or "Block"'
        )
    if values["cores"] < 1:
        raise UsageError(
            "the number of cores inside the machine must be a value greater than or equal to 1"
        )
    size = values["root-volume-size"]
    if size < SMALLEST_VOLUME:
        raise UsageError(f"the root volume size [{size}] must be greater than or equal to 16")
    _memory(values)
    if not values["additional-network"] and not values["attach-default-network"]:
        raise UsageError(
            "missing --additional-network. when --attach-default-network is false configuring "
            "an additional network is mandatory"
        )


def _memory(values: Values) -> str:
    text = values["memory"]
    return quantity(text, f'invalid memory quantity "{text}"') if text else ""


def complete(values: Values) -> Manifest:
    """The parts whose flags have a form of their own."""
    if values["network-multiqueue"] not in ("", "Enable", "Disable"):
        raise UsageError(
            "wrong value for the --network-multiqueue parameter. "
            'Supported values are "Enable" or "Disable"'
        )
    if values["qos-class"] not in ("", "Burstable", "Guaranteed"):
        raise UsageError(
            "wrong value for the --qos-class parameter. "
            'Supported values are "Burstable" are "Guaranteed"'
        )
    networks = [
        parameters("additional-network", text, ("name",)) for text in values["additional-network"]
    ]
    devices = [device for text in values["host-device-name"] for device in _devices(text)]
    return present({"additionalNetworks": networks, "hostDevices": devices})


def _devices(text: str) -> list[Manifest]:
    """One device, or none: a device without a count is dropped, as the original does it."""
    name, *options = text.split(",")
    if not options:
        return []
    word, _, count = options[0].partition(":")
    if len(options) > 1 or word != "count" or options[0].count(":") != 1:
        raise UsageError(f"invalid KubeVirt host device setting: [{text}]")
    if not re.fullmatch(r"[+-]?\d+", count):
        raise UsageError(f"could not parse host device count: [{text}]")
    if int(count) < 1:
        raise UsageError(
            f"host device count must be greater than or equal to 1. received: [{int(count)}]"
        )
    return [{"deviceName": name, "count": int(count)}]


def section(values: Values, completed: Any, _cluster: Manifest) -> Manifest:
    compute = {
        "cores": values["cores"],
        "memory": _memory(values),
        "qosClass": "Guaranteed" if values["qos-class"] == "Guaranteed" else "",
    }
    multiqueue = values["network-multiqueue"] == "Enable"
    found = {
        "networkInterfaceMultiqueue": "Enable" if multiqueue else "",
        "nodeSelector": values["vm-node-selector"],
    }
    return {
        "attachDefaultNetwork": values["attach-default-network"],
        "compute": present(compute),
        "rootVolume": _volume(values),
        **present(found),
        **completed,
    }


def _volume(values: Values) -> Manifest:
    modes = values["root-volume-access-modes"]
    persistent = {
        "size": canonical(f"{values['root-volume-size']}Gi"),
        "storageClass": values["root-volume-storage-class"],
        "accessModes": modes.split(",") if modes else [],
        "volumeMode": values["root-volume-volume-mode"],
    }
    volume: Manifest = {"type": "Persistent", "persistent": present(persistent)}
    if values.get("containerdisk"):
        volume["diskImage"] = {"containerDiskImage": values["containerdisk"]}
    if values["root-volume-cache-strategy"]:
        volume["cacheStrategy"] = {"type": values["root-volume-cache-strategy"]}
    return volume


PLATFORM = PoolPlatform(
    name="kubevirt",
    type="KubeVirt",
    key="kubevirt",
    summary="A pool of KubeVirt machines",
    upgrade_type="Replace",
    flags=FLAGS,
    developer_flags=(CONTAINER_DISK,),
    check=check,
    complete=complete,
    section=section,
)
