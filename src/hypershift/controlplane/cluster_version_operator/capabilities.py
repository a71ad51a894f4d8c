"""The optional parts of OpenShift that a cluster has."""

from hypershift.component import View

#: What a release enables, without what makes no sense in a guest.
USUAL = frozenset(
    {
        "Build",
        "CSISnapshot",
        "CloudControllerManager",
        "CloudCredential",
        "Console",
        "DeploymentConfig",
        "ImageRegistry",
        "Ingress",
        "Insights",
        "MachineAPI",
        "NodeTuning",
        "OperatorLifecycleManager",
        "OperatorLifecycleManagerV1",
        "Storage",
        "marketplace",
        "openshift-samples",
    }
)


def enabled_capabilities(view: View) -> list[str]:
    """The usual ones but those that the user disables, and those that the user enables."""
    said = view.spec.capabilities
    disabled, enabled = (said.disabled, said.enabled) if said else ((), ())
    return sorted(USUAL.difference(disabled).union(enabled))
