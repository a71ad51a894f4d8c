"""How platform Azure changes the rules for a HostedCluster."""

from collections.abc import Iterator, Mapping

from hypershift.api.conditions import ConditionStatus, ControlPlaneCondition
from hypershift.kit import Manifest
from hypershift.platforms.publishing import is_aro, uses_swift
from hypershift.platforms.rules import ClusterRules, Section, key_service


def _problems(spec: Manifest, annotations: Mapping[str, str]) -> Iterator[str]:
    section = spec["platform"]["azure"]
    topology = section.get("topology") or ""
    private = (section.get("private") or {}).get("type") or ""
    if topology not in ("", "Public") and not private and not uses_swift(spec, annotations):
        text = f'private.type is required when topology is "{topology}"'
        yield f'spec.platform.azure.private.type: Invalid value: "": {text}'


def _expected(cluster: Manifest) -> dict[str, str]:
    spec = cluster["spec"]
    kms = key_service(spec, "azure")
    # A vault that only the cluster's own network reaches cannot be looked at from here.
    hidden = is_aro(spec) and kms.get("keyVaultAccess") == "Private"
    seen = ConditionStatus.TRUE if kms and not hidden else ConditionStatus.UNKNOWN
    return {ControlPlaneCondition.VALID_AZURE_KMS: seen}


RULES = ClusterRules(
    section=Section("azure", "azurecluster"),
    problems=_problems,
    expected=_expected,
    private_router=True,
)
