"""The components of a hosted control plane: one folder each, and the catalogue of all of them."""

from dataclasses import replace

from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.component import Component
from hypershift.controlplane import (
    aws_cloud_controller_manager,
    aws_node_termination_handler,
    azure_cloud_controller_manager,
    capi_provider,
    catalog_operator,
    cloud_credential_operator,
    cluster_api,
    cluster_autoscaler,
    cluster_image_registry_operator,
    cluster_network_operator,
    cluster_node_tuning_operator,
    cluster_policy_controller,
    cluster_storage_operator,
    cluster_version_operator,
    control_plane_operator,
    control_plane_pki_operator,
    csi_snapshot_controller_operator,
    dns_operator,
    endpoint_resolver,
    etcd,
    featuregate_generator,
    gcp_cloud_controller_manager,
    hosted_cluster_config_operator,
    ignition_server,
    ignition_server_proxy,
    ingress_operator,
    karpenter,
    karpenter_operator,
    konnectivity_agent,
    kube_apiserver,
    kube_controller_manager,
    kube_scheduler,
    kube_storage_version_migrator,
    kubevirt_cloud_controller_manager,
    kubevirt_csi_controller,
    machine_approver,
    metrics_proxy,
    oauth_openshift,
    olm_catalogs,
    olm_collect_profiles,
    olm_operator,
    openshift_apiserver,
    openshift_controller_manager,
    openshift_oauth_apiserver,
    openshift_route_controller_manager,
    openstack_cloud_controller_manager,
    packageserver,
    powervs_cloud_controller_manager,
    router,
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
        router.KUBERNETES,
        cluster_autoscaler.KUBERNETES,
        control_plane_pki_operator.KUBERNETES,
    ),
    Product.OPENSHIFT: (
        etcd.OPENSHIFT,
        control_plane_pki_operator.OPENSHIFT,
        kube_apiserver.OPENSHIFT,
        kube_controller_manager.OPENSHIFT,
        kube_scheduler.OPENSHIFT,
        openshift_apiserver.OPENSHIFT,
        openshift_oauth_apiserver.OPENSHIFT,
        cluster_version_operator.OPENSHIFT,
        openshift_controller_manager.OPENSHIFT,
        oauth_openshift.OPENSHIFT,
        openshift_route_controller_manager.OPENSHIFT,
        cluster_policy_controller.OPENSHIFT,
        aws_cloud_controller_manager.OPENSHIFT,
        azure_cloud_controller_manager.OPENSHIFT,
        kubevirt_cloud_controller_manager.OPENSHIFT,
        openstack_cloud_controller_manager.OPENSHIFT,
        powervs_cloud_controller_manager.OPENSHIFT,
        gcp_cloud_controller_manager.OPENSHIFT,
        cloud_credential_operator.OPENSHIFT,
        cluster_storage_operator.OPENSHIFT,
        kubevirt_csi_controller.OPENSHIFT,
        cluster_network_operator.OPENSHIFT,
        cluster_node_tuning_operator.OPENSHIFT,
        dns_operator.OPENSHIFT,
        machine_approver.OPENSHIFT,
        ingress_operator.OPENSHIFT,
        aws_node_termination_handler.OPENSHIFT,
        csi_snapshot_controller_operator.OPENSHIFT,
        cluster_image_registry_operator.OPENSHIFT,
        konnectivity_agent.OPENSHIFT,
        ignition_server_proxy.OPENSHIFT,
        kube_storage_version_migrator.OPENSHIFT,
        router.OPENSHIFT,
        cluster_autoscaler.OPENSHIFT,
        catalog_operator.OPENSHIFT,
        olm_operator.OPENSHIFT,
        packageserver.OPENSHIFT,
        olm_collect_profiles.OPENSHIFT,
        *olm_catalogs.OPENSHIFT,
    ),
}

#: Components whose work this operator does itself or deploys in another form, or whose programs its
#: image lacks: they are rendered to be compared and read, and nothing deploys them. Karpenter's two
#: are deployed by the HyperShift operator and by the first of them, not with the catalogue.
UNDEPLOYED: tuple[Component, ...] = (
    featuregate_generator.OPENSHIFT,
    hosted_cluster_config_operator.OPENSHIFT,
    ignition_server.OPENSHIFT,
    endpoint_resolver.OPENSHIFT,
    metrics_proxy.OPENSHIFT,
    control_plane_operator.component(control_plane_operator.Options()),
    *map(capi_provider.component, map(capi_provider.Options, capi_provider.PLATFORMS)),
    cluster_api.component(cluster_api.Options()),
    karpenter_operator.component(karpenter_operator.Options()),
    karpenter.COMPONENT,
)


def catalog(product: Product, spec: HostedControlPlaneSpec | None = None) -> tuple[Component, ...]:
    """The components of a product, and those that a HostedControlPlane's spec adds to them."""
    first, *others = CATALOG[product]
    shards = etcd.shards(spec, product) if spec else ()
    if shards and product is Product.KUBERNETES:
        others = [_after(component, shards) for component in others]
    return (first, *shards, *others)


def _after(component: Component, shards: tuple[Component, ...]) -> Component:
    """The API server starts when every etcd cluster is there that it will ask."""
    if component.name != kube_apiserver.KUBERNETES.name:
        return component
    names = (shard.name for shard in shards)
    return replace(component, depends_on=(*component.depends_on, *names))


__all__ = ["CATALOG", "UNDEPLOYED", "catalog"]
