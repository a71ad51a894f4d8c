"""The components of a hosted control plane: one folder each, and the catalogue of all of them."""

from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.component import Component
from hypershift.controlplane import (
    aws_cloud_controller_manager,
    cluster_autoscaler,
    dns_operator,
    etcd,
    konnectivity_agent,
    kube_apiserver,
    kube_controller_manager,
    kube_scheduler,
)
from hypershift.release import Product

#: What each product's control plane is made of, in the order in which it is brought about.
CATALOG: dict[Product, tuple[Component, ...]] = {
    Product.KUBERNETES: (
        etcd.KUBERNETES,
        kube_apiserver.KUBERNETES,
        kube_controller_manager.KUBERNETES,
        kube_scheduler.KUBERNETES,
        konnectivity_agent.KUBERNETES,
        cluster_autoscaler.KUBERNETES,
    ),
    Product.OPENSHIFT: (
        etcd.OPENSHIFT,
        kube_apiserver.OPENSHIFT,
        kube_controller_manager.OPENSHIFT,
        kube_scheduler.OPENSHIFT,
        aws_cloud_controller_manager.OPENSHIFT,
        dns_operator.OPENSHIFT,
        konnectivity_agent.OPENSHIFT,
        cluster_autoscaler.OPENSHIFT,
    ),
}


def catalog(product: Product, spec: HostedControlPlaneSpec | None = None) -> tuple[Component, ...]:
    """The components of a product, and those that a HostedControlPlane's spec adds to them."""
    first, *others = CATALOG[product]
    shards = etcd.shards(spec) if spec and product is Product.OPENSHIFT else ()
    return (first, *shards, *others)


__all__ = ["CATALOG", "catalog"]
