"""Marks by which objects say what they are about."""

from hypershift.api import annotations
from hypershift.component import edit
from hypershift.component.view import View
from hypershift.kit import Manifest


def of_cluster(view: View, manifest: Manifest) -> Manifest:
    """Name the HostedCluster that an object of the HyperShift operator is about."""
    return edit.annotate(manifest, {annotations.CLUSTER: view.annotation(annotations.CLUSTER)})
