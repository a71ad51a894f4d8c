"""LocalCluster: a hosted cluster needs no infrastructure here, so the object only becomes ready."""

from hypershift.api.conditions import LocalClusterCondition, LocalClusterReason, Owner, false, true
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.local.provider.settings import Settings
from hypershift.runtime import Context, Controller, Done, Outcome, Scope, Stop


def controller(settings: Settings) -> Controller[Scope]:
    """The controller of LocalClusters."""

    async def provision(scope: Scope) -> Outcome:
        """Offer the zones, once the endpoint of the control plane is known."""
        if not scope.spec.get("controlPlaneEndpoint", {}).get("host"):
            scope.conditions.set(
                false(
                    LocalClusterCondition.READY,
                    LocalClusterReason.WAITING_FOR_ENDPOINT,
                    "spec.controlPlaneEndpoint is not set yet",
                )
            )
            return Stop(LocalClusterReason.WAITING_FOR_ENDPOINT)
        zones = scope.spec.get("zones") or settings.zones
        scope.status["failureDomains"] = [
            {"name": zone, "controlPlane": False} for zone in sorted(zones)
        ]
        scope.status["initialization"] = {"provisioned": True}
        scope.conditions.set(
            true(LocalClusterCondition.READY, reason=LocalClusterReason.PROVISIONED)
        )
        return Done()

    return Controller(
        name=Owner.LOCAL_CLUSTER.value,
        resource=kinds.LOCAL_CLUSTER,
        scope=_scope,
        normal=(provision,),
        honour_pause=False,
    )


def _scope(manifest: Manifest, context: Context) -> Scope:
    return Scope(manifest, context)
