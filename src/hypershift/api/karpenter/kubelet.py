"""Settings of the kubelet on nodes that Karpenter makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.shape import Field, Int32, Rule, Shape, Value, constrained


@constrained(
    Rule(
        (
            "!has(self.imageGCHighThresholdPercent) ||"
            " !has(self.imageGCLowThresholdPercent) ||"
            " self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent"
        ),
        "imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent",
    ),
    Rule(
        "!has(self.podsPerCore) || !has(self.maxPods) || self.podsPerCore <= self.maxPods",
        "podsPerCore must not exceed maxPods",
    ),
    Rule(
        (
            "!has(self.evictionSoft) || (has(self.evictionSoftGracePeriod) &&"
            " self.evictionSoft.all(e, e in self.evictionSoftGracePeriod))"
        ),
        "evictionSoft entry does not have a matching evictionSoftGracePeriod",
    ),
    Rule(
        (
            "!has(self.evictionSoftGracePeriod) || (has(self.evictionSoft) &&"
            " self.evictionSoftGracePeriod.all(e, e in self.evictionSoft))"
        ),
        "evictionSoftGracePeriod entry does not have a matching evictionSoft",
    ),
    Rule(
        (
            "!has(self.evictionHard) || !has(self.evictionSoft) ||"
            " self.evictionHard.all(key, !(key in self.evictionSoft) ||"
            " ((self.evictionSoft[key].endsWith('%') &&"
            " self.evictionHard[key].endsWith('%')) ?"
            " (self.evictionSoft[key].size() <= 1 || self.evictionHard[key].size()"
            " <= 1 || double(self.evictionSoft[key].substring(0,"
            " self.evictionSoft[key].size() - 1)) >="
            " double(self.evictionHard[key].substring(0,"
            " self.evictionHard[key].size() - 1))) :"
            " (!(isQuantity(self.evictionSoft[key]) &&"
            " isQuantity(self.evictionHard[key])) || quantity(self."
            "evictionSoft[key]).compareTo(quantity(self.evictionHard[key])) >= 0)))"
        ),
        (
            "evictionSoft threshold must be greater than or equal to evictionHard"
            " threshold for the same signal (soft eviction should fire before hard)"
        ),
    ),
    keep_unknown=True,
)
class KubeletConfiguration(Shape):
    """Settings of the kubelet. What is not listed here is passed on as it is."""

    cpu_cfs_quota: Annotated[
        bool | None, Field("Whether CPU limits are enforced. Default true.")
    ] = None
    eviction_hard: Annotated[
        Mapping[str, str] | None,
        Field(
            (
                "Signals and the thresholds at which pods are evicted at once, for example"
                " `memory.available: 5%`."
            ),
            values=Value(max_length=64),
            min_properties=1,
            max_properties=20,
            rules=(
                Rule(
                    (
                        "self.all(x, x in ['memory.available','nodefs.available','nodefs."
                        "inodesFree','imagefs.available','imagefs.inodesFree','pid.available'])"
                    ),
                    (
                        "valid keys for evictionHard are ['memory.available','nodefs."
                        "available','nodefs.inodesFree','imagefs.available','imagefs."
                        "inodesFree','pid.available']"
                    ),
                ),
                Rule("self.all(x, self[x].size() > 0)", "evictionHard values must not be empty"),
            ),
        ),
    ] = None
    eviction_max_pod_grace_period: Annotated[
        Int32 | None, Field("Most seconds that pods get to end in a soft eviction.")
    ] = None
    eviction_soft: Annotated[
        Mapping[str, str] | None,
        Field(
            (
                "Signals and the thresholds at which pods are evicted after a grace period; each"
                " needs an entry there and must be above its hard threshold."
            ),
            values=Value(max_length=64),
            min_properties=1,
            max_properties=20,
            rules=(
                Rule(
                    (
                        "self.all(x, x in ['memory.available','nodefs.available','nodefs."
                        "inodesFree','imagefs.available','imagefs.inodesFree','pid.available'])"
                    ),
                    (
                        "valid keys for evictionSoft are ['memory.available','nodefs."
                        "available','nodefs.inodesFree','imagefs.available','imagefs."
                        "inodesFree','pid.available']"
                    ),
                ),
                Rule("self.all(x, self[x].size() > 0)", "evictionSoft values must not be empty"),
            ),
        ),
    ] = None
    eviction_soft_grace_period: Annotated[
        Mapping[str, str] | None,
        Field(
            "How long each soft threshold must be crossed, as Go durations.",
            min_properties=1,
            max_properties=20,
            rules=(
                Rule(
                    (
                        "self.all(x, x in ['memory.available','nodefs.available','nodefs."
                        "inodesFree','imagefs.available','imagefs.inodesFree','pid.available'])"
                    ),
                    (
                        "valid keys for evictionSoftGracePeriod are ['memory.available',"
                        "'nodefs.available','nodefs.inodesFree','imagefs.available','imagefs."
                        "inodesFree','pid.available']"
                    ),
                ),
            ),
        ),
    ] = None
    image_gc_high_threshold_percent: Annotated[
        Int32 | None,
        Field(
            (
                "Share of the disk, in percent, above which unused images are removed; more than"
                " the low threshold."
            ),
            minimum=0,
            maximum=100,
        ),
    ] = None
    image_gc_low_threshold_percent: Annotated[
        Int32 | None,
        Field(
            "Share of the disk, in percent, down to which they are removed.", minimum=0, maximum=100
        ),
    ] = None
    kube_reserved: Annotated[
        Mapping[str, str] | None,
        Field(
            "Resources kept for Kubernetes itself: cpu, memory, ephemeral-storage, pid.",
            min_properties=1,
            max_properties=20,
            rules=(
                Rule(
                    "self.all(x, x=='cpu' || x=='memory' || x=='ephemeral-storage' || x=='pid')",
                    "valid keys for kubeReserved are ['cpu','memory','ephemeral-storage','pid']",
                ),
                Rule(
                    "self.all(x, !self[x].startsWith('-'))",
                    "kubeReserved value cannot be a negative resource quantity",
                ),
                Rule("self.all(x, self[x].size() > 0)", "kubeReserved values must not be empty"),
            ),
        ),
    ] = None
    max_pods: Annotated[
        Int32 | None, Field("Most pods on a node, 1 to 2500.", minimum=1, maximum=2500)
    ] = None
    pods_per_core: Annotated[
        Int32 | None,
        Field("Most pods per core; not more than `maxPods` in all.", minimum=1, maximum=2500),
    ] = None
    system_reserved: Annotated[
        Mapping[str, str] | None,
        Field(
            "Resources kept for the operating system: cpu, memory, ephemeral-storage, pid.",
            min_properties=1,
            max_properties=20,
            rules=(
                Rule(
                    "self.all(x, x=='cpu' || x=='memory' || x=='ephemeral-storage' || x=='pid')",
                    (
                        "valid keys for systemReserved are"
                        " ['cpu','memory','ephemeral-storage','pid']"
                    ),
                ),
                Rule(
                    "self.all(x, !self[x].startsWith('-'))",
                    "systemReserved value cannot be a negative resource quantity",
                ),
                Rule("self.all(x, self[x].size() > 0)", "systemReserved values must not be empty"),
            ),
        ),
    ] = None
