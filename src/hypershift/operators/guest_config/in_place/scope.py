"""What one pass over a MachineSet that is upgraded in place knows."""

from dataclasses import dataclass, field
from datetime import timedelta

from hypershift.api import annotations
from hypershift.kit import Manifest, annotations_of
from hypershift.kube import Client
from hypershift.operators.guest_config.in_place.rules.plan import Sight, Target
from hypershift.runtime import (
    Scope,
)

CURRENT = annotations.NODE_POOL_CURRENT_CONFIG_VERSION
TARGET = annotations.NODE_POOL_TARGET_CONFIG_VERSION
LOCAL = "infrastructure.local.hypershift.io"
LOOK_AGAIN = timedelta(seconds=3)


@dataclass(slots=True)
class UpgradeScope(Scope):
    """One pass over a MachineSet."""

    guest: Client | None = None
    target: Target | None = None
    release_version: str = ""
    machines: dict[str, Manifest] = field(default_factory=dict)  # Cluster API's, by name
    sights: list[Sight] = field(default_factory=list)

    @property
    def namespace(self) -> str:
        return self.key.namespace

    @property
    def marks(self) -> dict[str, str]:
        return annotations_of(self.object)
