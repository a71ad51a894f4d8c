"""kube-controller-manager in both products."""

from base64 import b64decode

import pytest
import yaml
from tests.unit.component.clusters import a_view, container, flags

from hypershift.component import View, render
from hypershift.controlplane import kube_controller_manager
from hypershift.kit import Manifest
from hypershift.release import Product

NAME = "kube-controller-manager"


def deployment(view: View) -> Manifest:
    return render(kube_controller_manager.KUBERNETES, view)[-1]


def test_nodes_get_their_share_of_the_pod_range() -> None:
    found = flags(deployment(a_view()), NAME)
    assert found["allocate-node-cidrs"] == "true"
    assert found["node-cidr-mask-size"] == "24"


def test_two_families_get_a_share_each() -> None:
    networks = [{"cidr": "10.132.0.0/14", "hostPrefix": 23}, {"cidr": "fd01::/48"}]
    view = a_view(networking={"clusterNetwork": networks})
    found = flags(deployment(view), NAME)
    assert found["cluster-cidr"] == "10.132.0.0/14,fd01::/48"
    assert (found["node-cidr-mask-size-ipv4"], found["node-cidr-mask-size-ipv6"]) == ("23", "64")


def test_the_client_certificate_is_reread_from_its_file() -> None:
    found = render(kube_controller_manager.KUBERNETES, a_view())
    secret = next(one for one in found if one["kind"] == "Secret")
    user = yaml.safe_load(b64decode(secret["data"]["kubeconfig"]))["users"][0]["user"]
    assert user["client-certificate"] == "/etc/kubernetes/client/tls.crt"
    mounts = {m["name"]: m["mountPath"] for m in container(found[-1], NAME)["volumeMounts"]}
    assert mounts["client-cert"] == "/etc/kubernetes/client"


@pytest.mark.parametrize(("copied", "expected"), [(True, True), (False, False)])
def test_openshifts_service_ca_is_trusted_once_it_was_copied(
    copied: bool,  # noqa: FBT001 - a column
    expected: bool,  # noqa: FBT001 - a column
) -> None:
    ca = {("ConfigMap", "service-serving-ca"): {"data": {"service-ca.crt": "x"}}}
    view = a_view(product=Product.OPENSHIFT, objects=ca if copied else {})
    found = render(kube_controller_manager.OPENSHIFT, view)
    mounts = {m["name"] for m in container(found[-1], NAME)["volumeMounts"]}
    assert ("service-serving-ca" in mounts) is expected
