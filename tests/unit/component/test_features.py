"""Feature gates: OpenShift's from its release, Kubernetes' as the cluster asks."""

import json

from hypershift.api.configuration.feature_gate import CustomFeatureGates, FeatureGate
from hypershift.component.features import feature_gates
from hypershift.release import Product

RELEASED = json.dumps(
    {
        "status": {
            "featureGates": [{"enabled": [{"name": "A"}], "disabled": [{"name": "B"}]}],
        }
    }
)


def test_openshift_reads_the_gates_of_its_release() -> None:
    gates = feature_gates(Product.OPENSHIFT, FeatureGate(), lambda *_: RELEASED)
    assert gates == {"A": True, "B": False}


def test_before_the_release_was_rendered_there_are_none() -> None:
    assert feature_gates(Product.OPENSHIFT, FeatureGate(), lambda *_: "") == {}


def test_kubernetes_takes_the_users_own_choice() -> None:
    configured = FeatureGate(custom_no_upgrade=CustomFeatureGates(enabled=("A",), disabled=("B",)))
    gates = feature_gates(Product.KUBERNETES, configured, lambda *_: RELEASED)
    assert gates == {"A": True, "B": False}
    assert feature_gates(Product.KUBERNETES, FeatureGate(), lambda *_: RELEASED) == {}
