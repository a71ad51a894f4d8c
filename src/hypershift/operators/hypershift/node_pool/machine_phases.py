"""The phases that make machines: template, deployment or set, node labels."""

from datetime import timedelta
from typing import Any

from hypershift.ignition import token
from hypershift.kit import HypershiftError, InvalidSpec, Manifest, annotations_of, labels_of
from hypershift.kube import Resource, kinds
from hypershift.operators.hypershift.node_pool import machine_deployment as machines
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.checks import Verdict
from hypershift.operators.hypershift.node_pool.machine_deployment import Wanted
from hypershift.operators.hypershift.node_pool.say import failed, say
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.operators.hypershift.node_pool.token_phases import retire_tokens
from hypershift.platforms import NotReady, Template, machines_of, made_elsewhere
from hypershift.platforms.aws import tags
from hypershift.platforms.aws.machine_template import MACHINE as AWS_MACHINE
from hypershift.runtime import Done, Outcome, Stop, condition_of
from hypershift.runtime.pause import FOREVER, pause_left

NOT_READY = timedelta(seconds=5)
#: Clouds on which a template that cannot be made is a condition, by its reason.
_INVALID_TEMPLATE = {
    "KubeVirt": "InvalidKubevirtMachineTemplate",
    "OpenStack": "InvalidOpenStackMachineTemplate",
}
#: Clouds whose nodes may be given more pull secrets while they run.
_GLOBAL_PULL_SECRET = ("AWS", "Azure")
_UPDATING = "UpdatingPlatformMachineTemplate"


async def pause_machines(scope: PoolScope) -> Outcome:
    """Pause Cluster API with the pool, and wake it with the pool."""
    left = pause_left(scope.object, scope.clock.now())
    for resource in (kinds.MACHINE_SET, kinds.MACHINE_DEPLOYMENT):
        found = await scope.kube.find(resource, scope.key.name, scope.namespace)
        if found and (names.PAUSED in annotations_of(found)) != (left is not None):
            patch = {"metadata": {"annotations": {names.PAUSED: "true" if left else None}}}
            await scope.kube.patch(resource, scope.key.name, patch, scope.namespace)
    if left is None:
        return Done()
    return Stop("ReconciliationPaused", after=None if left == FOREVER else left)


async def finish_without_machines(scope: PoolScope) -> Outcome:
    """Where others make the machines, a published token is all there is to do."""
    if not made_elsewhere(scope.object):
        return Done()
    await retire_tokens(scope)
    scope.status["version"] = scope.wanted_release.version
    await scope.annotate(
        {
            names.CURRENT_CONFIG: scope.wanted_config.hash_without_version,
            names.CURRENT_CONFIG_VERSION: scope.wanted_config.hash,
        }
    )
    return Stop("MachinesElsewhere")


async def publish_template(scope: PoolScope) -> Outcome:
    """Make the template of the wanted machines; another spec is another template."""
    cloud = machines_of(scope.object)
    if cloud is None:
        message = f"unsupported platform type: {scope.platform}"
        return await failed(scope, f"failed to create machine template: {message}")
    try:
        made = cloud.template(scope.facts())
    except NotReady as error:
        return Stop("NotReady", str(error), after=NOT_READY)
    except HypershiftError as error:
        return await _no_template(scope, error)
    scope.conditions.remove("ValidMachineTemplate")
    if made.defaults:
        await scope.change({"spec": made.defaults})
    name = await _template_name(scope, made)
    scope.template = _template(scope, cloud.resource, made, name)
    live = await scope.kube.apply(scope.template)
    scope.template["status"] = live.get("status") or {}
    if scope.annotations.get(names.CURRENT_TEMPLATE, "") == name:
        say(scope, _UPDATING, Verdict.fails())
    else:
        message = f"platform machine template update in progress. Target template: {name}"
        say(scope, _UPDATING, Verdict.holds(message))
    return Done()


async def _no_template(scope: PoolScope, error: HypershiftError) -> Outcome:
    message = f"failed to create machine template: {error}"
    if reason := _INVALID_TEMPLATE.get(scope.platform):
        return await failed(
            scope, message, kind="ValidMachineTemplate", reason=reason, because=str(error)
        )
    return await failed(scope, message)


async def _template_name(scope: PoolScope, made: Template) -> str:
    """The name that the spec's hash gives, unless the template in use is as good."""
    cloud = machines_of(scope.object)
    resource = kinds.MACHINE_SET if scope.in_place else kinds.MACHINE_DEPLOYMENT
    user = await scope.kube.find(resource, scope.key.name, scope.namespace)
    if cloud is not None and user is not None:
        used: str = user["spec"]["template"]["spec"]["infrastructureRef"]["name"]
        known = await scope.kube.find(cloud.resource, used, scope.namespace)
        if known is not None and cloud.same(made.spec, known["spec"]):
            return used
    return names.template_name(scope.key.name, made.hashed)


def _template(scope: PoolScope, resource: Resource, made: Template, name: str) -> Manifest:
    labels = dict(made.labels) | ({made.name_label: name} if made.name_label else {})
    metadata: Manifest = {
        "name": name,
        "namespace": scope.namespace,
        "annotations": {names.NODE_POOL: names.pool_value(scope.object)},
    }
    if labels:
        metadata["labels"] = labels
    return {
        "apiVersion": resource.api_version,
        "kind": resource.kind,
        "metadata": metadata,
        "spec": made.spec,
    }


async def tag_machines(scope: PoolScope) -> Outcome:
    """Tell existing machines on AWS their tags, which change without replacing them."""
    if scope.platform != "AWS":
        return Done()
    wanted = tags.of_machines(scope.facts())
    label = f"{names.DEPLOYMENT_NAME}={scope.key.name}"
    for machine in await scope.kube.list(AWS_MACHINE, scope.namespace, labels=label):
        if machine["spec"].get("additionalTags") != wanted:
            gone = dict.fromkeys((machine["spec"].get("additionalTags") or {}).keys() - wanted)
            patch = {"spec": {"additionalTags": {**gone, **wanted}}}
            name = machine["metadata"]["name"]
            await scope.kube.patch(AWS_MACHINE, name, patch, scope.namespace)
    return Done()


def wanted_machines(scope: PoolScope) -> Wanted:
    """What the machines of this pass are made of."""
    if scope.template is None:
        raise RuntimeError("the template is published before machines are")
    config_hash = scope.wanted_config.hash
    cloud = machines_of(scope.object)
    return Wanted(
        pool=scope.object,
        namespace=scope.namespace,
        cluster=scope.cluster_name,
        infra_id=scope.infra_id,
        release_version=scope.wanted_release.version,
        user_data=token.user_data_name(scope.key.name, config_hash),
        config_hash=config_hash,
        template=scope.template,
        failure_domain=cloud.failure_domain(scope.object) if cloud else "",
    )


async def scale_machines(scope: PoolScope) -> Outcome:
    """Bring MachineDeployment or MachineSet to what the pool says, and take over its numbers."""
    wanted = wanted_machines(scope)
    resource = kinds.MACHINE_SET if scope.in_place else kinds.MACHINE_DEPLOYMENT
    found = await scope.kube.find(resource, wanted.name, wanted.namespace)
    from_zero = _from_zero(scope)
    build = machines.machine_set if scope.in_place else machines.machine_deployment
    try:
        manifest = build(wanted, from_zero=from_zero)
    except InvalidSpec as error:
        kind = "MachineSet" if scope.in_place else "MachineDeployment"
        where = f"{wanted.namespace}/{wanted.name}"
        return await failed(scope, f'failed to reconcile {kind} "{where}": {error}')
    current = None if found is None else found["spec"].get("replicas")
    replicas = machines.replicas(scope.object, current, from_zero=from_zero)
    if found is None:
        await scope.kube.create(_first(manifest, replicas, wanted.config_hash))
    live = await scope.kube.apply(manifest)
    if found is not None and replicas is not None and current != replicas:
        patch = {"spec": {"replicas": replicas}}
        live = await scope.kube.patch(resource, wanted.name, patch, wanted.namespace)
    if found is None or _rolls(found, manifest):
        return Done()  # the numbers still speak of the machines before
    await _take_over(scope, live)
    return Done()


def _from_zero(scope: PoolScope) -> bool:
    """Whether somebody tells the autoscaler what an absent machine would offer."""
    capacity = ((scope.template or {}).get("status") or {}).get("capacity")
    return bool(capacity) or scope.platform in scope.environment.scale_from_zero


def _first(manifest: Manifest, replicas: int | None, config_hash: str) -> Manifest:
    """The least that can be created; what an apply owns it can also take back later.

    The number of replicas is never applied: it would be ours, and the autoscaler's no more. A
    new MachineSet says that it is up to date; the in-place upgrader keeps that mark later.
    """
    spec, template = manifest["spec"], manifest["spec"]["template"]
    kept = {name: spec[name] for name in ("clusterName", "selector")}
    fixed = ("clusterName", "bootstrap", "infrastructureRef", "version")
    first: dict[str, Any] = {
        **kept,
        "replicas": replicas or 0,
        "template": {
            "metadata": template["metadata"],
            "spec": {name: template["spec"][name] for name in fixed},
        },
    }
    metadata = {name: manifest["metadata"][name] for name in ("name", "namespace", "labels")}
    if manifest["kind"] == "MachineSet":
        metadata["annotations"] = {names.CURRENT_CONFIG_VERSION: config_hash}
    return manifest | {"metadata": metadata, "spec": first}


def _rolls(found: Manifest, manifest: Manifest) -> bool:
    """Whether this pass changed what machines are made of."""
    before, after = (one["spec"]["template"]["spec"] for one in (found, manifest))
    return bool(
        before["bootstrap"].get("dataSecretName") != after["bootstrap"]["dataSecretName"]
        or before["infrastructureRef"]["name"] != after["infrastructureRef"]["name"]
    )


async def _take_over(scope: PoolScope, live: Manifest) -> None:
    """Copy readiness and number of machines, and note a completed rollout."""
    status = live.get("status") or {}
    scope.status["replicas"] = status.get("availableReplicas") or 0
    if ready := readiness(live):
        say(scope, "Ready", ready)
    done = _in_place_done(live) if scope.in_place else machines.is_complete(live, scope.machines)
    if not done:
        return
    scope.status["version"] = scope.wanted_release.version
    template = live["spec"]["template"]["spec"]["infrastructureRef"]["name"]
    await scope.annotate(
        {
            names.CURRENT_CONFIG: scope.wanted_config.hash_without_version,
            names.CURRENT_CONFIG_VERSION: scope.wanted_config.hash,
            names.CURRENT_TEMPLATE: template,
        }
    )


def _in_place_done(machine_set: Manifest) -> bool:
    marks = annotations_of(machine_set)
    return marks.get(names.CURRENT_CONFIG_VERSION) == marks.get(names.TARGET_CONFIG_VERSION)


def readiness(live: Manifest) -> Verdict | None:
    """What Cluster API says of all machines together."""
    for kind in ("Ready", "Available", "MachinesReady"):
        if found := condition_of(live, kind):
            status: bool | str = found["status"] == "True"
            if found["status"] == "Unknown":
                status = "Unknown"
            reason = found.get("reason", "")
            if not reason or status is True:
                reason = "AsExpected"
            return Verdict(status, reason, "" if status is True else found.get("message", ""))
    return None


async def mark_machines(scope: PoolScope) -> Outcome:
    """Tell existing machines their nodes' labels and taints, without replacing them."""
    if scope.in_place:
        return Done()
    labels, annotations = machines.node_marks(scope.object)
    if scope.platform in _GLOBAL_PULL_SECRET:
        labels = labels | {f"{names.MANAGED_LABEL}.{names.GLOBAL_PULL_SECRET}": "true"}
    for machine in scope.machines:
        if labels.items() <= labels_of(machine).items() and (
            annotations.items() <= annotations_of(machine).items()
        ):
            continue
        patch = {"metadata": {"labels": labels, "annotations": annotations}}
        name = machine["metadata"]["name"]
        await scope.kube.patch(kinds.MACHINE, name, patch, scope.namespace)
    return Done()


async def drop_templates(scope: PoolScope) -> Outcome:
    """Delete templates that no set of machines of this pool refers to any more."""
    if scope.template is None:
        return Done()
    resource = await scope.kube.resource_of(scope.template)
    sets = await pool_machine_sets(scope)
    if not sets:
        return Done()
    used = {one["spec"]["template"]["spec"]["infrastructureRef"]["name"] for one in sets}
    used.add(scope.template["metadata"]["name"])
    await delete_templates(scope, resource, keep=used)
    return Done()


async def pool_machine_sets(scope: PoolScope) -> list[Manifest]:
    """The MachineSets whose machines are of this pool."""
    mine = names.pool_value(scope.object)
    sets = await scope.kube.list(kinds.MACHINE_SET, scope.namespace)
    templates = [(one, one["spec"]["template"]) for one in sets]
    return [one for one, made in templates if annotations_of(made).get(names.NODE_POOL) == mine]


async def delete_templates(scope: PoolScope, resource: Resource, keep: set[str]) -> None:
    """Delete the pool's templates but for those in use."""
    mine = names.pool_value(scope.object)
    for template in await scope.kube.list(resource, scope.namespace):
        name = template["metadata"]["name"]
        if annotations_of(template).get(names.NODE_POOL) == mine and name not in keep:
            await scope.kube.delete(resource, name, scope.namespace)
