"""Validates a PerformanceProfile, with the messages of the operator that owns it.

The nodes are not read here: what depends on their processors is checked on the nodes.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from hypershift.ignition.goyaml import to_json
from hypershift.kit import InvalidSpec, Manifest

_PAGE_SIZES = ("16G", "1G", "2M", "32M", "512M", "64k")
_POLICIES = ("none", "best-effort", "restricted", "single-numa-node")
_DOCUMENTATION = "https://docs.kernel.org/mm/vmemmap_dedup.html"
_HEX_ID = re.compile("0x[0-9a-fA-F]+")
_ID_LENGTH = 6
#: In Go's order.
_FIELDS = (
    *("isolatedCpuFreq", "reservedCpuFreq"),
    *("size", "count", "node"),
    *("userLevelNetworking", "devices"),
    *("interfaceName", "vendorID", "deviceID"),
)
#: What Linux is built for at most, and what a list of them needs.
MOST_PROCESSORS, LONGEST_LIST, LONGEST_NUMBER = 8192, 4096, 19
_CPU_LISTS = ("reserved", "isolated", "offlined", "shared")


def why_invalid(spec: Manifest) -> str:
    """Everything that is wrong, a line each; empty when nothing is."""
    return "\n".join(dict.fromkeys(one for check in _CHECKS for one in check(spec)))


def _invalid(path: str, value: Any, why: str) -> str:
    return f"{path}: Invalid value: {to_json(_in_order(value), sort=False)}: {why}"


def _in_order(value: Any) -> Any:
    """Fields as Go's structs have them, other keys sorted."""
    if isinstance(value, list):
        return [_in_order(item) for item in value]
    if not isinstance(value, dict):
        return value
    keys = [*(name for name in _FIELDS if name in value), *sorted(value.keys() - {*_FIELDS})]
    return {key: _in_order(value[key]) for key in keys}


def _required(path: str, why: str) -> str:
    return f"{path}: Required value: {why}"


def _cpus(spec: Manifest) -> Iterator[str]:
    cpu = spec.get("cpu")
    if cpu is None:
        yield _required("spec.cpu", "cpu section required")
        return
    absent = [name for name in ("isolated", "reserved") if cpu.get(name) is None]
    yield from (_required(f"spec.cpu.{name}", f"{name} CPUs required") for name in absent)
    if not absent:
        yield from _cpu_lists(cpu)


def _cpu_lists(cpu: Manifest) -> Iterator[str]:
    try:
        lists = {name: _cpu_list(cpu.get(name) or "") for name in _CPU_LISTS}
    except InvalidSpec as error:
        yield f"spec.cpu: Internal error: {error}"
        return
    for name in ("reserved", "isolated"):
        if not lists[name]:
            yield _invalid(f"spec.cpu.{name}", cpu[name], f"{name} CPUs can not be empty")
    for one in _CPU_LISTS:
        for other in _CPU_LISTS:
            if one != other and (both := sorted(lists[one] & lists[other])):
                shown = " ".join(map(str, both))
                yield f"spec.cpu: Forbidden: {one} and {other} cpus overlap: [{shown}]"


def _cpu_list(text: str) -> set[int]:
    """The processors of a list like `0-5,34`."""
    if len(text) > LONGEST_LIST:
        raise InvalidSpec(f"a list of processors has at most {LONGEST_LIST} characters")
    found: set[int] = set()
    for part in text.split(",") if text else ():
        first, _, last = part.partition("-")
        start, end = _integer(first), _integer(last if "-" in part else first)
        if start > end:
            raise InvalidSpec(f'invalid range "{part}" ({start} > {end})')
        if start < 0 or end >= MOST_PROCESSORS:
            raise InvalidSpec(f'"{part}" is beyond processor {MOST_PROCESSORS - 1}')
        found.update(range(start, end + 1))
    return found


def _integer(text: str) -> int:
    if not re.fullmatch("[-+]?[0-9]+", text):
        raise InvalidSpec(f'strconv.Atoi: parsing "{text}": invalid syntax')
    if len(text) > LONGEST_NUMBER:
        raise InvalidSpec(f'strconv.Atoi: parsing "{text}": value out of range')
    return int(text)


def _selectors(spec: Manifest) -> Iterator[str]:
    label, pool = spec.get("machineConfigLabel"), spec.get("machineConfigPoolSelector")
    nodes = spec.get("nodeSelector")
    if len(label or ()) > 1:
        yield _invalid(
            "spec.machineConfigLabel", label, "you should provide only 1 MachineConfigLabel"
        )
    if len(pool or ()) > 1:
        why = "you should provide only 1 MachineConfigPoolSelector"
        yield _invalid("spec.machineConfigPoolSelector", label, why)
    if nodes is None:
        yield _required("spec.nodeSelector", "the nodeSelector required")
    if len(nodes or ()) > 1:
        yield _invalid("spec.nodeSelector", nodes, "you should provide ony 1 NodeSelector")
    key = next(iter(sorted(nodes or ())), "")
    if (label is None or pool is None) and key.count("/") != 1:
        why = (
            "machineConfigLabels or machineConfigPoolSelector are not set, but we can not set it "
            "automatically because of an invalid NodeSelector label key that can't be split into "
            "domain/role"
        )
        yield _invalid("spec.nodeSelector", nodes, why)


def _huge_pages(spec: Manifest) -> Iterator[str]:
    wanted = spec.get("hugepages")
    if wanted is None:
        return
    pages, default = wanted.get("pages") or [], wanted.get("defaultHugepagesSize")
    where = "spec.hugepages.defaultHugepagesSize"
    if pages and default is None:
        why = "defaultHugepagesSize must be specified when hugepages are configured"
        yield _required(where, why)
    if default is not None and default not in _PAGE_SIZES:
        yield _invalid(where, default, _sizes("default huge page sizes", spec))
    for number, page in enumerate(pages):
        if page.get("size", "") not in _PAGE_SIZES:
            why = _sizes("huge page sizes", spec)
            yield _invalid("spec.hugepages.pages", page.get("size", ""), why)
        for other in pages[number + 1 :]:
            if why := _why_twice(page, other):
                yield _invalid("spec.hugepages.pages", pages, why)


def _sizes(what: str, spec: Manifest) -> str:
    kernel = spec.get("kernelPageSize") or "4k"
    shown = " ".join(f"{size}:{{}}" for size in _PAGE_SIZES)
    return (
        f"The compatible {what} for the selected kernel page size {kernel} are: "
        f"map[{shown}]. doc reference={_DOCUMENTATION}"
    )


def _why_twice(page: Manifest, other: Manifest) -> str:
    size, node = page.get("size", ""), page.get("node")
    if size != other.get("size", "") or node != other.get("node"):
        return ""
    if node is None:
        return (
            f'the page with the size "{size}" and without the specified NUMA node, has duplication'
        )
    return f'the page with the size "{size}" and with specified NUMA node {node}, has duplication'


def _numa(spec: Manifest) -> Iterator[str]:
    policy = (spec.get("numa") or {}).get("topologyPolicy")
    if policy is not None and policy not in _POLICIES:
        why = "unrecognized value for topologyPolicy"
        yield _invalid("spec.numa.topologyPolicy", policy, why)


def _net(spec: Manifest) -> Iterator[str]:
    net = spec.get("net") or {}
    if net.get("userLevelNetworking") and (spec.get("cpu") or {}).get("reserved") is None:
        why = "can not set network devices queues count without specifying spec.cpu.reserved"
        yield _invalid("spec.net", net, why)
    devices = net.get("devices") or []
    for device in devices:
        for why in _device(device):
            yield _invalid("spec.net.devices", devices, why)


def _device(device: Manifest) -> Iterator[str]:
    if device.get("interfaceName") == "":
        yield "device name cannot be empty"
    for field, word, short in (("vendorID", "vendor", "Vendor"), ("deviceID", "model", "Model")):
        value = device.get(field)
        if value is not None and not (_HEX_ID.fullmatch(value) and len(value) <= _ID_LENGTH):
            yield (
                f"device {word} ID {value} has an invalid format. {short} ID should be "
                "represented as 0x<4 hexadecimal digits> (16 bit representation)"
            )
    if device.get("deviceID") is not None and device.get("vendorID") is None:
        yield "device model ID can not be used without specifying the device vendor ID."


def _hints(spec: Manifest) -> Iterator[str]:
    hints = spec.get("workloadHints") or {}
    where = "spec.workloadHints"
    if (spec.get("realTimeKernel") or {}).get("enabled") and hints.get("realTime") is False:
        why = "realtime kernel is enabled, but realtime workload hint is explicitly disable"
        yield _invalid(f"{where}.realTime", value=False, why=why)
    wrong = "Invalid WorkloadHints configuration:"
    if hints.get("highPowerConsumption") and hints.get("perPodPowerManagement"):
        why = f"{wrong} HighPowerConsumption and PerPodPowerManagement can not be both enabled"
        yield _invalid(f"{where}.HighPowerConsumption", value=True, why=why)
    if hints.get("mixedCpus") and not (spec.get("cpu") or {}).get("shared"):
        why = f"{wrong} MixedCpus enabled but no shared CPUs were specified"
        yield _invalid(f"{where}.MixedCpus", value=True, why=why)


def _frequencies(spec: Manifest) -> Iterator[str]:
    wanted = spec.get("hardwareTuning")
    if wanted is None:
        return
    names = ("isolated", "reserved")
    if any(wanted.get(f"{name}CpuFreq") is None for name in names):
        why = "both isolated and reserved cpu frequency must be declared"
        yield _invalid("spec.hardwareTuning", wanted, why)
        return
    for name in names:
        if wanted[f"{name}CpuFreq"] == 0:
            why = f"{name} cpu frequency can not be equal to 0"
            yield _invalid(f"spec.hardwareTuning.{name}CpuFreq", 0, why)


_CHECKS: tuple[Callable[[Manifest], Iterator[str]], ...] = (
    _cpus,
    _selectors,
    _huge_pages,
    _numa,
    _net,
    _hints,
    _frequencies,
)
