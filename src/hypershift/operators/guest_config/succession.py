"""Follow the replacement of authorities inside a hosted cluster: look, wait, report."""

from hypershift.kit import Manifest, data_of
from hypershift.kube import Client, kinds
from hypershift.operators.guest_config.rules.succession import (
    NAMESPACE,
    SIGNER,
    Authorities,
    Needs,
    authority_of,
    behind,
)
from hypershift.pki import SUCCESSION_SECRET, Succession, read_succession
from hypershift.pki.succession import ROOT, decoded

#: The authorities that a hosted cluster's pods trust, and under which key.
PUBLISHED, KEY = "kube-root-ca.crt", "ca.crt"


async def read(kube: Client, namespace: str) -> Succession | None:
    """The replacement that is under way, or was the last; None when there never was one."""
    secret = await kube.find(kinds.SECRET, SUCCESSION_SECRET, namespace)
    return read_succession(decoded(secret)) if secret else None


async def gather(kube: Client, namespace: str) -> Authorities | None:
    """Read the stage and its certificates; None where authorities never were replaced."""
    found = await read(kube, namespace)
    if found is None or not found.mark:
        return None
    callers = await kube.find(kinds.CONFIG_MAP, "kubelet-client-ca", namespace)
    bootstrap = await kube.find(kinds.SECRET, "bootstrap-kubeconfig", namespace)
    signer = await kube.find(kinds.SECRET, SIGNER, namespace)
    files = {
        "kubelet-ca.crt": _text(callers),
        "api-ca.crt": authority_of(data_of(bootstrap, "kubeconfig")),
        "signer.crt": data_of(signer, "ca.crt").decode(),
        "mark": found.mark,
    }
    return Authorities(found, files)


async def why_unpublished(guest: Client, values: Needs) -> str:
    """Say what pods would miss that start now; empty when they find this stage's certificates."""
    found = values.authorities
    if found is None or not found.succession.replaces_authorities:
        return ""
    if not values.image:
        return "the operator's own image is not known, and nodes have to run it"
    if name := next(behind(values, found), ""):
        return f"the control plane's {name} is not of this stage yet"
    live = await guest.find(kinds.CONFIG_MAP, PUBLISHED, NAMESPACE)
    if found.succession.is_followed_by(ROOT, _text(live).encode()):
        return ""
    return f"ConfigMap {NAMESPACE}/{PUBLISHED} does not have the certificates of this stage yet"


def _text(config_map: Manifest | None) -> str:
    return str(((config_map or {}).get("data") or {}).get(KEY, ""))
