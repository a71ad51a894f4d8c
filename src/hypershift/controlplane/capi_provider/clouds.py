"""What each cloud's provider has of its own: flags, identity, rights."""

from collections.abc import Callable
from dataclasses import dataclass

from hypershift.api import annotations
from hypershift.api.values import PlatformType
from hypershift.component import Trait, View, edit, traits, unchanged, vault
from hypershift.component.component import Adapter
from hypershift.controlplane.capi_provider.names import CONTAINER, MINTER, RESOURCE_CONTROLLER
from hypershift.kit import Manifest

#: Where the SDKs of clouds look for a token.
TOKEN_PATH = "/var/run/secrets/openshift/serviceaccount"  # noqa: S105 - a path
TOKEN_VOLUME, NODE_POOL_CERTIFICATE = "cloud-token", "nodepool-management-cert"
VAULT_CLASS = "managed-azure-nodepool-management"

#: Major and minor of a release.
Line = tuple[int, int]


def _nothing(_view: View, _line: Line) -> tuple[str, ...]:
    return ()


def _rule(group: str, resources: str, *verbs: str) -> Manifest:
    return {"apiGroups": [group], "resources": resources.split(), "verbs": list(verbs or ("*",))}


@dataclass(frozen=True, slots=True)
class Cloud:
    """One cloud's provider, beside its Deployment in `assets/<cloud>/`."""

    #: The annotation that names another image.
    image: str
    #: Flags that follow the cluster and the release.
    flags: Callable[[View, Line], tuple[str, ...]] = _nothing
    adapt: Adapter = unchanged
    #: Rights beside those that all providers have.
    rules: tuple[Manifest, ...] = ()
    traits: tuple[Trait, ...] = ()
    #: Containers that came with a later release.
    since: tuple[tuple[str, Line], ...] = ()


def _aws_flags(_view: View, line: Line) -> tuple[str, ...]:
    return ("--feature-gates=EKS=false" + (",ROSA=false" if line >= (4, 16) else ""),)


def _agent_flags(view: View, _line: Line) -> tuple[str, ...]:
    agent = view.spec.platform.agent
    return ("--agent-namespace", agent.agent_namespace if agent else "")


def _gcp(view: View, manifest: Manifest) -> Manifest:
    gcp = view.spec.platform.gcp
    return edit.set_env(manifest, CONTAINER, {"GOOGLE_CLOUD_PROJECT": gcp.project if gcp else ""})


def _powervs(view: View, manifest: Manifest) -> Manifest:
    powervs = view.spec.platform.powervs
    secret = powervs.node_pool_management_creds.name if powervs else ""
    return edit.replace_volume(manifest, edit.secret_volume("credentials", secret))


def _azure(view: View, manifest: Manifest) -> Manifest:
    if view.managed_azure:
        return _with_vault(view, manifest)
    return _with_workload_identity(view, manifest)


def _with_vault(view: View, manifest: Manifest) -> Manifest:
    """Mount the identity that a managed service keeps in its vault."""
    reader = {"ARO_HCP_KEY_VAULT_USER_CLIENT_ID": view.management.vault_reader}
    manifest = edit.set_env(manifest, CONTAINER, reader)
    manifest = edit.add_volumes(manifest, vault.volume(NODE_POOL_CERTIFICATE, VAULT_CLASS))
    return edit.mount(manifest, CONTAINER, {NODE_POOL_CERTIFICATE: vault.PATH}, read_only=True)


def _with_workload_identity(view: View, manifest: Manifest) -> Manifest:
    """Let the provider present tokens of the hosted cluster, which a container beside it mints."""
    azure = view.spec.platform.azure
    found = azure.azure_authentication_config.workload_identities if azure else None
    if azure is None or found is None:
        return manifest
    values = {
        "AZURE_FEDERATED_TOKEN_FILE": f"{TOKEN_PATH}/token",
        "AZURE_CLIENT_ID": found.node_pool_management.client_id,
        "AZURE_TENANT_ID": azure.tenant_id,
    }
    manifest = edit.set_env(manifest, CONTAINER, values)
    memory = {"name": TOKEN_VOLUME, "emptyDir": {"medium": "Memory"}}
    manifest = edit.add_container(edit.add_volumes(manifest, memory), _minter())
    for container in (CONTAINER, MINTER):
        manifest = edit.mount(manifest, container, {TOKEN_VOLUME: TOKEN_PATH})
    return edit.mount(manifest, MINTER, {"svc-kubeconfig": "/etc/kubernetes"})


def _minter() -> Manifest:
    """The container that mints the provider's tokens for Azure."""
    return {
        "name": MINTER,
        "image": "token-minter",
        "imagePullPolicy": "IfNotPresent",
        "command": ["/usr/bin/control-plane-operator", "token-minter"],
        "args": [
            "--token-audience=openshift",
            "--service-account-namespace=kube-system",
            "--service-account-name=capi-provider",
            f"--token-file={TOKEN_PATH}/token",
            "--kubeconfig=/etc/kubernetes/kubeconfig",
        ],
        "resources": {"requests": {"cpu": "10m", "memory": "30Mi"}},
    }


CLOUDS: dict[PlatformType, Cloud] = {
    PlatformType.AGENT: Cloud(
        annotations.CAPI_PROVIDER_AGENT_IMAGE,
        flags=_agent_flags,
        rules=(
            _rule("extensions.hive.openshift.io", "agentclusterinstalls"),
            _rule("capi-provider.agent-install.openshift.io", "*"),
            _rule("hive.openshift.io", "clusterdeployments"),
        ),
    ),
    PlatformType.AWS: Cloud(annotations.CAPI_PROVIDER_AWS_IMAGE, flags=_aws_flags),
    PlatformType.AZURE: Cloud(annotations.CAPI_PROVIDER_AZURE_IMAGE, adapt=_azure),
    PlatformType.GCP: Cloud(
        annotations.CAPI_PROVIDER_GCP_IMAGE,
        adapt=_gcp,
        traits=(
            traits.TokenMinter(
                account="capi-gcp-controller-manager",
                namespace="kube-system",
                kubeconfig_secret="service-network-admin-kubeconfig",  # noqa: S106 - a name
            ),
        ),
    ),
    PlatformType.KUBEVIRT: Cloud(
        annotations.CAPI_PROVIDER_KUBEVIRT_IMAGE,
        rules=(
            _rule("", "services"),
            _rule("kubevirt.io", "virtualmachineinstances virtualmachines"),
            _rule("cdi.kubevirt.io", "datavolumes", "get", "list", "watch"),
        ),
    ),
    PlatformType.OPENSTACK: Cloud(
        annotations.CAPI_PROVIDER_OPENSTACK_IMAGE,
        since=((RESOURCE_CONTROLLER, (4, 19)),),
        rules=(
            _rule("ipam.cluster.x-k8s.io", "ipaddressclaims ipaddressclaims/status"),
            _rule(
                "ipam.cluster.x-k8s.io",
                "ipaddresses ipaddresses/status",
                *("create", "delete", "get", "list", "update", "watch"),
            ),
            _rule("openstack.k-orc.cloud", "*"),
        ),
    ),
    PlatformType.POWERVS: Cloud(annotations.CAPI_PROVIDER_POWERVS_IMAGE, adapt=_powervs),
}
