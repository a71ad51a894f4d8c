"""The mirrors of `spec.imageContentSources` as the document that a pool's nodes are given.

On OpenShift the control plane operator writes it. Nodes of a Kubernetes release have it here.
"""

from collections.abc import Sequence
from typing import Final

from hypershift.api.release import ImageContentSource
from hypershift.ignition import goyaml
from hypershift.operators.hypershift.node_pool.rules.configuration import Source

FIELD: Final = "spec.imageContentSources"


def content_sources(wanted: Sequence[ImageContentSource]) -> list[Source]:
    """An ImageDigestMirrorSet of all of them, none where the cluster names no mirror."""
    mirrors = [
        {"mirrors": list(each.mirrors), "source": each.source} for each in wanted if each.mirrors
    ]
    if not mirrors:
        return []
    document = {
        "apiVersion": "config.openshift.io/v1",
        "kind": "ImageDigestMirrorSet",
        "metadata": {
            "labels": {"machineconfiguration.openshift.io/role": "worker"},
            "name": "cluster",
        },
        "spec": {"imageDigestMirrors": mirrors},
    }
    return [Source(FIELD, goyaml.json_to_yaml(document), generated=True)]
