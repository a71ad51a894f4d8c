"""Every kind that the original can read: those that do not configure machines are unsupported."""

from collections.abc import Mapping

MACHINE_CONFIG_API = "machineconfiguration.openshift.io/v1"


def _with_lists(*kinds: str) -> frozenset[str]:
    return frozenset(name for kind in kinds for name in (kind, f"{kind}List"))


KINDS: Mapping[str, frozenset[str]] = {
    MACHINE_CONFIG_API: _with_lists(
        "ContainerRuntimeConfig",
        "ControllerConfig",
        "InternalReleaseImage",
        "KubeletConfig",
        "MachineConfig",
        "MachineConfigNode",
        "MachineConfigPool",
        "MachineOSBuild",
        "MachineOSConfig",
        "OSImageStream",
        "PinnedImageSet",
    ),
    "operator.openshift.io/v1alpha1": _with_lists(
        "ClusterAPI", "ClusterVersionOperator", "EtcdBackup", "ImageContentSourcePolicy", "OLM"
    )
    | {"GenericOperatorConfig"},
    "config.openshift.io/v1": _with_lists(
        "APIServer",
        "Authentication",
        "Build",
        "CRIOCredentialProviderConfig",
        "ClusterImagePolicy",
        "ClusterOperator",
        "ClusterVersion",
        "Console",
        "DNS",
        "FeatureGate",
        "Image",
        "ImageContentPolicy",
        "ImageDigestMirrorSet",
        "ImagePolicy",
        "ImageTagMirrorSet",
        "Infrastructure",
        "Ingress",
        "InsightsDataGather",
        "Network",
        "Node",
        "OAuth",
        "OperatorHub",
        "Project",
        "Proxy",
        "Scheduler",
    ),
    "config.openshift.io/v1alpha1": _with_lists(
        "Backup", "CRIOCredentialProviderConfig", "ClusterMonitoring", "InsightsDataGather", "PKI"
    ),
}


def go_type(version: str, kind: str) -> str:
    """What Go calls a kind that it can read; empty for others."""
    package = version.rpartition("/")[2]
    return f"*{package}.{kind}" if kind in KINDS.get(version, ()) else ""
