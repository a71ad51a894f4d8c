"""The Go structs behind what tunes nodes: Tuned and PerformanceProfile."""

from collections.abc import Mapping
from typing import Any

from hypershift.ignition.go_types.metadata import document
from hypershift.ignition.go_types.reading import (
    BOOL,
    INT32,
    INT64,
    MAP,
    STRING,
    STRINGS,
    TIME,
    Place,
    Reader,
    Struct,
    number,
    struct,
    structs,
)

_INT = number("int")


def _inner_matches(value: Any, place: Place) -> Any:
    return structs(_MATCH).read(value, place)


_MATCH = Struct(
    "TunedMatch",
    {"label": STRING, "value": STRING, "type": STRING, "match": Reader(_inner_matches)},
    {"label": None},
    frozenset({"value", "type"}),
)
_TUNED_CONFIG = Struct("TuneDConfig", {"reapply_sysctl": BOOL}, {"reapply_sysctl": None})
_OPERAND = Struct(
    "OperandConfig",
    {"debug": BOOL, "verbosity": _INT, "tunedConfig": struct(_TUNED_CONFIG)},
    {"tunedConfig": dict(_TUNED_CONFIG.always)},
)
_RECOMMEND = Struct(
    "TunedRecommend",
    {
        "profile": STRING,
        "priority": INT64,
        "match": structs(_MATCH),
        "machineConfigLabels": MAP,
        "operand": struct(_OPERAND),
    },
    {"profile": None, "priority": None, "operand": dict(_OPERAND.always)},
)
_TUNED_PROFILE = Struct(
    "TunedProfile", {"name": STRING, "data": STRING}, {"name": None, "data": None}
)
_TUNED_CONDITION = Struct(
    "StatusCondition",
    {
        "type": STRING,
        "status": STRING,
        "lastTransitionTime": TIME,
        "reason": STRING,
        "message": STRING,
    },
    {"type": "", "status": "", "lastTransitionTime": None},
)
_TUNED = document(
    "Tuned",
    spec=Struct(
        "TunedSpec",
        {
            "managementState": STRING,
            "profile": structs(_TUNED_PROFILE),
            "recommend": structs(_RECOMMEND),
        },
        {"profile": None, "recommend": None},
    ),
    status=Struct("TunedStatus", {"conditions": structs(_TUNED_CONDITION)}),
)


def _optional(name: str, fields: Mapping[str, Reader], *always: str) -> Struct:
    """A struct of pointers, as most of a profile is."""
    return Struct(name, fields, dict.fromkeys(always), frozenset(fields) - {*always}, "v2")


_CPU = _optional(
    "CPU",
    {
        "reserved": STRING,
        "isolated": STRING,
        "balanceIsolated": BOOL,
        "offlined": STRING,
        "shared": STRING,
    },
    "reserved",
    "isolated",
)
_PAGE = Struct(
    "HugePage",
    {"size": STRING, "count": INT32, "node": INT32},
    pointers=frozenset({"node"}),
    package="v2",
)
_PAGES = Struct(
    "HugePages",
    {"defaultHugepagesSize": STRING, "pages": structs(_PAGE)},
    pointers=frozenset({"defaultHugepagesSize"}),
    package="v2",
)
_DEVICE = _optional("Device", {"interfaceName": STRING, "vendorID": STRING, "deviceID": STRING})
_NET = Struct(
    "Net",
    {"userLevelNetworking": BOOL, "devices": structs(_DEVICE)},
    pointers=frozenset({"userLevelNetworking"}),
    package="v2",
)
_HINTS = _optional(
    "WorkloadHints",
    dict.fromkeys(("highPowerConsumption", "realTime", "perPodPowerManagement", "mixedCpus"), BOOL),
)
_PROFILE_CONDITION = Struct(
    "Condition",
    {
        "type": STRING,
        "status": STRING,
        "reason": STRING,
        "message": STRING,
        "lastHeartbeatTime": TIME,
        "lastTransitionTime": TIME,
    },
    {"type": "", "status": "", "lastHeartbeatTime": None, "lastTransitionTime": None},
)
_PROFILE_SPEC = Struct(
    "PerformanceProfileSpec",
    {
        "cpu": struct(_CPU),
        "hardwareTuning": struct(
            _optional("HardwareTuning", {"isolatedCpuFreq": _INT, "reservedCpuFreq": _INT})
        ),
        "hugepages": struct(_PAGES),
        "machineConfigLabel": MAP,
        "machineConfigPoolSelector": MAP,
        "nodeSelector": MAP,
        "realTimeKernel": struct(_optional("RealTimeKernel", {"enabled": BOOL})),
        "kernelPageSize": STRING,
        "additionalKernelArgs": STRINGS,
        "numa": struct(_optional("NUMA", {"topologyPolicy": STRING})),
        "net": struct(_NET),
        "globallyDisableIrqLoadBalancing": BOOL,
        "workloadHints": struct(_HINTS),
    },
    {"cpu": None, "nodeSelector": None},
    frozenset(
        {
            "hardwareTuning",
            "hugepages",
            "realTimeKernel",
            "kernelPageSize",
            "numa",
            "net",
            "globallyDisableIrqLoadBalancing",
            "workloadHints",
        }
    ),
    "v2",
)
_PROFILE_STATUS = Struct(
    "PerformanceProfileStatus",
    {"conditions": structs(_PROFILE_CONDITION), "tuned": STRING, "runtimeClass": STRING},
    pointers=frozenset({"tuned", "runtimeClass"}),
    package="v2",
)

TUNED_API, PROFILE_API = "tuned.openshift.io/v1", "performance.openshift.io/v2"
#: What a pool may name.
TUNING: Mapping[tuple[str, str], Struct] = {
    (TUNED_API, "Tuned"): _TUNED,
    (PROFILE_API, "PerformanceProfile"): document(
        "PerformanceProfile", spec=_PROFILE_SPEC, status=_PROFILE_STATUS
    ),
}
#: What can be read as well, and tunes nothing.
OTHERS = {
    (TUNED_API, "TunedList"): "*v1.TunedList",
    (TUNED_API, "Profile"): "*v1.Profile",
    (TUNED_API, "ProfileList"): "*v1.ProfileList",
    (PROFILE_API, "PerformanceProfileList"): "*v2.PerformanceProfileList",
}
