"""What one pass over a revocation knows."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from hashlib import sha224

from cryptography import x509

from hypershift.api.certificates import CertificateRevocationRequest
from hypershift.api.view import read
from hypershift.kit import Manifest, from_rfc3339
from hypershift.kube import kinds
from hypershift.operators.pki.rules.signer import CUSTOMER, SignerClass, class_named
from hypershift.operators.pki.verify import Check, accepts
from hypershift.runtime import Scope

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass
class RevocationScope(Scope):
    """One pass over a CertificateRevocationRequest; signers are read past any cache."""

    check: Check = accepts
    #: The signer's Secret now, and the copy of the one that is replaced; `observe` fills them.
    signer: Manifest | None = None
    previous: Manifest | None = None
    which: SignerClass = field(default=CUSTOMER)

    @cached_property
    def request(self) -> CertificateRevocationRequest:
        """The request of this pass, decoded once."""
        return read(CertificateRevocationRequest, self.object)

    @property
    def namespace(self) -> str:
        return self.key.namespace

    @property
    def asked_class(self) -> SignerClass | None:
        return class_named(self.request.spec.signer_class)

    @property
    def moment(self) -> datetime | None:
        """The moment before which certificates become invalid, once it is stated."""
        stated = self.request.status.revocation_timestamp
        return from_rfc3339(stated) if stated else None

    async def secret(self, name: str) -> Manifest | None:
        """A Secret of the control plane as it is now."""
        return await self.context.live.find(kinds.SECRET, name, self.namespace)

    async def config_map(self, name: str) -> Manifest | None:
        """A ConfigMap of the control plane as it is now."""
        return await self.context.live.find(kinds.CONFIG_MAP, name, self.namespace)


def copy_name(request: str) -> str:
    """The Secret with the copy of the replaced signer: base36 of a hash of the request's name."""
    number = int.from_bytes(sha224(request.encode()).digest())
    digits = ""
    while number:
        number, rest = divmod(number, len(_DIGITS))
        digits = _DIGITS[rest] + digits
    return digits or "0"


def same(left: x509.Certificate | None, right: x509.Certificate | None) -> bool:
    """Whether both are there and are the same certificate."""
    return left is not None and left == right
