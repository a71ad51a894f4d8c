"""How platform Azure changes the rules for a HostedCluster."""

from collections.abc import Iterator

from hypershift.api import HostedCluster
from hypershift.api.conditions import ConditionStatus, ControlPlaneCondition
from hypershift.api.publishing import is_aro, uses_swift
from hypershift.api.values import EndpointAccess
from hypershift.platforms.rules import ClusterRules, Section, key_service


def _problems(cluster: HostedCluster) -> Iterator[str]:
    azure, annotations = cluster.spec.platform.azure, cluster.metadata.annotations
    topology = (azure.topology if azure else None) or EndpointAccess.PUBLIC
    private = azure.private.type if azure and azure.private else ""
    public = topology == EndpointAccess.PUBLIC
    if not public and not private and not uses_swift(cluster.spec, annotations):
        text = f'private.type is required when topology is "{topology}"'
        yield f'spec.platform.azure.private.type: Invalid value: "": {text}'


def _expected(cluster: HostedCluster) -> dict[str, str]:
    keys = key_service(cluster.spec)
    vault = keys.azure if keys else None
    # A vault that only the cluster's own network reaches cannot be looked at from here.
    private = vault is not None and vault.key_vault_access == EndpointAccess.PRIVATE
    hidden = private and is_aro(cluster.spec)
    seen = ConditionStatus.TRUE if vault and not hidden else ConditionStatus.UNKNOWN
    return {ControlPlaneCondition.VALID_AZURE_KMS: seen}


RULES = ClusterRules(
    section=Section("azure", "azurecluster"),
    problems=_problems,
    expected=_expected,
    private_router=True,
)
