"""Feature gates: which experiments of Kubernetes and OpenShift a cluster has switched on or off."""

from collections.abc import Callable, Iterator

from hypershift.api import encode
from hypershift.api.configuration.feature_gate import CustomFeatureGates, FeatureGate
from hypershift.kit import Manifest
from hypershift.kit.documents import dumped, loaded
from hypershift.release import Product

#: The ConfigMap with the gates of an OpenShift release, rendered from the release itself.
CONFIG_MAP = "feature-gate"
KEY = "feature-gate.yaml"


def feature_gates(
    product: Product, configured: FeatureGate, text: Callable[[str, str], str]
) -> dict[str, bool]:
    """Gates by name: OpenShift's from its release, Kubernetes' as the cluster asks."""
    if product is Product.OPENSHIFT:
        return dict(_released(text(CONFIG_MAP, KEY)))
    custom = configured.custom_no_upgrade or CustomFeatureGates()
    return dict.fromkeys(custom.enabled, True) | dict.fromkeys(custom.disabled, False)


def manifest_text(configured: FeatureGate) -> str:
    """The FeatureGate of a guest as it is before its release has rendered the gates of the set."""
    gate = {
        "apiVersion": "config.openshift.io/v1",
        "kind": "FeatureGate",
        "metadata": {"name": "cluster"},
        "spec": encode(configured),
        "status": {"featureGates": None},
    }
    return dumped(gate)


def _released(document: str) -> Iterator[tuple[str, bool]]:
    found: Manifest = loaded(document) if document else {}
    details = (found.get("status") or {}).get("featureGates") or [{}]
    for state, value in (("enabled", True), ("disabled", False)):
        for gate in details[0].get(state) or ():
            yield gate["name"], value
