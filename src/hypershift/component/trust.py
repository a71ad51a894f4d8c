"""Certificates that the user trusts beside the usual ones."""

from hypershift.component import edit
from hypershift.component.view import View
from hypershift.kit import Manifest

VOLUME, PATH = "trusted-ca", "/etc/pki/tls/certs"
KEY, FILE = "ca-bundle.crt", "user-ca-bundle.pem"


def with_trust_bundle(view: View, manifest: Manifest) -> Manifest:
    """Mount the user's certificates in the first container, where its programs look for them."""
    found = volumes(view)
    if not found:
        return manifest
    first = edit.pod_of(manifest)["spec"]["containers"][0]["name"]
    manifest = edit.add_volumes(manifest, *found)
    return edit.mount(manifest, first, {VOLUME: PATH}, read_only=True)


def volumes(view: View) -> tuple[Manifest, ...]:
    """The volume with the user's certificates, where there are any."""
    bundle = view.spec.additional_trust_bundle
    if bundle is None:
        return ()
    source = {"name": bundle.name, "items": [{"key": KEY, "path": FILE}]}
    return ({"name": VOLUME, "configMap": source},)
