"""The HostedCluster controller: its phases in order, and what wakes it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta

from hypershift.api.conditions import ControlPlaneCondition, Owner
from hypershift.kit import Key, Manifest, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Resource, kinds
from hypershift.kube.cache import Change
from hypershift.operators.hypershift.hosted_cluster import (
    access,
    chain,
    checks,
    cluster_api,
    copies,
    deletion,
    gates,
    isolation,
    metrics_set,
    names,
    observe,
    pausing,
    releases,
    roles,
    rollup,
    stopping,
    supported,
    sync,
)
from hypershift.operators.hypershift.hosted_cluster.report import Weight, operation
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope, Environment
from hypershift.platforms import infra_resources
from hypershift.runtime import Context, Controller, Phase, Watch, asks, declared, is_true

NAME = Owner.HOSTED_CLUSTER.value
#: While a control plane comes up its status changes many times, and each time tells little.
PACE = timedelta(seconds=4)

#: What brings a cluster up, by name and by what its failure means.
OPERATIONS: Sequence[Phase[ClusterScope]] = (
    operation("CPOImageAndNamespace", Weight.CRITICAL, sync.sync_namespace),
    isolation.close_new_namespace,
    operation("PlatformCredentials", Weight.CRITICAL, sync.sync_credentials),
    operation("PullSecretSync", Weight.CRITICAL, sync.sync(copies.pull_secret)),
    operation("SecretEncryptionSync", Weight.CRITICAL, sync.sync_encryption),
    operation("RestoredFromBackup", Weight.OPTIONAL, rollup.follow_restore),
    operation("AuditWebhookSync", Weight.OPTIONAL, sync.sync(copies.audit_webhook)),
    operation("SSHKeySync", Weight.OPTIONAL, sync.sync_ssh_key),
    operation("AdditionalTrustBundle", Weight.OPTIONAL, sync.sync_trust_bundle),
    operation("ServiceAccountSigningKey", Weight.OPTIONAL, sync.sync(copies.signing_key)),
    operation("UnmanagedEtcdMTLS", Weight.OPTIONAL, sync.sync(copies.etcd_client)),
    operation("GlobalConfigSync", Weight.OPTIONAL, sync.sync(copies.configuration)),
    operation("MadeSecretsAdopted", Weight.OPTIONAL, sync.adopt_made_secrets),
    operation("CoreHCPChain", Weight.CRITICAL, chain.sync_chain),
    operation("KubeconfigAndPasswordSync", Weight.BLOCKABLE, access.publish_access),
    operation("MonitoringAndCLISecrets", Weight.BLOCKABLE, metrics_set.sync_metrics_set),
    operation("ReleaseImageVersion", Weight.CRITICAL, gates.need_release),
    operation("OperatorDeployments", Weight.BLOCKABLE, roles.sync_deployments),
    operation("RBACAndPolicies", Weight.BLOCKABLE, isolation.sync_policies),
)

NORMAL: Sequence[Phase[ClusterScope]] = (
    observe.observe,
    checks.check_platform,
    checks.check_configuration,
    checks.check_proxy,
    releases.check_release,
    supported.check_support,
    rollup.roll_up,
    rollup.remember_availability,
    gates.stop_if_invalid,
    gates.stop_if_refused,
    *OPERATIONS,
    gates.conclude,
)

#: A paused cluster still says how it is.
PAUSED: Sequence[Phase[ClusterScope]] = (
    observe.observe,
    checks.check_platform,
    checks.check_configuration,
    checks.check_proxy,
    releases.check_release,
    supported.check_support,
    rollup.roll_up,
    rollup.remember_availability,
    pausing.pass_on_pause,
    gates.conclude,
)

DELETE: Sequence[Phase[ClusterScope]] = (
    deletion.observe_deletion,
    checks.check_platform,
    deletion.wake_machines,
    deletion.release_orphans,
    deletion.delete_pools,
    deletion.delete_capi_cluster,
    deletion.delete_platform_leftovers,
    deletion.delete_control_plane,
    stopping.stop_pods,
    deletion.delete_namespace,
    deletion.delete_cluster_roles,
    deletion.forget_references,
    deletion.grant_grace,
)


def controller(environment: Environment) -> Controller[ClusterScope]:
    """The controller, for the Manager to run."""
    users = metrics_set.Users(environment.settings)
    # Two clusters may mean the same namespace: the one that is refused must not hide the other.
    planes: defaultdict[str, set[Key]] = defaultdict(set)

    def scope(found: Manifest, context: Context) -> ClusterScope:
        users.remember(found)
        planes[control_plane_namespace(key_of(found))].add(key_of(found))
        return ClusterScope(found, context, environment)

    def by_secret(manifest: Manifest) -> Iterator[Key]:
        """Those who use a Secret, and the cluster whose access it is: a renewed one is copied."""
        yield from by_use(manifest)
        if access.KEYS & (manifest.get("data") or {}).keys():
            yield from tuple(planes.get(manifest["metadata"].get("namespace", ""), ()))

    def by_config_map(manifest: Manifest) -> Iterator[Key]:
        yield from by_use(manifest)
        yield from users.of_config_map(manifest)

    def everybody(_: Manifest) -> Iterator[Key]:
        """The management API has moved: every cluster is to be kept from its new addresses."""
        yield from tuple(key for keys in planes.values() for key in keys)

    def by_node(node: Manifest) -> Iterator[Key]:
        """Every cluster, when a node has ranges that their policies do not know yet."""
        if not environment.openshift and not environment.ranges.cover(node):
            yield from everybody(node)

    def by_manager(deployment: Manifest) -> Iterator[Key]:
        """Every cluster, when a Cluster API manager comes or goes that may serve all of them."""
        if cluster_api.is_manager(deployment):
            yield from everybody(deployment)

    return Controller(
        name=NAME,
        resource=kinds.HOSTED_CLUSTER,
        scope=scope,
        normal=NORMAL,
        delete=DELETE,
        paused=PAUSED,
        finalizer=names.FINALIZER,
        gives=observe.missing_ids,
        watches=(
            *(Watch(resource, by_annotation) for resource in _written()),
            Watch(kinds.DEPLOYMENT, by_manager, wakes=declared),
            Watch(kinds.HOSTED_CONTROL_PLANE, by_annotation, urgent=is_another_verdict),
            Watch(kinds.SECRET, by_secret),
            Watch(kinds.CONFIG_MAP, by_config_map),
            Watch(kinds.NODE_POOL, by_pool, urgent=asks),
            Watch(
                kinds.ENDPOINT_SLICE,
                everybody,
                namespace=isolation.API_NAMESPACE,
                labels=isolation.API_LABELS,
            ),
            Watch(kinds.NODE, by_node, wakes=lambda change: change.new is not None),
            # How they are doing is Cluster API's business; that they are as we wrote them is ours.
            Watch(kinds.CAPI_CLUSTER, by_annotation, optional=True, wakes=declared),
            *(
                Watch(kind, by_annotation, optional=True, wakes=declared)
                for kind in infra_resources()
            ),
        ),
        workers=environment.settings.workers,
        cluster=lambda found: control_plane_namespace(key_of(found)),
        pace=PACE,
    )


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


def by_annotation(manifest: Manifest) -> Iterator[Key]:
    """The cluster that an object says it belongs to."""
    if key := names.cluster_of(manifest):
        yield key


def by_use(manifest: Manifest) -> Iterator[Key]:
    """The clusters that a Secret or ConfigMap belongs to, or that use it."""
    yield from by_annotation(manifest)
    yield from names.referencing_clusters(manifest)


def by_pool(pool: Manifest) -> Iterator[Key]:
    """The cluster that a node pool is part of."""
    if name := pool["spec"].get("clusterName"):
        yield Key(pool["metadata"]["namespace"], name)


def is_another_verdict(change: Change) -> bool:
    """Whether a control plane became available, or ceased to be: users wait for that."""
    return is_true(change.old or {}, ControlPlaneCondition.AVAILABLE) != is_true(
        change.new or {}, ControlPlaneCondition.AVAILABLE
    )
