"""The custom resource definitions of an installation, by feature set and platform."""

from collections.abc import Awaitable, Callable

from hypershift import parts
from hypershift.api.schema import LOCAL_PLATFORM, FeatureSet
from hypershift.api.schema import crds as own_crds
from hypershift.cli.flags import Values
from hypershift.cli.install.operator import CLI_VERSION
from hypershift.cli.install.provider_kinds import place, provider_kinds
from hypershift.cli.version import client_version
from hypershift.kit import Manifest

#: Definitions of ours that only one platform needs.
PLATFORM_KINDS = {"awsendpointservices": "aws", "azureprivatelinkservices": "azure"}
GROUP = "hypershift.openshift.io"
LOCAL_GROUP = "infrastructure.local.hypershift.io"
CORE = ("addons.cluster.x-k8s.io", "cluster.x-k8s.io", "ipam.cluster.x-k8s.io")
#: The platform of the embedded cluster: its kinds come only when it is named.
LOCAL = "local"


Definitions = Callable[[], Awaitable[list[Manifest]]]


async def crds(values: Values, core_crds: Definitions = parts.cluster_api_crds) -> list[Manifest]:
    """Cluster API's definitions, those of its providers, and ours."""
    core = [each for each in await core_crds() if each["spec"]["group"] in CORE]
    return [
        *(_core(values, each) for each in sorted(core, key=place)),
        *_providers(values),
        *(_converted(values, each) for each in sorted(_own(values), key=_own_place)),
    ]


def platforms(values: Values) -> frozenset[str]:
    """The platforms that an installation is limited to; none when it is for all."""
    return frozenset(each.lower() for each in values["limit-crd-install"])


def _providers(values: Values) -> list[Manifest]:
    """The kinds of providers; those of the embedded cluster's are among ours."""
    chosen = platforms(values)
    left_out = chosen == {LOCAL} or not values["provider-definitions"]
    return [] if left_out else provider_kinds(chosen - {LOCAL})


def _own(values: Values) -> list[Manifest]:
    preview = values["tech-preview-no-upgrade"]
    chosen = FeatureSet.TECH_PREVIEW if preview else FeatureSet.DEFAULT
    gates = (LOCAL_PLATFORM,) if LOCAL in platforms(values) else ()
    return [each for each in own_crds(chosen, gates) if _wanted(values, each)]


def _wanted(values: Values, definition: Manifest) -> bool:
    plural = definition["spec"]["names"]["plural"]
    if values["exclude-etcd"] and "etcd" in plural:
        return False
    if definition["spec"]["group"] == LOCAL_GROUP:
        return LOCAL in platforms(values)
    platform = PLATFORM_KINDS.get(plural)
    return platform is None or not platforms(values) or platform in platforms(values)


def _own_place(definition: Manifest) -> tuple[bool, str, str]:
    """Side groups first, the main one last."""
    group, plural = place(definition)
    return group == GROUP, group, plural


def _core(values: Values, definition: Manifest) -> Manifest:
    """Cluster API's own definitions: one stored version, converted by the operator."""
    stored = "v1beta1" if values["disable-capi-migration"] else "v1beta2"
    spec = dict(definition["spec"])
    versions = [each for each in spec["versions"] if each["name"] in ("v1beta1", "v1beta2")]
    names = {each["name"] for each in versions}
    if stored in names:
        versions = [{**each, "storage": each["name"] == stored} for each in versions]
    spec["versions"] = [{**each, "served": True} for each in versions]
    if values["disable-capi-conversion-webhook"]:
        spec.pop("conversion", None)
    else:
        spec["conversion"] = _webhook(values, "v1beta1", "v1beta2")
    # by it `uninstall` finds them, also when another program applied them
    marks = {CLI_VERSION: client_version()}
    metadata = {"name": definition["metadata"]["name"], "annotations": marks}
    return {**definition, "metadata": metadata, "spec": spec}


def _converted(values: Values, definition: Manifest) -> Manifest:
    if definition["spec"]["group"] != GROUP or not values["enable-conversion-webhook"]:
        return definition
    spec = {**definition["spec"], "conversion": _webhook(values, "v1beta1", "v1alpha1")}
    return {**definition, "spec": spec}


def _webhook(values: Values, *versions: str) -> Manifest:
    service = {"name": "operator", "namespace": values["namespace"], "path": "/convert"}
    return {
        "strategy": "Webhook",
        "webhook": {
            "clientConfig": {"service": {**service, "port": 443}},
            "conversionReviewVersions": list(versions),
        },
    }
