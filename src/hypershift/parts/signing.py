"""How upstream signs a release, and by whose word it is then the right one."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class OpenPgp:
    """A list of checksums that one of a few people signed.

    `keys` are fingerprints of primary keys. `detached` is the address of the signature, with the
    values of a release to fill in; without it, the list itself is clear-signed.
    """

    keys: tuple[str, ...]
    #: The day of the release's last commit: a signature from before speaks of an older release.
    since: date
    detached: str = ""

    @property
    def addresses(self) -> tuple[str, ...]:
        """What has to be fetched beside the list of checksums."""
        return (self.detached,) if self.detached else ()


@dataclass(frozen=True, slots=True)
class Keyless:
    """A file that a service account signed with a key of ten minutes, which Fulcio certified."""

    identity: str
    issuer: str
    #: The day of the release's last commit: a certificate from before speaks of an older release.
    since: date
    signature: str
    certificate: str

    @property
    def addresses(self) -> tuple[str, ...]:
        """What has to be fetched beside the file."""
        return self.signature, self.certificate


@dataclass(frozen=True, slots=True)
class Attestation:
    """Files that a workflow on GitHub names with their checksums, in a log that anyone may read."""

    identity: str
    issuer: str
    bundle: str

    @property
    def addresses(self) -> tuple[str, ...]:
        """What has to be fetched beside the file."""
        return (self.bundle,)


Signing = OpenPgp | Keyless | Attestation
