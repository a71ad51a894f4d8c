"""The custom resource definitions of an installation, by feature set and platform."""

from hypershift import parts
from hypershift.api.schema import FeatureSet
from hypershift.api.schema import crds as own_crds
from hypershift.cli.flags import Values
from hypershift.kit import Manifest

#: Definitions of ours that only one platform needs.
PLATFORM_KINDS = {
    "awsendpointservices": "aws",
    "azureprivatelinkservices": "azure",
    "gcpprivateserviceconnects": "gcp",
}
GROUP = "hypershift.openshift.io"


async def crds(values: Values) -> list[Manifest]:
    """Cluster API's definitions and ours; those of other projects' providers are not shipped."""
    preview = values["tech-preview-no-upgrade"]
    chosen = FeatureSet.TECH_PREVIEW if preview else FeatureSet.DEFAULT
    own = [each for each in own_crds(chosen) if _wanted(values, each)]
    core = await parts.cluster_api_crds()
    found = [_core(values, each) for each in core if _is_core(each)]
    found += [_converted(values, each) for each in own]
    return sorted(found, key=lambda each: each["metadata"]["name"])


def _wanted(values: Values, definition: Manifest) -> bool:
    plural = definition["spec"]["names"]["plural"]
    group = definition["spec"]["group"]
    if values["exclude-etcd"] and "etcd" in plural:
        return False
    platform = PLATFORM_KINDS.get(plural)
    limits = [each.lower() for each in values["limit-crd-install"]]
    if "local." in group:  # machines of the embedded cluster: `local up` installs them
        return False
    return platform is None or not limits or platform in limits


def _is_core(definition: Manifest) -> bool:
    group = definition["spec"]["group"]
    return group in ("cluster.x-k8s.io", "addons.cluster.x-k8s.io", "ipam.cluster.x-k8s.io")


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
        spec["conversion"] = _webhook(values)
    metadata = {"name": definition["metadata"]["name"]}
    return {**definition, "metadata": metadata, "spec": spec}


def _converted(values: Values, definition: Manifest) -> Manifest:
    if definition["spec"]["group"] != GROUP or not values["enable-conversion-webhook"]:
        return definition
    return {**definition, "spec": {**definition["spec"], "conversion": _webhook(values)}}


def _webhook(values: Values) -> Manifest:
    service = {"name": "operator", "namespace": values["namespace"], "path": "/convert"}
    return {
        "strategy": "Webhook",
        "webhook": {
            "clientConfig": {"service": {**service, "port": 443}},
            "conversionReviewVersions": ["v1beta1", "v1alpha1"],
        },
    }
