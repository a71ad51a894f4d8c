"""A renewed certificate rolls no pods, but for programs that read theirs once."""

import pytest
from tests.unit.component.clusters import a_view

from hypershift.component import Component, edit, render
from hypershift.component.config_hash import mounted
from hypershift.controlplane import catalog
from hypershift.pki.table import LEAVES
from hypershift.release import Product

RENEWED = {f"Secret/{spec.secret}" for spec in LEAVES}
#: An agent is nobody's server: a new one is there before the old one goes. The API server reads
#: the certificate that it shows to konnectivity once, so a renewal of that one rolls its pods.
ONCE = {
    "konnectivity-agent": {"Secret/konnectivity-agent"},
    "kube-apiserver": {"Secret/konnectivity-client"},
}


@pytest.mark.parametrize(
    "component", catalog(Product.KUBERNETES), ids=lambda component: component.name
)
def test_a_renewal_rolls_no_pods(component: Component) -> None:
    read = {
        f"{kind}/{name}"
        for manifest in render(component, a_view())
        if manifest["kind"] in ("Deployment", "StatefulSet")
        for kind, name in mounted(edit.pod_of(manifest))
    }
    assert read & RENEWED - component.reloads == ONCE.get(component.name, set())
