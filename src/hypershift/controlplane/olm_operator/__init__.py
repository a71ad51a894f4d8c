"""olm-operator: installs the operators that the guest subscribes to."""

from pathlib import Path

from hypershift.component import Asset, Component, View, edit, lifecycle, traits
from hypershift.kit import Manifest

NAME = "olm-operator"


def deployment(view: View, manifest: Manifest) -> Manifest:
    values = {
        "RELEASE_VERSION": view.user_release.version,
        "NO_PROXY": lifecycle.no_proxy(view),
    }
    return edit.set_env(manifest, NAME, values)


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=lifecycle.metrics("olm", ("csv_succeeded", "csv_abnormal")),
    traits=(traits.Socks5Proxy(),),
    after_hash=(
        traits.AwaitApiServer(
            kubeconfig_volume="kubeconfig",
            required_apis=(
                lifecycle.CATALOG_SOURCE,
                (lifecycle.GROUP, "v1alpha1", "Subscription"),
                (lifecycle.GROUP, "v2", "OperatorCondition"),
                (lifecycle.GROUP, "v1", "OperatorGroup"),
                (lifecycle.GROUP, "v1", "OLMConfig"),
            ),
        ),
    ),
)
