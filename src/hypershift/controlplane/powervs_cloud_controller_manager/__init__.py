"""powervs-cloud-controller-manager: nodes and load balancers of a guest on Power servers."""

from pathlib import Path

from hypershift.api.platforms.powervs import PowerVSPlatform
from hypershift.api.values import PlatformType
from hypershift.component import Asset, Component, View, edit, on_platform
from hypershift.kit import InvalidSpec, Manifest

NAME = "powervs-cloud-controller-manager"
CONTAINER = "cloud-controller-manager"
KEY = "ccm-config"


def platform(view: View) -> PowerVSPlatform:
    found = view.spec.platform.powervs
    if found is None:
        raise InvalidSpec("the cluster says nothing of its cloud", field="spec.platform.powervs")
    return found


def deployment(view: View, manifest: Manifest) -> Manifest:
    manifest = edit.add_args(manifest, CONTAINER, view.tls.flags)
    name = platform(view).kube_cloud_controller_creds.name
    volume = {"name": "cloud-creds", "secret": {"secretName": name} if name else {}}
    return edit.add_volumes(manifest, volume)


def config(view: View, manifest: Manifest) -> Manifest:
    found = platform(view)
    sections = {
        "global": {"version": "1.1.0"},
        "kubernetes": {"config-file": "/etc/kubernetes/kubeconfig"},
        "provider": {
            "cluster-default-provider": "g2",
            "g2Credentials": "/etc/vpc/ibmcloud_api_key",
            "g2workerServiceAccountID": found.account_id,
            "g2ResourceGroupName": found.resource_group,
            "g2VpcSubnetNames": found.vpc.subnet or "",
            "g2VpcName": found.vpc.name,
            "accountID": found.account_id,
            "clusterID": view.name,
            "region": found.vpc.region,
            "powerVSCloudInstanceID": found.service_instance_id,
            "powerVSRegion": found.region,
            "powerVSZone": found.zone,
        },
    }
    lines = [
        line
        for name, values in sections.items()
        for line in (f"[{name}]", *(f"{key} = {value}" for key, value in values.items()))
    ]
    return edit.set_data(manifest, {KEY: "\n".join([*lines, ""])})


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(Asset("config.yaml", adapt=config),),
    when=on_platform(PlatformType.POWERVS),
    multi_zone_spread=True,
)
