"""The phases that make machines: template, deployment or set, health check, node labels."""

from typing import Any

from hypershift.ignition import token
from hypershift.ignition.goyaml import to_json
from hypershift.kit import Manifest, annotations_of, labels_of
from hypershift.kube import Resource, kinds
from hypershift.operators.hypershift.node_pool import machine_deployment as machines
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.checks import Verdict
from hypershift.operators.hypershift.node_pool.machine_deployment import Wanted
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.operators.hypershift.node_pool.validate import say
from hypershift.runtime import Done, Outcome, Stop, condition_of
from hypershift.runtime.pause import FOREVER, pause_left

#: Platforms whose machines somebody else makes.
_NO_MACHINES = ("None", "IBMCloud")


async def pause_machines(scope: PoolScope) -> Outcome:
    """Pause Cluster API with the pool, and wake it with the pool."""
    left = pause_left(scope.object, scope.clock.now())
    for resource in (kinds.MACHINE_DEPLOYMENT, kinds.MACHINE_SET):
        found = await scope.kube.find(resource, scope.key.name, scope.namespace)
        if found and (names.PAUSED in annotations_of(found)) != (left is not None):
            patch = {"metadata": {"annotations": {names.PAUSED: "true" if left else None}}}
            await scope.kube.patch(resource, scope.key.name, patch, scope.namespace)
    if left is None:
        return Done()
    return Stop("ReconciliationPaused", after=None if left == FOREVER else left)


async def finish_without_machines(scope: PoolScope) -> Outcome:
    """Where others make the machines, a published token is all there is to do."""
    if scope.spec["platform"]["type"] not in _NO_MACHINES:
        return Done()
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
    if scope.platform is None:
        return Stop("PlatformUnknown")
    made = scope.platform.machine_template(scope.facts(), scope.object)
    if made is None:
        return Stop("MachinesElsewhere")
    name = names.template_name(scope.key.name, to_json(made["spec"]))
    marks = {names.NODE_POOL: names.pool_value(scope.object)}
    metadata = made["metadata"] | {"name": name, "annotations": marks}
    scope.template = made | {"metadata": metadata}
    await scope.kube.apply(scope.template)
    current = scope.annotations.get(names.CURRENT_TEMPLATE, "")
    kind = "UpdatingPlatformMachineTemplate"
    if current == name:
        say(scope, kind, Verdict.fails())
    else:
        message = f"platform machine template update in progress. Target template: {name}"
        say(scope, kind, Verdict.holds(message))
    return Done()


def wanted_machines(scope: PoolScope) -> Wanted:
    """What the machines of this pass are made of."""
    if scope.template is None:
        raise RuntimeError("the template is published before machines are")
    config_hash = scope.wanted_config.hash
    return Wanted(
        pool=scope.object,
        namespace=scope.namespace,
        cluster=scope.cluster_name,
        infra_id=scope.infra_id,
        release_version=scope.wanted_release.version,
        user_data=token.user_data_name(scope.key.name, config_hash),
        config_hash=config_hash,
        template=scope.template,
    )


async def scale_machines(scope: PoolScope) -> Outcome:
    """Bring MachineDeployment or MachineSet to what the pool says, and take over its numbers."""
    wanted = wanted_machines(scope)
    resource = kinds.MACHINE_SET if scope.in_place else kinds.MACHINE_DEPLOYMENT
    found = await scope.kube.find(resource, wanted.name, wanted.namespace)
    from_zero = scope.spec["platform"]["type"] in scope.environment.scale_from_zero
    build = machines.machine_set if scope.in_place else machines.machine_deployment
    manifest = build(wanted, from_zero=from_zero)
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
    for machine in scope.machines:
        if labels.items() <= labels_of(machine).items() and (
            annotations.items() <= annotations_of(machine).items()
        ):
            continue
        patch = {"metadata": {"labels": labels, "annotations": annotations}}
        name = machine["metadata"]["name"]
        await scope.kube.patch(kinds.MACHINE, name, patch, scope.namespace)
    return Done()


async def repair_machines(scope: PoolScope) -> Outcome:
    """Have Cluster API replace machines whose nodes stay away, once one machine has come."""
    name, namespace = scope.key.name, scope.namespace
    if not (scope.spec.get("management") or {}).get("autoRepair"):
        if await scope.kube.find(kinds.MACHINE_HEALTH_CHECK, name, namespace):
            await scope.kube.delete(kinds.MACHINE_HEALTH_CHECK, name, namespace)
        say(scope, "AutorepairEnabled", Verdict.fails())
        return Done()
    if not scope.conditions.is_true("ReachedIgnitionEndpoint"):
        return Done()
    wanted = machines.health_check(wanted_machines(scope), scope.hosted_cluster)
    live = await scope.kube.apply(wanted)
    say(scope, "AutorepairEnabled", Verdict.holds())
    allowed = condition_of(live, "RemediationAllowed")
    if allowed and allowed["status"] == "False":
        reason, message = allowed.get("reason", ""), allowed.get("message", "")
        say(scope, "Ready", Verdict.fails(reason, message))
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
