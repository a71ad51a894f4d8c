"""Pod disruption budgets: how many pods a drain may take away at once."""

from hypershift.api.values import AvailabilityPolicy
from hypershift.component import edit
from hypershift.component.component import Asset
from hypershift.component.view import View
from hypershift.kit import Manifest


def budget(view: View, manifest: Manifest) -> Manifest:
    """Keep a single replica, or all of several but one; sick pods may always go."""
    manifest = edit.put(manifest, ("spec", "unhealthyPodEvictionPolicy"), "AlwaysAllow")
    match view.availability:
        case AvailabilityPolicy.SINGLE_REPLICA:
            return edit.put(manifest, ("spec", "minAvailable"), 1)
        case AvailabilityPolicy.HIGHLY_AVAILABLE:
            return edit.put(manifest, ("spec", "maxUnavailable"), 1)
        case _:
            return manifest


def asset(name: str, called: str = "") -> Asset:
    """Declare the budget of a component whose pods carry the label `app`, by a name of its own."""
    return Asset(
        stub={
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"name": called or name},
            "spec": {"selector": {"matchLabels": {"app": name}}},
        },
        adapt=budget,
    )
