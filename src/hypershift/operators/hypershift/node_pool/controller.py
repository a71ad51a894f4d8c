"""The NodePool controller: its phases in their order, and what wakes it."""

from collections.abc import Iterator, Sequence

from hypershift.api import annotations
from hypershift.api.conditions import Owner
from hypershift.kit import Key, Manifest, annotations_of, labels_of
from hypershift.kube import Resource, kinds
from hypershift.operators.hypershift.node_pool import (
    config,
    deletion,
    look,
    machines,
    names,
    node_tuning,
    platform,
    repair,
    sources,
    status,
    supported,
    templates,
    token,
)
from hypershift.operators.hypershift.node_pool.indexes import BY_CLUSTER, BY_CONFIG, BY_PLANE
from hypershift.operators.hypershift.node_pool.scope import Environment, PoolScope
from hypershift.platforms import PLATFORMS
from hypershift.runtime import Controller, Phase, Watch, changes_metadata, mapping

NAME = Owner.NODE_POOL.value
WORKERS = 10

NORMAL: Sequence[Phase[PoolScope]] = (
    look.find_cluster,
    look.observe_machines,
    look.check_spec,
    look.find_release,
    look.find_ignition_endpoint,
    look.check_architecture,
    look.check_pause,
    supported.check_support,
    config.generate_config,
    config.read_trust_bundle,
    status.report_updates,
    status.report_payload,
    status.report_machines,
    platform.check_platform_config,
    platform.require_identity,
    platform.check_platform,
    node_tuning.mirror_configs,
    node_tuning.publish_tuning,
    machines.pause_machines,
    token.publish_token,
    token.publish_user_data,
    machines.finish_without_machines,
    machines.tag_machines,
    templates.publish_template,
    machines.mark_machines,
    machines.scale_machines,
    token.retire_tokens,
    repair.repair_machines,
    templates.drop_templates,
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


def by_plane(namespace: Manifest) -> Iterator[Key]:
    """The control plane namespace that a namespace is, or would be."""
    yield Key("", namespace["metadata"]["name"])


def by_authority(secret: Manifest) -> Iterator[Key]:
    """The control plane namespace of an ignition server's authority: its pools waited for that."""
    if secret["metadata"]["name"] == names.IGNITION_CA:
        yield from mapping.its_namespace(secret)


def by_shared_config(config_map: Manifest) -> Iterator[Key]:
    """The control plane namespace of a ConfigMap that concerns all of its pools."""
    name, labels = config_map["metadata"]["name"], labels_of(config_map)
    for_all = names.CORE_CONFIG in labels or name in sources.CLOUD_CONFIGS
    if for_all or annotations.COPY_OF in annotations_of(config_map):
        yield from mapping.its_namespace(config_map)


def by_label(config_map: Manifest) -> Iterator[Key]:
    """The pool that a ConfigMap beside a control plane was made for, by others."""
    if pool := labels_of(config_map).get(names.NODE_POOL):
        yield Key(config_map["metadata"]["namespace"], pool)


def templates_with_sizes() -> Iterator[Resource]:
    """The kinds of machine templates whose providers report a machine's capacity."""
    for cloud in PLATFORMS.values():
        machines = cloud.pools.machines if cloud.pools.scales_from_zero else None
        if cloud.cluster is not None and machines is not None:
            yield machines.resource


def controller(environment: Environment) -> Controller[PoolScope]:
    """The controller of pools."""
    return Controller(
        name=NAME,
        resource=kinds.NODE_POOL,
        scope=lambda pool, context: PoolScope(pool, context, environment),
        normal=NORMAL,
        delete=DELETE,
        finalizer=names.FINALIZER,
        indexes=(BY_CLUSTER, BY_PLANE, BY_CONFIG),
        watches=(
            Watch(kinds.HOSTED_CLUSTER, mapping.itself, through=BY_CLUSTER.name),
            Watch(kinds.NAMESPACE, by_plane, through=BY_PLANE.name, wakes=changes_metadata),
            Watch(kinds.SECRET, by_authority, through=BY_PLANE.name),
            Watch(kinds.SECRET, by_annotation),
            Watch(kinds.CONFIG_MAP, by_shared_config, through=BY_PLANE.name),
            Watch(kinds.CONFIG_MAP, by_label, through=BY_PLANE.name),
            Watch(kinds.CONFIG_MAP, mapping.itself, through=BY_CONFIG.name),
            Watch(kinds.MACHINE_DEPLOYMENT, by_annotation, optional=True),
            Watch(kinds.MACHINE_SET, by_template, optional=True),
            Watch(kinds.MACHINE, by_annotation, optional=True),
            Watch(kinds.MACHINE_HEALTH_CHECK, by_annotation, optional=True),
            *(Watch(each, by_annotation, optional=True) for each in templates_with_sizes()),
        ),
        workers=WORKERS,
        honour_pause=False,
        stop_on_error=True,
        cluster=names.cluster_of,
    )
