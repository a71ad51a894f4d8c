"""The controller of Karpenter: its kinds inside, the program itself, classes of nodes, removal."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from hypershift.api import finalizers, labels
from hypershift.api.conditions import Owner
from hypershift.api.well_known import GUEST_KUBECONFIG, cluster_api_kubeconfig
from hypershift.controlplane import karpenter
from hypershift.kit import Key, Manifest, labels_of
from hypershift.kube import Resource, kinds
from hypershift.kube.cache import BY_NAMESPACE
from hypershift.operators.karpenter import (
    classes,
    install,
    look,
    names,
    removal,
    secrets,
    status,
    subnets,
    versions,
)
from hypershift.operators.karpenter.scope import Environment, KarpenterScope
from hypershift.runtime import Context, Controller, Phase, Watch, mapping

NAME: Final = Owner.KARPENTER.value
#: The longest that a pass over a guest may take.
PASS: Final = timedelta(minutes=2)
#: Nodes that join write much that does not matter.
PACE: Final = timedelta(seconds=1)

NORMAL: Sequence[Phase[KarpenterScope]] = (
    look.connect,
    removal.leave_with_cluster,
    install.install_definitions,
    look.observe,
    status.count_nodes,
    install.publish_taint,
    look.find_release,
    install.run_karpenter,
    classes.keep_default,
    classes.hold_classes,
    versions.resolve_versions,
    secrets.publish_kubelets,
    secrets.publish_configurations,
    classes.remember_hashes,
    classes.write_ec2_classes,
    secrets.drop_old_user_data,
    status.report_classes,
    classes.finish_deleted,
    subnets.publish_subnets,
)
DELETE: Sequence[Phase[KarpenterScope]] = (
    look.connect,
    look.observe_machines,
    removal.delete_pools,
    removal.delete_claims,
    look.forget,
)


def _beside(resource: Resource, *, optional: bool = False) -> Watch:
    return Watch(resource, mapping.its_namespace, through=BY_NAMESPACE.name, optional=optional)


def by_secret(secret: Manifest) -> Iterator[Key]:
    """The control plane of what nodes boot with, and of the ways into its cluster."""
    ours = labels_of(secret).get(labels.MANAGED_BY_KARPENTER) == "true"
    name = secret["metadata"]["name"]
    if ours or name == GUEST_KUBECONFIG or name.endswith(cluster_api_kubeconfig("")):
        yield from mapping.its_namespace(secret)


def by_deployment(deployment: Manifest) -> Iterator[Key]:
    """The control plane that Karpenter itself is part of."""
    if deployment["metadata"]["name"] == "karpenter":
        yield from mapping.its_namespace(deployment)


def by_config(config_map: Manifest) -> Iterator[Key]:
    """The control plane of a document for all of its nodes, or of one that we wrote."""
    marks, name = labels_of(config_map), config_map["metadata"]["name"]
    ours = labels.KARPENTER_NODE_CLASS_KUBELET_CONFIG in marks
    ours = ours or name in (karpenter.TAINT_CONFIG, names.SUBNETS)
    if ours or labels.CORE_IGNITION_CONFIG in marks:
        yield from mapping.its_namespace(config_map)


def controller(environment: Environment, namespace: str) -> Controller[KarpenterScope]:
    """The controller of one control plane namespace."""

    def scope(plane: Manifest, context: Context) -> KarpenterScope:
        return KarpenterScope(plane, context, environment)

    return Controller(
        name=NAME,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=scope,
        normal=NORMAL,
        delete=DELETE,
        finalizer=finalizers.KARPENTER_FINALIZER,
        namespace=namespace,
        watches=(
            Watch(kinds.SECRET, by_secret, through=BY_NAMESPACE.name),
            Watch(kinds.CONFIG_MAP, by_config, through=BY_NAMESPACE.name),
            Watch(kinds.DEPLOYMENT, by_deployment, through=BY_NAMESPACE.name),
            *(
                Watch(kind, lambda _: (), through=BY_NAMESPACE.name)
                for kind in (
                    kinds.CONTROL_PLANE_COMPONENT,
                    kinds.SERVICE_ACCOUNT,
                    kinds.ROLE,
                    kinds.ROLE_BINDING,
                )
            ),
            Watch(kinds.POD_MONITOR, lambda _: (), through=BY_NAMESPACE.name, optional=True),
            _beside(kinds.CAPI_CLUSTER, optional=True),
        ),
        pace=PACE,
        timeout=PASS,
    )
