"""The pool side of platform KubeVirt."""

from hypershift.api.conditions import (
    KubevirtMachineCondition,
    NodePoolConditionType,
    NodePoolReason,
)
from hypershift.platforms.kubevirt.image_cache import IMAGE_CACHE
from hypershift.platforms.kubevirt.machine_template import MACHINE, MACHINES
from hypershift.platforms.pools import MachineSummary, Pools

POOLS = Pools(
    machines=MACHINES,
    architectures=("amd64", "s390x"),
    invalid_template=NodePoolReason.INVALID_KUBEVIRT_TEMPLATE,
    image_cache=IMAGE_CACHE,
    summary=MachineSummary(
        MACHINE,
        KubevirtMachineCondition.LIVE_MIGRATABLE,
        NodePoolConditionType.KUBEVIRT_LIVE_MIGRATABLE,
        "live migratable",
    ),
    expected=(NodePoolConditionType.VALID_PLATFORM_IMAGE,),
    keeps_user_data=True,
)
