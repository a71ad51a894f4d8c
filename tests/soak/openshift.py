"""A hosted cluster of OpenShift's own programs, as far as they can be built."""

import json
import sys

from tests.e2e.embedded import Cluster, Manifest, run
from tests.e2e.hosted import Hosted

from hypershift import parts
from hypershift.payload.openshift.images import IMAGES

ADDRESS = "InternalIP"
#: What the control plane cannot begin without.
FIRST = ("cluster-etcd-operator", "openshift-kube-apiserver", "openshift-config-render")
#: Components of the catalogue whose programs are built, by the program that each runs.
LIVING = {
    "etcd": "etcd",
    "kube-apiserver": "hyperkube",
    "kube-controller-manager": "hyperkube",
    "kube-scheduler": "hyperkube",
    "konnectivity-agent": "apiserver-network-proxy",
    "openshift-apiserver": "openshift-apiserver",
    "openshift-oauth-apiserver": "oauth-apiserver",
    "cluster-version-operator": "cluster-version-operator",
    "openshift-route-controller-manager": "route-controller-manager",
    "cluster-policy-controller": "cluster-policy-controller",
    "openshift-controller-manager": "openshift-controller-manager",
    "dns-operator": "cluster-dns-operator",
}


def lacking() -> list[str]:
    """Programs that were not built yet."""
    return [part.id for part in parts.missing(FIRST)]


def built(component: str) -> bool:
    """Whether the program of a component was built."""
    name = LIVING[component]
    image = next((one for one in IMAGES if one.name == name), None)
    return image is None or not parts.missing(image.parts)


def push(cluster: Cluster) -> str:
    """Push the payload of what was built to the embedded registry; its answer names the release."""
    words = ("payload", "push", f"http://{cluster.spec.plan.registry}")
    argv = (sys.executable, "-m", "hypershift.cli", *words, "--product", "openshift", "--cached")
    return run(argv, seconds=600).stdout.split()[-1]


def create(hosted: Hosted, release: str) -> None:
    """Type `hypershift create cluster none`, published by the node ports of the first node."""
    pull_secret = hosted.files / "auth.json"
    pull_secret.write_text(json.dumps({"auths": {}}))
    hosted.hypershift(
        *("create", "cluster", "none", *where(hosted), "--release-image", release),
        *("--pull-secret", str(pull_secret), "--node-pool-replicas", "-1"),
        *("--base-domain", "example.test", "--network-type", "Other"),
        *("--external-api-server-address", first_address(hosted.management)),
    )


def destroy(hosted: Hosted) -> None:
    """Type `hypershift destroy cluster none`."""
    hosted.hypershift("destroy", "cluster", "none", *where(hosted))


def where(hosted: Hosted) -> tuple[str, ...]:
    return ("--name", hosted.name, "--namespace", hosted.namespace)


def first_address(cluster: Cluster) -> str:
    """Where the first node's ports are reached."""
    addresses = cluster.get("nodes")[0]["status"]["addresses"]
    return str(next(one["address"] for one in addresses if one["type"] == ADDRESS))


def containers_of(pod: Manifest) -> dict[str, Manifest]:
    """What the kubelet says of each container."""
    found = pod.get("status", {}).get("containerStatuses") or ()
    return {one["name"]: one for one in found}
