"""Feature sets and gates: which parts of the API exist in a given installation."""

from collections.abc import Iterable
from enum import StrEnum

from hypershift.kit import UsageError


class FeatureSet(StrEnum):
    """How adventurous an installation is; only Default promises upgrades."""

    DEFAULT = "Default"
    TECH_PREVIEW = "TechPreviewNoUpgrade"
    CUSTOM = "CustomNoUpgrade"


#: Gate of our own: machines on this host as a platform. Part of no feature set.
LOCAL_PLATFORM = "LocalPlatform"

#: Each gate and the first feature set that has it; the later sets have it too.
GATES: dict[str, FeatureSet | None] = {
    "ExternalOIDC": FeatureSet.DEFAULT,
    "ExternalOIDCWithUIDAndExtraClaimMappings": FeatureSet.DEFAULT,
    "ExternalOIDCWithUpstreamParity": FeatureSet.DEFAULT,
    "HyperShiftOnlyDynamicResourceAllocation": FeatureSet.DEFAULT,
    "NetworkDiagnosticsConfig": FeatureSet.DEFAULT,
    "ClusterVersionOperatorConfiguration": FeatureSet.TECH_PREVIEW,
    "DisableClusterCapabilities": FeatureSet.TECH_PREVIEW,
    "EtcdSharding": FeatureSet.TECH_PREVIEW,
    "GCPPlatform": FeatureSet.TECH_PREVIEW,
    "HCPEtcdBackup": FeatureSet.TECH_PREVIEW,
    "OSStreams": FeatureSet.TECH_PREVIEW,
    "OpenStack": FeatureSet.TECH_PREVIEW,
    "TLSAdherence": FeatureSet.TECH_PREVIEW,
    "ClusterUpdateAcceptRisks": FeatureSet.CUSTOM,
    "ExternalOIDCExternalClaimsSourcing": FeatureSet.CUSTOM,
    "ImageStreamImportMode": FeatureSet.CUSTOM,
    "IngressComponentRouteLabels": FeatureSet.CUSTOM,
    "KMSEncryption": FeatureSet.CUSTOM,
    "NetworkObservabilityInstall": FeatureSet.CUSTOM,
    "TLSGroupPreferences": FeatureSet.CUSTOM,
    LOCAL_PLATFORM: None,
}

_ORDER = list(FeatureSet)


def gates_of(feature_set: FeatureSet, extra: Iterable[str] = ()) -> frozenset[str]:
    """Every gate that is on: those of the set and the extra ones; an unknown name is refused."""
    added = frozenset(extra)
    if unknown := sorted(added - GATES.keys()):
        raise UsageError(f"unknown feature gate {', '.join(unknown)}; known: {', '.join(GATES)}")
    reach = _ORDER.index(feature_set)
    return added | {gate for gate, first in GATES.items() if first and _ORDER.index(first) <= reach}


def is_on(gate: str, gates: frozenset[str]) -> bool:
    """Whether something behind a gate exists; no gate means always, `-Gate` while it is off."""
    if gate.startswith("-"):
        return gate[1:] not in gates
    return not gate or gate in gates
