"""dns-operator: runs the guest's cluster DNS, from outside the guest."""

from pathlib import Path

from hypershift.component import Asset, Component, View, edit, traits
from hypershift.kit import Manifest

NAME = "dns-operator"
ACCOUNT = traits.ServiceAccountKubeconfig(NAME, "/etc/kubernetes")

#: Variables that name images of the guest's own release.
IMAGES = {
    "IMAGE": "coredns",
    "OPENSHIFT_CLI_IMAGE": "cli",
    "KUBE_RBAC_PROXY_IMAGE": "kube-rbac-proxy",
}


def deployment(view: View, manifest: Manifest) -> Manifest:
    images = {name: view.user_release.find(image) for name, image in IMAGES.items()}
    return edit.set_env(manifest, NAME, {"RELEASE_VERSION": view.user_release.version, **images})


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(ACCOUNT.asset(),),
    depends_on=("openshift-apiserver",),
    traits=(ACCOUNT,),
    after_hash=(
        traits.AwaitApiServer(
            kubeconfig_volume="service-account-kubeconfig",
            required_apis=(("operator.openshift.io", "v1", "DNS"),),
            # The guest must not run one of its own beside it.
            wait_for_pods_gone="openshift-dns-operator/name=dns-operator",
        ),
    ),
    multi_zone_spread=True,
)
