"""What a control plane's PKI consists of: the part of the table it needs, and what is there."""

from base64 import b64decode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hypershift.kit import Manifest
from hypershift.pki.site import Site
from hypershift.pki.spec import AuthoritySpec, BundleSpec, LeafSpec

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

    def secret_names(self) -> frozenset[str]:
        """Every Secret that the plan keeps."""
        signers = {spec.secret for spec in self.authorities}
        return frozenset(signers | {spec.secret for spec in self.leaves} | {SERVICE_ACCOUNT_SECRET})


def secret_data(existing: Existing, name: str) -> dict[str, bytes]:
    """The decoded data of a Secret that exists, empty when it does not."""
    data: dict[str, str] = existing.get(("Secret", name), {}).get("data") or {}
    return {key: b64decode(value) for key, value in data.items()}


def by_kind_and_name(manifests: Iterable[Manifest]) -> dict[tuple[str, str], Manifest]:
    """Index objects the way `reconcile` looks them up."""
    return {(manifest["kind"], manifest["metadata"]["name"]): manifest for manifest in manifests}
