"""Keys, certificates and kubeconfigs: pure functions of what is wanted and the time."""

from hypershift.pki.authority import (
    TEN_YEARS,
    Authority,
    KeyPair,
    certificate_from_pem,
    new_authority,
    read_authority,
    self_signed,
)
from hypershift.pki.inventory import Wanted, by_kind_and_name, secret_data
from hypershift.pki.keys import (
    Algorithm,
    KeySource,
    PrivateKey,
    key_from_pem,
    key_to_pem,
    new_key,
    public_pem,
)
from hypershift.pki.kubeconfig import kubeconfig, kubeconfig_text
from hypershift.pki.leaf import YEAR, Leaf, Usage, described
from hypershift.pki.plan import leaf_of, reconcile, wanted
from hypershift.pki.rotation import Policy, expires_soon, why_reissue
from hypershift.pki.site import Site
from hypershift.pki.spec import AuthoritySpec, BundleSpec, LeafSpec
from hypershift.pki.table import AUTHORITIES, BUNDLES, LEAVES

__all__ = [
    "AUTHORITIES",
    "BUNDLES",
    "LEAVES",
    "TEN_YEARS",
    "YEAR",
    "Algorithm",
    "Authority",
    "AuthoritySpec",
    "BundleSpec",
    "KeyPair",
    "KeySource",
    "Leaf",
    "LeafSpec",
    "Policy",
    "PrivateKey",
    "Site",
    "Usage",
    "Wanted",
    "by_kind_and_name",
    "certificate_from_pem",
    "described",
    "expires_soon",
    "key_from_pem",
    "key_to_pem",
    "kubeconfig",
    "kubeconfig_text",
    "leaf_of",
    "new_authority",
    "new_key",
    "public_pem",
    "read_authority",
    "reconcile",
    "secret_data",
    "self_signed",
    "wanted",
    "why_reissue",
]
