"""The custom resource definitions of an installation, by feature set and platform."""

from collections.abc import Awaitable, Callable, Collection

from hypershift import parts
from hypershift.api.schema import LOCAL_PLATFORM, FeatureSet
from hypershift.api.schema import crds as own_crds
from hypershift.cli.install.operator import CLI_VERSION
from hypershift.cli.install.options import InstallOptions
from hypershift.cli.install.provider_kinds import completed, place, platforms_of, provider_kinds
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
ProviderDefinitions = Callable[[Collection[str]], Awaitable[list[Manifest]]]


async def crds(
    options: InstallOptions,
    core_crds: Definitions = parts.cluster_api_crds,
    provider_crds: ProviderDefinitions = parts.provider_crds,
) -> list[Manifest]:
    """Cluster API's definitions, those of its providers, and ours."""
    core = [each for each in await core_crds() if each["spec"]["group"] in CORE]
    return [
        *(_core(options, each) for each in sorted(core, key=place)),
        *await _providers(options, provider_crds),
        *(_converted(options, each) for each in sorted(_own(options), key=_own_place)),
    ]


def platforms(options: InstallOptions) -> frozenset[str]:
    """The platforms that an installation is limited to; none when it is for all."""
    return frozenset(each.lower() for each in options.limit_crd_install)


async def _providers(options: InstallOptions, provider_crds: ProviderDefinitions) -> list[Manifest]:
    """The kinds of providers; those of the embedded cluster's are among ours."""
    chosen = platforms(options)
    if chosen == {LOCAL} or not options.provider_definitions:
        return []
    wanted = provider_kinds(chosen - {LOCAL})
    found = await provider_crds(platforms_of(wanted))
    theirs = {each["metadata"]["name"]: each for each in found}
    return [completed(each, theirs) for each in wanted]


def _own(options: InstallOptions) -> list[Manifest]:
    preview = options.tech_preview_no_upgrade
    chosen = FeatureSet.TECH_PREVIEW if preview else FeatureSet.DEFAULT
    gates = (LOCAL_PLATFORM,) if LOCAL in platforms(options) else ()
    return [each for each in own_crds(chosen, gates) if _wanted(options, each)]


def _wanted(options: InstallOptions, definition: Manifest) -> bool:
    plural = definition["spec"]["names"]["plural"]
    if options.exclude_etcd and "etcd" in plural:
        return False
    if definition["spec"]["group"] == LOCAL_GROUP:
        return LOCAL in platforms(options)
    platform = PLATFORM_KINDS.get(plural)
    return platform is None or not platforms(options) or platform in platforms(options)


def _own_place(definition: Manifest) -> tuple[bool, str, str]:
    """Side groups first, the main one last."""
    group, plural = place(definition)
    return group == GROUP, group, plural


def _core(options: InstallOptions, definition: Manifest) -> Manifest:
    """Cluster API's own definitions: one stored version, converted by the operator."""
    stored = "v1beta1" if options.disable_capi_migration else "v1beta2"
    spec = dict(definition["spec"])
    versions = [each for each in spec["versions"] if each["name"] in ("v1beta1", "v1beta2")]
    names = {each["name"] for each in versions}
    if stored in names:
        versions = [{**each, "storage": each["name"] == stored} for each in versions]
    spec["versions"] = [{**each, "served": True} for each in versions]
    if options.disable_capi_conversion_webhook:
        spec.pop("conversion", None)
    else:
        spec["conversion"] = _webhook(options, "v1beta1", "v1beta2")
    # by it `uninstall` finds them, also when another program applied them
    marks = {CLI_VERSION: client_version()}
    metadata = {"name": definition["metadata"]["name"], "annotations": marks}
    return {**definition, "metadata": metadata, "spec": spec}


def _converted(options: InstallOptions, definition: Manifest) -> Manifest:
    if definition["spec"]["group"] != GROUP or not options.enable_conversion_webhook:
        return definition
    spec = {**definition["spec"], "conversion": _webhook(options, "v1beta1", "v1alpha1")}
    return {**definition, "spec": spec}


def _webhook(options: InstallOptions, *versions: str) -> Manifest:
    service = {"name": "operator", "namespace": options.namespace, "path": "/convert"}
    return {
        "strategy": "Webhook",
        "webhook": {
            "clientConfig": {"service": {**service, "port": 443}},
            "conversionReviewVersions": list(versions),
        },
    }
