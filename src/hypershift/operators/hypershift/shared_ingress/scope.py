"""What one pass over the shared ingress knows."""

from collections.abc import Sequence
from dataclasses import dataclass

from hypershift.kit import Manifest
from hypershift.operators.hypershift.ownership import Owner
from hypershift.operators.hypershift.settings import Settings
from hypershift.operators.hypershift.shared_ingress.rules.config import Member
from hypershift.runtime import Scope


@dataclass(frozen=True)
class Environment:
    """What the controller was given when the operator started."""

    settings: Settings
    openshift: bool = False  # the management cluster has Routes


@dataclass(frozen=True)
class Served:
    """A cluster that the ingress can serve, and where its control plane is."""

    member: Member
    namespace: str
    owner: Owner


@dataclass(slots=True)
class IngressScope(Scope):
    """One pass; `look` fills it."""

    environment: Environment
    served: Sequence[Served] = ()
    service: Manifest | None = None  # of the router
    deployment: Manifest | None = None  # of the router

    @property
    def settings(self) -> Settings:
        """The operator's settings."""
        return self.environment.settings
