"""The HostedCluster controller: its phases in order, and what wakes it."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from hypershift.api import NodePool, read
from hypershift.api.conditions import ControlPlaneCondition, Owner
from hypershift.kit import Key, Manifest, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Resource, kinds
from hypershift.kube.cache import Change, Index
from hypershift.operators.hypershift import claims
from hypershift.operators.hypershift.hosted_cluster import (
    access,
    auto_node,
    chain,
    checks,
    deletion,
    documents,
    gates,
    isolation,
    look,
    metrics_set,
    names,
    pausing,
    releases,
    roles,
    status,
    stopping,
    supported,
    sync,
)
from hypershift.operators.hypershift.hosted_cluster.rules import cluster_api, copies
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope, Environment
from hypershift.operators.hypershift.settings import Settings
from hypershift.pki.token_keys import PUBLIC
from hypershift.platforms import infra_resources
from hypershift.runtime import (
    Controller,
    Phase,
    Watch,
    Weight,
    changes_metadata,
    changes_wish,
    is_true,
    mapping,
    operation,
)

NAME = Owner.HOSTED_CLUSTER.value
#: While a control plane starts, its status changes many times, and each change says little.
PACE = timedelta(seconds=4)

#: What brings a cluster up, by name and by what its failure means.
OPERATIONS: Sequence[Phase[ClusterScope]] = (
    operation("CPOImageAndNamespace", Weight.CRITICAL, sync.sync_namespace),
    operation("", Weight.BLOCKABLE, isolation.close_new_namespace),
    operation("PlatformCredentials", Weight.CRITICAL, sync.sync_credentials),
    operation("PullSecretSync", Weight.CRITICAL, sync.sync(copies.pull_secret)),
    operation("SecretEncryptionSync", Weight.CRITICAL, sync.sync_encryption),
    operation("RestoredFromBackup", Weight.OPTIONAL, status.follow_restore),
    operation("AuditWebhookSync", Weight.OPTIONAL, sync.sync(copies.audit_webhook)),
    operation("SSHKeySync", Weight.OPTIONAL, sync.sync_ssh_key),
    operation("AdditionalTrustBundle", Weight.OPTIONAL, sync.sync_trust_bundle),
    operation("ServiceAccountSigningKey", Weight.OPTIONAL, sync.sync(copies.signing_key)),
    operation("UnmanagedEtcdMTLS", Weight.OPTIONAL, sync.sync(copies.etcd_client)),
    operation("GlobalConfigSync", Weight.OPTIONAL, sync.sync(copies.configuration)),
    operation("MadeSecretsAdopted", Weight.OPTIONAL, sync.adopt_made_secrets),
    operation("CoreHCPChain", Weight.CRITICAL, chain.sync_chain),
    operation("KubeconfigAndPasswordSync", Weight.BLOCKABLE, access.publish_access),
    operation("PlatformOIDCAndCSI", Weight.BLOCKABLE, documents.publish_documents),
    operation("MonitoringAndCLISecrets", Weight.BLOCKABLE, metrics_set.sync_metrics_set),
    operation("ReleaseImageVersion", Weight.CRITICAL, gates.need_release),
    operation("OperatorDeployments", Weight.BLOCKABLE, roles.sync_deployments),
    operation("OperatorDeployments", Weight.BLOCKABLE, auto_node.sync_auto_node),
    operation("RBACAndPolicies", Weight.BLOCKABLE, isolation.sync_policies),
)

NORMAL: Sequence[Phase[ClusterScope]] = (
    look.observe,
    checks.check_platform,
    checks.check_configuration,
    checks.check_proxy,
    releases.check_release,
    supported.check_support,
    status.roll_up,
    status.remember_availability,
    gates.stop_if_invalid,
    gates.stop_if_refused,
    *OPERATIONS,
)

#: A paused cluster still reports its state.
PAUSED: Sequence[Phase[ClusterScope]] = (
    look.observe,
    checks.check_platform,
    checks.check_configuration,
    checks.check_proxy,
    releases.check_release,
    supported.check_support,
    status.roll_up,
    status.remember_availability,
    pausing.pass_on_pause,
)

DELETE: Sequence[Phase[ClusterScope]] = (
    deletion.observe_deletion,
    checks.check_platform,
    deletion.wake_machines,
    auto_node.release_karpenter,
    deletion.release_orphans,
    deletion.delete_pools,
    deletion.delete_capi_cluster,
    deletion.delete_platform_leftovers,
    deletion.delete_links,
    deletion.delete_control_plane,
    documents.delete_documents,
    stopping.stop_pods,
    deletion.delete_namespace,
    deletion.delete_cluster_roles,
    deletion.forget_references,
    deletion.grant_grace,
)


def controller(environment: Environment) -> Controller[ClusterScope]:
    """The controller, for the Manager to run."""
    scraped = metrics_set.index(environment.settings)
    return Controller(
        name=NAME,
        resource=kinds.HOSTED_CLUSTER,
        scope=lambda found, context: ClusterScope(found, context, environment),
        normal=NORMAL,
        delete=DELETE,
        indexes=(mapping.EVERY, BY_PLANE, claims.BY_NAME, scraped),
        paused=PAUSED,
        conclude=gates.conclude,
        finalizer=names.FINALIZER,
        spec_defaults=look.missing_ids,
        watches=(
            *_watches_of_clusters(),
            *_watches_of_documents(environment.settings, scraped),
            *_watches_of_addresses(environment),
        ),
        workers=environment.settings.workers,
        cluster=lambda found: control_plane_namespace(key_of(found)),
        pace=PACE,
    )


def _watches_of_clusters() -> Iterator[Watch]:
    """Yield what is followed of clusters and of the objects that this controller writes."""
    for resource in _written():
        yield Watch(resource, by_annotation)
    every = mapping.EVERY.name
    yield Watch(kinds.DEPLOYMENT, by_manager, through=every, wakes=changes_metadata)
    yield Watch(kinds.HOSTED_CONTROL_PLANE, by_annotation, urgent=is_another_verdict)
    for kind in (kinds.HOSTED_CONTROL_PLANE, kinds.HOSTED_CLUSTER):
        yield Watch(kind, claims.names, through=claims.BY_NAME.name, wakes=changes_metadata)
    yield Watch(kinds.NODE_POOL, by_pool, urgent=changes_wish)
    # How they are doing is Cluster API's business; that they are as we wrote them is ours.
    for kind in (kinds.CAPI_CLUSTER, *infra_resources()):
        yield Watch(kind, by_annotation, optional=True, wakes=changes_metadata)


def _watches_of_documents(settings: Settings, scraped: Index) -> Iterator[Watch]:
    """Yield what is followed of the Secrets and ConfigMaps that clusters use."""
    yield Watch(kinds.SECRET, by_use)
    yield Watch(kinds.SECRET, by_access, through=BY_PLANE.name)
    yield Watch(kinds.CONFIG_MAP, by_use)
    yield Watch(kinds.CONFIG_MAP, metrics_set.by_wishes(settings), through=scraped.name)


def _watches_of_addresses(environment: Environment) -> Iterator[Watch]:
    """Yield what is followed of the addresses that policies keep every cluster from."""

    def by_node(node: Manifest) -> Iterator[Key]:
        """Every cluster, when a node has ranges that their policies do not know yet."""
        if not environment.openshift and not environment.ranges.cover(node):
            yield from mapping.every(node)

    every = mapping.EVERY.name
    yield Watch(  # the management API has moved
        kinds.ENDPOINT_SLICE,
        mapping.every,
        through=every,
        namespace=isolation.API_NAMESPACE,
        labels=isolation.API_LABELS,
    )
    yield Watch(kinds.NODE, by_node, through=every, wakes=lambda change: change.new is not None)


def _written() -> tuple[Resource, ...]:
    return (
        kinds.NAMESPACE,
        kinds.NETWORK_POLICY,
        kinds.DEPLOYMENT,
        kinds.SERVICE,
        kinds.SERVICE_ACCOUNT,
        kinds.ROLE,
        kinds.ROLE_BINDING,
        kinds.CLUSTER_ROLE_BINDING,
    )


#: Two clusters may mean the same namespace: the one that is refused must not hide the other.
BY_PLANE = Index("clusters of a namespace", lambda found: (control_plane_namespace(key_of(found)),))


def by_access(secret: Manifest) -> Iterator[Key]:
    """The namespace of a control plane whose access or keys of tokens are in a Secret.

    Renewed access is copied, and the documents of the token issuer list other keys.
    """
    if {*access.KEYS, PUBLIC} & (secret.get("data") or {}).keys():
        yield from mapping.its_namespace(secret)


def by_manager(deployment: Manifest) -> Iterator[Key]:
    """Every cluster, when a Cluster API manager comes or goes that may serve all of them."""
    if cluster_api.is_manager(deployment):
        yield from mapping.every(deployment)


def by_annotation(manifest: Manifest) -> Iterator[Key]:
    """The cluster that an object's annotation names."""
    if key := names.cluster_of(manifest):
        yield key


def by_use(manifest: Manifest) -> Iterator[Key]:
    """The clusters that a Secret or ConfigMap belongs to, or that use it."""
    yield from by_annotation(manifest)
    yield from names.referencing_clusters(manifest)


def by_pool(pool: Manifest) -> Iterator[Key]:
    """The cluster that a node pool is part of."""
    if name := read(NodePool, pool).spec.cluster_name:
        yield Key(pool["metadata"]["namespace"], name)


def is_another_verdict(change: Change) -> bool:
    """Whether a control plane became available, or ceased to be: users wait for that."""
    return is_true(change.old or {}, ControlPlaneCondition.AVAILABLE) != is_true(
        change.new or {}, ControlPlaneCondition.AVAILABLE
    )
