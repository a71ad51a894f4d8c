"""openstack-cloud-controller-manager: nodes and load balancers of a guest on OpenStack."""

from collections.abc import Iterator
from pathlib import Path

from hypershift.api.platforms.openstack import OpenStackPlatform
from hypershift.api.values import PlatformType
from hypershift.component import Asset, Component, View, edit, on_platform
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.lines import one_line

NAME = "openstack-cloud-controller-manager"
CONTAINER = "cloud-controller-manager"
KEY, BUNDLE = "cloud.conf", "ca-bundle.pem"
SECRETS, TRUST = "/etc/openstack/secret", "/etc/pki/ca-trust/extracted/pem"
TRUSTED_CA = "openstack-trusted-ca"


def platform(view: View) -> OpenStackPlatform:
    found = view.spec.platform.openstack
    if found is None:
        raise InvalidSpec("the cluster says nothing of its cloud", field="spec.platform.openstack")
    return found


def trust(view: View) -> str:
    """The certificate that signs the cloud's, from the user's credentials; empty when public."""
    secret = platform(view).identity_ref.name
    if view.find("Secret", secret) is None:
        raise InvalidSpec(f"there is no Secret {secret}", field="spec.platform.openstack")
    return view.secret(secret, "cacert").decode()


def deployment(view: View, manifest: Manifest) -> Manifest:
    manifest = edit.set_env(manifest, CONTAINER, {"OCP_INFRASTRUCTURE_NAME": view.infra_id})
    manifest = edit.add_args(manifest, CONTAINER, view.tls.flags)
    secret = platform(view).identity_ref.name
    manifest = edit.change_pod(manifest, lambda pod: _with_secret(pod, secret))
    if not trust(view):
        return manifest
    mounted = {"name": "trusted-ca", "mountPath": TRUST, "readOnly": True}
    manifest = edit.change_container(
        manifest,
        CONTAINER,
        lambda found: {**found, "volumeMounts": [*found["volumeMounts"], mounted]},
    )
    items = [{"key": BUNDLE, "path": BUNDLE}]
    volume = {"name": "trusted-ca", "configMap": {"name": TRUSTED_CA, "items": items}}
    return edit.add_volumes(manifest, volume)


def _with_secret(pod: Manifest, secret: str) -> Manifest:
    volumes = [
        edit.put(volume, ("secret", "secretName"), secret)
        if volume["name"] == "secret-occm"
        else volume
        for volume in pod["spec"]["volumes"]
    ]
    return edit.put(pod, ("spec", "volumes"), volumes)


def config(view: View, manifest: Manifest) -> Manifest:
    every = (one_line(line, "spec.platform.openstack") for line in lines(view))
    told = {KEY: "\n".join([*every, ""])}
    return edit.set_data(manifest, told | ({BUNDLE: trust(view)} if trust(view) else {}))


def lines(view: View) -> Iterator[str]:
    """Yield the lines of the configuration."""
    found = platform(view)
    network = found.external_network
    networks = (each.cidr for each in view.networking.machine_network or ())
    yield "[Global]"
    yield "use-clouds = true"
    yield f"clouds-file = {SECRETS}/clouds.yaml"
    yield f"cloud = {found.identity_ref.cloud_name}"
    if trust(view):
        yield f"ca-file = {TRUST}/{BUNDLE}"
    yield ""
    yield "[LoadBalancer]"
    yield "max-shared-lb = 1"
    yield "manage-security-groups = true"
    if network and network.id:
        yield f"floating-network-id = {network.id}"
    yield ""
    yield "[Networking]"
    yield f"address-sort-order = {','.join(networks)}"


def trusted_ca(view: View, manifest: Manifest) -> Manifest:
    return edit.set_data(manifest, {BUNDLE: trust(view)})


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("config.yaml", adapt=config),
        Asset("trusted-ca.yaml", adapt=trusted_ca),
    ),
    when=on_platform(PlatformType.OPENSTACK),
    multi_zone_spread=True,
)
