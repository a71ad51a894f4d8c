"""What one pass over the encryption of a HostedControlPlane knows."""

from dataclasses import dataclass, field

from hypershift.api import HostedControlPlane, read
from hypershift.api.conditions import (
    ControlPlaneCondition,
)
from hypershift.controlplane.kube_apiserver.encryption import (
    KeySpec,
)
from hypershift.kit import Manifest
from hypershift.operators.guest_config.reencryption.rewriting import Rewriter
from hypershift.operators.guest_config.reencryption.rules.plan import Plan
from hypershift.runtime import (
    Scope,
)

CONDITION = ControlPlaneCondition.ETCD_ENCRYPTION_UP_TO_DATE
MATERIAL = "key"


@dataclass(slots=True)
class KeyScope(Scope):
    """One pass over the encryption of a HostedControlPlane."""

    rewriter: Rewriter
    secrets: dict[str, bytes] = field(default_factory=dict, repr=False)
    content: bytes = field(default=b"", repr=False)  # the configuration of the API servers
    _hosted: HostedControlPlane | None = field(default=None, init=False, repr=False)

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return self.key.namespace

    @property
    def keys(self) -> KeySpec:
        """What the spec asks for."""
        return KeySpec(self.hosted.spec.secret_encryption, self._read)

    @property
    def hosted(self) -> HostedControlPlane:
        """The HostedControlPlane of this pass, decoded once."""
        if self._hosted is None:
            self._hosted = read(HostedControlPlane, self.object)
        return self._hosted

    @property
    def known(self) -> Manifest:
        """What the status holds about keys."""
        found: Manifest = self.status.get("secretEncryption") or {}
        return found

    def publish(self, found: Plan) -> None:
        """Publish a plan; a status without any key is removed."""
        if found.status:
            self.status["secretEncryption"] = found.status
        else:
            self.status.pop("secretEncryption", None)
        self.conditions.set(found.condition)

    def _read(self, name: str) -> bytes:
        return self.secrets.get(name, b"")
