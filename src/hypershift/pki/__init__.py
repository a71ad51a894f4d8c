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
from hypershift.pki.rotation import Policy, expires_soon, go_duration, why_reissue

__all__ = [
    "TEN_YEARS",
    "YEAR",
    "Algorithm",
    "Authority",
    "KeyPair",
    "KeySource",
    "Leaf",
    "Policy",
    "PrivateKey",
    "Usage",
    "certificate_from_pem",
    "described",
    "expires_soon",
    "go_duration",
    "key_from_pem",
    "key_to_pem",
    "kubeconfig",
    "kubeconfig_text",
    "new_authority",
    "new_key",
    "public_pem",
    "read_authority",
    "self_signed",
    "why_reissue",
]
