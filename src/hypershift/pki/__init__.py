"""Keys, certificates and kubeconfigs: pure functions of what is wanted and the time."""

from hypershift.pki.authority import (
    TEN_YEARS,
    Authority,
    KeyPair,
    certificate_from_pem,
    is_authority,
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
from hypershift.pki.plan import authorities, leaf_of, reconcile, wanted
from hypershift.pki.rotation import Policy, expires_soon, why_reissue
from hypershift.pki.site import Site
from hypershift.pki.spec import AuthoritySpec, BundleSpec, LeafSpec
from hypershift.pki.succession import (
    SUCCESSION_SECRET,
    Part,
    Stage,
    Succession,
    advanced,
    begun,
    read_succession,
    settled,
)
from hypershift.pki.table import AUTHORITIES, BUNDLES, LEAVES

__all__ = [
    "AUTHORITIES",
    "BUNDLES",
    "LEAVES",
    "SUCCESSION_SECRET",
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
    "Part",
    "Policy",
    "PrivateKey",
    "Site",
    "Stage",
    "Succession",
    "Usage",
    "Wanted",
    "advanced",
    "authorities",
    "begun",
    "by_kind_and_name",
    "certificate_from_pem",
    "described",
    "expires_soon",
    "is_authority",
    "key_from_pem",
    "key_to_pem",
    "kubeconfig",
    "kubeconfig_text",
    "leaf_of",
    "new_authority",
    "new_key",
    "public_pem",
    "read_authority",
    "read_succession",
    "reconcile",
    "secret_data",
    "self_signed",
    "settled",
    "wanted",
    "why_reissue",
]
