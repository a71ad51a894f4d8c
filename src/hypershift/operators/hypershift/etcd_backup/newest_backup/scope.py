"""What one pass over the backups of a HostedControlPlane knows."""

from dataclasses import dataclass, field

from hypershift.kit import Manifest
from hypershift.runtime import Scope


@dataclass(slots=True)
class NewestBackupScope(Scope):
    """One pass over a HostedControlPlane; `look` fills its backups."""

    backups: list[Manifest] = field(default_factory=list)
