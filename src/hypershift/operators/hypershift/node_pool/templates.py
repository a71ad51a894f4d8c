"""The phases that keep machine templates: one for what machines are, until none is made of it."""

from datetime import timedelta

from hypershift.api.conditions import NodePoolConditionType, Reason, false, true
from hypershift.kit import HypershiftError, Manifest
from hypershift.kube import Forbidden, NotFound, Resource, kinds
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.failure import failed
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.platforms import NotReady, Template
from hypershift.runtime import Done, Outcome, Stop

NOT_READY = timedelta(seconds=5)
_UPDATING = NodePoolConditionType.UPDATING_MACHINE_TEMPLATE


async def publish_template(scope: PoolScope) -> Outcome:
    """Make the template of the wanted machines; another spec is another template."""
    cloud = scope.pools.machines
    if cloud is None:
        message = f"unsupported platform type: {scope.platform}"
        return await failed(scope, f"failed to create machine template: {message}")
    try:
        made = cloud.template(scope.facts())
    except NotReady as error:
        return Stop("NotReady", str(error), after=NOT_READY)
    except HypershiftError as error:
        return await _no_template(scope, error)
    scope.conditions.remove(NodePoolConditionType.VALID_MACHINE_TEMPLATE)
    if made.defaults:
        await scope.change({"spec": made.defaults})
    name = await _template_name(scope, made)
    scope.template = _template(scope, cloud.resource, made, name)
    live = await scope.kube.apply(scope.template)
    scope.template["status"] = live.get("status") or {}
    if scope.annotations.get(names.CURRENT_TEMPLATE, "") == name:
        scope.conditions.set(false(_UPDATING, Reason.AS_EXPECTED))
    else:
        message = f"platform machine template update in progress. Target template: {name}"
        scope.conditions.set(true(_UPDATING, message))
    return Done()


async def _no_template(scope: PoolScope, error: HypershiftError) -> Outcome:
    message = f"failed to create machine template: {error}"
    if reason := scope.pools.invalid_template:
        return await failed(
            scope,
            message,
            kind=NodePoolConditionType.VALID_MACHINE_TEMPLATE,
            reason=reason,
            because=str(error),
        )
    return await failed(scope, message)


async def _template_name(scope: PoolScope, made: Template) -> str:
    """The name that the spec's hash gives, unless the template in use is as good."""
    cloud = scope.pools.machines
    resource = kinds.MACHINE_SET if scope.in_place else kinds.MACHINE_DEPLOYMENT
    user = await scope.kube.find(resource, scope.key.name, scope.namespace)
    if cloud is not None and user is not None and scope.made_for_pool(user):
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
        "annotations": {names.NODE_POOL: names.pool_value(scope.pool)},
    }
    if labels:
        metadata["labels"] = labels
    return {
        "apiVersion": resource.api_version,
        "kind": resource.kind,
        "metadata": metadata,
        "spec": made.spec,
    }


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
    sets = await scope.kube.list(kinds.MACHINE_SET, scope.namespace)
    return [one for one in sets if scope.made_for_pool(one)]


async def delete_templates(scope: PoolScope, resource: Resource, keep: set[str]) -> None:
    """Delete the pool's templates but for those in use.

    Where the provider is not installed the server knows no such kind (404), and before that the
    operator has no right to ask (403): in both cases it has never made a template.
    """
    try:
        templates = await scope.kube.list(resource, scope.namespace)
    except (Forbidden, NotFound):
        return
    for template in templates:
        name = template["metadata"]["name"]
        if scope.made_for_pool(template) and name not in keep:
            await scope.kube.delete(resource, name, scope.namespace)
