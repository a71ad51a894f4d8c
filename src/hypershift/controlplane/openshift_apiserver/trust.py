"""Whom openshift-apiserver trusts when it imports images: the user's authorities, the guest's."""

from collections.abc import Iterator

from hypershift.component import View, edit
from hypershift.kit import InvalidSpec, Manifest

NAME = "openshift-apiserver"
GENERATOR = "oas-trust-anchor-generator"
BUNDLE, CERTS = "additional-trust-bundle", "/etc/pki/tls/certs"
SERVICE_CA = "service-serving-ca"


def with_trust(view: View, manifest: Manifest) -> Manifest:
    """Mount every authority where programs look for them."""
    if view.find("ConfigMap", SERVICE_CA):
        volume = edit.config_volume("kube-controller-manager", SERVICE_CA)
        manifest = edit.add_volumes(manifest, volume)
        path = {"kube-controller-manager": "/run/service-ca-signer"}
        manifest = edit.mount(manifest, GENERATOR, path)
    sources = list(authorities(view))
    if not sources:
        return manifest
    projected = {"sources": sources, "defaultMode": 0o644}
    manifest = edit.add_volumes(manifest, {"name": BUNDLE, "projected": projected})
    files = [item["path"] for each in sources for item in each["configMap"]["items"]]
    mounts = [{"name": BUNDLE, "mountPath": f"{CERTS}/{file}", "subPath": file} for file in files]
    return edit.change_container(
        manifest,
        NAME,
        lambda found: {**found, "volumeMounts": [*found.get("volumeMounts", ()), *mounts]},
    )


def authorities(view: View) -> Iterator[Manifest]:
    """Yield the cluster's own bundle, then those of image registries."""
    if bundle := view.spec.additional_trust_bundle:
        items = [{"key": "ca-bundle.crt", "path": "additional-ca-bundle.pem"}]
        yield {"configMap": {"name": bundle.name, "items": items}}
    image = view.configuration.image
    name = image.additional_trusted_ca.name if image and image.additional_trusted_ca else ""
    if not name:
        return
    found = view.find("ConfigMap", name)
    if found is None:
        raise InvalidSpec(
            f"failed to get image registry additional trusted CA configmap: {name} is not there",
            field="spec.configuration.image.additionalTrustedCA",
        )
    keys = sorted(found.get("data") or ())
    if keys:
        items = [{"key": k, "path": f"image-registry-{n}.pem"} for n, k in enumerate(keys, 1)]
        yield {"configMap": {"name": name, "items": items}}
