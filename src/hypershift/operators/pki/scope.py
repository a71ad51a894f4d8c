"""What passes over a control plane's signers and requests know, and how they are set."""

from collections.abc import Callable
from dataclasses import dataclass, field

from cryptography import x509

from hypershift.kit import Manifest
from hypershift.operators.pki.rules import rotation
from hypershift.operators.pki.rules.signer import Lifetimes, authority_of
from hypershift.operators.pki.verify import Check, accepts
from hypershift.pki import Authority, KeySource, new_key
from hypershift.runtime import Context, Scope


@dataclass(frozen=True, slots=True)
class Environment:
    """How this process was set; tests give keys of their own."""

    lifetimes: Lifetimes = field(default_factory=Lifetimes)
    keys: KeySource = new_key
    check: Check = accepts


@dataclass(slots=True)
class SignerScope(Scope):
    """One pass over a control plane's break-glass signers."""

    environment: Environment = field(default_factory=Environment)
    #: The objects of rotation by name; `observe` fills them, and later phases what they write.
    secrets: dict[str, Manifest] = field(default_factory=dict)
    maps: dict[str, Manifest] = field(default_factory=dict)
    #: Whether they are as the server has them, and not only as the cache does.
    confirmed: bool = False

    @property
    def namespace(self) -> str:
        return self.key.namespace

    @property
    def site(self) -> rotation.Site:
        metadata = self.object["metadata"]
        owner = {
            "apiVersion": self.object["apiVersion"],
            "kind": self.object["kind"],
            "name": metadata["name"],
            "uid": metadata["uid"],
        }
        return rotation.Site(self.namespace, owner, self.clock.now(), self.environment.lifetimes)

    def authority(self, secret: str) -> Authority | None:
        """The signer that a Secret holds in this pass."""
        return authority_of(self.secrets.get(secret))

    def trusted(self, bundle: str) -> list[x509.Certificate]:
        """The generations that a bundle holds in this pass."""
        return rotation.certificates(self.maps.get(bundle))


def scope_in(environment: Environment) -> Callable[[Manifest, Context], SignerScope]:
    """How a pass is made in this process."""
    return lambda found, context: SignerScope(found, context, environment)
