"""What a control plane's PKI consists of: the part of the table it needs, and what is there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hypershift.kit import Manifest
from hypershift.pki.site import Site
from hypershift.pki.spec import AuthoritySpec, BundleSpec, LeafSpec
from hypershift.pki.succession import SUCCESSION_SECRET, Succession, decoded

SERVICE_ACCOUNT_SECRET = "sa-signing-key"  # noqa: S105 - the name of an object

#: What is there already: objects by (kind, name).
Existing = Mapping[tuple[str, str], Manifest]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The part of the table that a cluster needs."""

    site: Site
    authorities: tuple[AuthoritySpec, ...]
    bundles: tuple[BundleSpec, ...]
    leaves: tuple[LeafSpec, ...]
    #: The replacement of the authorities; None when there never was one.
    succession: Succession | None = field(default=None, repr=False)

    def secret_names(self) -> frozenset[str]:
        """Every Secret that the plan keeps or follows."""
        signers = {spec.secret for spec in self.authorities}
        others = {SERVICE_ACCOUNT_SECRET, SUCCESSION_SECRET}
        return frozenset(signers | {spec.secret for spec in self.leaves} | others)


def secret_data(existing: Existing, name: str) -> dict[str, bytes]:
    """The decoded data of a Secret that exists, empty when it does not."""
    return decoded(existing.get(("Secret", name), {}))


def by_kind_and_name(manifests: Iterable[Manifest]) -> dict[tuple[str, str], Manifest]:
    """Index objects the way `reconcile` looks them up."""
    return {(manifest["kind"], manifest["metadata"]["name"]): manifest for manifest in manifests}
