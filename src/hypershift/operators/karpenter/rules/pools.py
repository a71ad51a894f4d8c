"""A HostedCluster and a NodePool in memory: what Karpenter's nodes are configured by."""

from typing import Final, NamedTuple

from hypershift.api import HostedControlPlane
from hypershift.api.values import UpdateState
from hypershift.controlplane import karpenter
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.karpenter import names

#: What the spec of a control plane has besides the fields of its cluster's.
_OWN: Final = ("releaseImage", "controlPlaneReleaseImage")


class NodeRelease(NamedTuple):
    """A release that nodes run, and its version as far as it is known."""

    image: str
    version: str = ""


def current_release(plane: HostedControlPlane) -> NodeRelease:
    """What nodes run that ask for nothing else: never more than the control plane runs already."""
    known = plane.status.control_plane_version if plane.status else None
    history = known.history if known else ()
    done = next((each for each in history if each.state == UpdateState.COMPLETED), None)
    if done is None:
        return NodeRelease(plane.spec.release_image, known.desired.version if known else "")
    # A control plane with a release of its own says nothing of what its nodes should run.
    own = plane.spec.control_plane_release_image is not None
    return NodeRelease(plane.spec.release_image if own else done.image, done.version)


def hosted_cluster(given: Manifest, plane: HostedControlPlane, ignition_endpoint: str) -> Manifest:
    """A control plane as the cluster that it was made of, in the control plane namespace.

    What it refers to has copies there under the names that the control plane's spec has; `plane` is
    the manifest decoded.
    """
    metadata, status = given["metadata"], given.get("status") or {}
    spec = {name: value for name, value in given["spec"].items() if name not in _OWN}
    spec["release"] = {"image": plane.spec.release_image}
    if plane.spec.control_plane_release_image is not None:
        spec["controlPlaneRelease"] = {"image": plane.spec.control_plane_release_image}
    rolled = status.get("controlPlaneVersion") or {}
    kubeconfig = plane.status.kube_config if plane.status else None
    shown = {
        "ignitionEndpoint": ignition_endpoint,
        "kubeconfig": kubeconfig and {"name": kubeconfig.name},
        "version": rolled if rolled.get("history") else status.get("versionStatus"),
    }
    kept = ("name", "namespace", "uid", "annotations", "labels")
    return {
        "apiVersion": kinds.HOSTED_CLUSTER.api_version,
        "kind": kinds.HOSTED_CLUSTER.kind,
        "metadata": {name: metadata[name] for name in kept if name in metadata},
        "spec": spec,
        "status": {name: value for name, value in shown.items() if value},
    }


def node_pool(
    plane: HostedControlPlane, node_class: str, release: str, *, kubelet: bool
) -> Manifest:
    """The pool of a class; never more than one KubeletConfig, of which MCO takes only one."""
    config = names.kubelet_config(node_class) if kubelet else karpenter.TAINT_CONFIG
    metadata = plane.metadata
    return {
        "apiVersion": kinds.NODE_POOL.api_version,
        "kind": kinds.NODE_POOL.kind,
        "metadata": {"name": names.pool_name(node_class), "namespace": metadata.namespace},
        "spec": {
            "clusterName": metadata.name,
            "replicas": 0,
            "release": {"image": release},
            "config": [{"name": config}],
            "arch": "amd64",  # by which the first image is found
            "management": {"upgradeType": "Replace"},
            "platform": {"type": plane.spec.platform.type},
        },
    }


def image_of(plane: HostedControlPlane, version: str) -> str:
    """The image of a version that the cluster has run; empty where it has not."""
    status = plane.status
    known = status.version_status.history if status and status.version_status else ()
    found = (each.image for each in known if each.version == version)
    return next(found, "")
