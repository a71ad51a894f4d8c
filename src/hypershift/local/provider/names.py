"""Wire names of the Local infrastructure provider: finalizers, annotations, conditions."""

from typing import Final

GROUP: Final = "infrastructure.local.hypershift.io"
MACHINE_FINALIZER: Final = f"localmachine.{GROUP}"

#: What to do with a machine's power: `On` (the default), `Off`, `Paused`.
POWER: Final = f"{GROUP}/power"
#: Another value than in `REBOOTED` asks for a reboot, also of a machine that fell.
REBOOT: Final = f"{GROUP}/reboot"
REBOOTED: Final = f"{GROUP}/rebooted"
#: What an in-place upgrade asks for: another image and user-data Secret, on the same disk.
DESIRED_IMAGE: Final = f"{GROUP}/desired-image"
DESIRED_USER_DATA: Final = f"{GROUP}/desired-user-data"
#: What the machine booted from last.
CURRENT_IMAGE: Final = f"{GROUP}/current-image"
CURRENT_USER_DATA: Final = f"{GROUP}/current-user-data"

PAUSED: Final = "cluster.x-k8s.io/paused"
CLUSTER_NAME: Final = "cluster.x-k8s.io/cluster-name"

ON: Final = "On"
OFF: Final = "Off"
PAUSED_POWER: Final = "Paused"
