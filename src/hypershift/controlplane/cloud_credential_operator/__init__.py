"""cloud-credential-operator: checks the credentials that the guest's components ask for."""

from pathlib import Path

from hypershift.component import Asset, Component, View, edit, traits, with_proxy
from hypershift.kit import Manifest

NAME = "cloud-credential-operator"
ACCOUNT = traits.ServiceAccountKubeconfig(NAME, "/etc/kubernetes")


def deployment(view: View, manifest: Manifest) -> Manifest:
    manifest = edit.set_env(manifest, NAME, {"RELEASE_VERSION": view.user_release.version})
    return with_proxy(view, manifest, NAME)


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(ACCOUNT.asset(),),
    when=lambda view: view.cloud.hosts_credential_operator,
    depends_on=("openshift-apiserver",),
    traits=(ACCOUNT,),
    after_hash=(
        traits.AwaitApiServer(
            kubeconfig_volume="service-account-kubeconfig",
            required_apis=(("operator.openshift.io", "v1", "CloudCredential"),),
            wait_for_infrastructure=True,
        ),
    ),
    multi_zone_spread=True,
)
