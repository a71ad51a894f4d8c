"""The NodePool controller: its phases in their order, and what wakes it."""

from collections.abc import Iterator, Sequence

from hypershift.api import NodePool, annotations
from hypershift.api.conditions import Owner
from hypershift.kit import Key, Manifest, annotations_of, key_of, labels_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import (
    config_phases,
    deletion,
    gather,
    machine_phases,
    names,
    platform_phases,
    repair_phases,
    report,
    supported,
    template_phases,
    token_phases,
    tuning_phases,
    validate,
)
from hypershift.operators.hypershift.node_pool.scope import Environment, PoolScope
from hypershift.runtime import Context, Controller, Phase, Watch, declared

NAME = Owner.NODE_POOL.value
WORKERS = 10

NORMAL: Sequence[Phase[PoolScope]] = (
    validate.find_cluster,
    validate.observe_machines,
    validate.check_spec,
    validate.find_release,
    validate.find_ignition_endpoint,
    validate.check_architecture,
    validate.check_pause,
    supported.check_support,
    config_phases.generate_config,
    config_phases.read_trust_bundle,
    report.report_updates,
    report.report_payload,
    report.report_machines,
    platform_phases.check_platform_config,
    platform_phases.require_identity,
    platform_phases.check_platform,
    tuning_phases.mirror_configs,
    tuning_phases.publish_tuning,
    machine_phases.pause_machines,
    token_phases.publish_token,
    token_phases.publish_user_data,
    machine_phases.finish_without_machines,
    machine_phases.tag_machines,
    template_phases.publish_template,
    machine_phases.mark_machines,
    machine_phases.scale_machines,
    token_phases.retire_tokens,
    repair_phases.repair_machines,
    template_phases.drop_templates,
)
DELETE: Sequence[Phase[PoolScope]] = tuple(
    deletion.reported(phase)
    for phase in (
        deletion.find_namespace,
        deletion.delete_machines,
        deletion.delete_secrets,
        deletion.delete_cached_image,
    )
)


def by_annotation(manifest: Manifest) -> Iterator[Key]:
    """The pool that a child names."""
    if key := names.pool_key(annotations_of(manifest)):
        yield key


def by_template(machine_set: Manifest) -> Iterator[Key]:
    """The pool whose machines a MachineSet makes, itself or through a MachineDeployment."""
    template = (machine_set.get("spec") or {}).get("template") or {}
    for marked in (template, machine_set):
        if key := names.pool_key(annotations_of(marked)):
            yield key
            return


def controller(environment: Environment) -> Controller[PoolScope]:
    """The controller of pools."""
    pools = PoolsOf()

    def scope(pool: Manifest, context: Context) -> PoolScope:
        made = PoolScope(pool, context, environment)
        pools.remember(made.pool)
        return made

    return Controller(
        name=NAME,
        resource=kinds.NODE_POOL,
        scope=scope,
        normal=NORMAL,
        delete=DELETE,
        finalizer=names.FINALIZER,
        watches=(
            Watch(kinds.HOSTED_CLUSTER, keys=pools.of_cluster),
            Watch(kinds.NAMESPACE, keys=pools.of_namespace, wakes=declared),
            Watch(kinds.SECRET, keys=pools.of_secret),
            Watch(kinds.CONFIG_MAP, keys=pools.of_config_map),
            Watch(kinds.MACHINE_DEPLOYMENT, keys=by_annotation, optional=True),
            Watch(kinds.MACHINE_SET, keys=by_template, optional=True),
            Watch(kinds.MACHINE, keys=by_annotation, optional=True),
            Watch(kinds.MACHINE_HEALTH_CHECK, keys=by_annotation, optional=True),
            Watch(kinds.LOCAL_MACHINE_TEMPLATE, keys=by_annotation, optional=True),
        ),
        workers=WORKERS,
        honour_pause=False,
        stop_on_error=True,
        cluster=names.cluster_of,
    )


class PoolsOf:
    """Which pools a cluster or a ConfigMap concerns: what earlier passes saw of each pool."""

    def __init__(self) -> None:
        """Know nothing yet: a pool's first pass needs no other object to wake it."""
        self._clusters: dict[Key, Key] = {}
        self._configs: dict[Key, frozenset[Key]] = {}

    def remember(self, pool: NodePool) -> None:
        """Note what a pool refers to."""
        namespace, spec = pool.metadata.namespace, pool.spec
        key = Key(namespace, pool.metadata.name)
        self._clusters[key] = Key(namespace, spec.cluster_name)
        named = (*spec.config, *spec.tuning_config)
        self._configs[key] = frozenset(Key(namespace, each.name) for each in named)

    def of_cluster(self, cluster: Manifest) -> Iterator[Key]:
        """The pools of a cluster."""
        metadata = cluster["metadata"]
        wanted = Key(metadata["namespace"], metadata["name"])
        return (pool for pool, found in self._clusters.items() if found == wanted)

    def of_namespace(self, namespace: Manifest) -> Iterator[Key]:
        """The pools whose control plane a namespace is, or would be."""
        return self._of_plane(namespace["metadata"]["name"])

    def of_secret(self, secret: Manifest) -> Iterator[Key]:
        """The pool that a token names, or all of a control plane that waited for its authority."""
        if secret["metadata"]["name"] == names.IGNITION_CA:
            return self._of_plane(secret["metadata"]["namespace"])
        return by_annotation(secret)

    def of_config_map(self, config_map: Manifest) -> Iterator[Key]:
        """The pools that name a ConfigMap, or that it was made for by others."""
        key, labels = key_of(config_map), labels_of(config_map)
        for_all = names.CORE_CONFIG in labels or key.name in gather.CLOUD_CONFIGS
        for_all = for_all or annotations.COPY_OF in annotations_of(config_map)
        made_for = labels.get(names.NODE_POOL)
        for pool in self._of_plane(key.namespace):
            if for_all or made_for == pool.name:
                yield pool
        yield from (pool for pool, named in tuple(self._configs.items()) if key in named)

    def _of_plane(self, namespace: str) -> Iterator[Key]:
        """The pools whose control plane is in a namespace."""
        for pool, cluster in tuple(self._clusters.items()):
            if namespace == control_plane_namespace(cluster):
                yield pool
