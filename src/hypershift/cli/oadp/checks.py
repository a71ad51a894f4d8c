"""What must be there before Velero gets work: the hosted cluster, OADP, and what is restored."""

from hypershift.cli.oadp.objects import API
from hypershift.kit import Manifest, UsageError
from hypershift.kube import Client, NotFound, Resource, kinds
from hypershift.runtime import is_true

BACKUP = Resource("velero.io", "v1", "backups", "Backup")
SCHEDULE = Resource("velero.io", "v1", "schedules", "Schedule")
_DPA = Resource(
    "oadp.openshift.io", "v1alpha1", "dataprotectionapplications", "DataProtectionApplication"
)
_OPERATOR = "openshift-adp-controller-manager"


async def platform(client: Client, name: str, namespace: str) -> str:
    """The platform of a hosted cluster."""
    found = await client.find(kinds.HOSTED_CLUSTER, name, namespace)
    if found is None:
        raise UsageError(f"HostedCluster '{name}' not found in namespace '{namespace}'")
    kind = (found["spec"].get("platform") or {}).get("type")
    if not kind:
        raise UsageError(f"platform type not found in HostedCluster '{name}' spec")
    return str(kind)


async def oadp(client: Client, namespace: str) -> None:
    """Refuse to continue without a working OADP."""
    for name, called in ((_OPERATOR, "OADP operator"), ("velero", "velero")):
        found = await client.find(kinds.DEPLOYMENT, name, namespace)
        if found is None:
            text = f"{called} deployment not found in namespace {namespace}"
            raise UsageError(f"OADP validation failed: {text}")
        if not (found.get("status") or {}).get("readyReplicas"):
            text = f"{called} deployment is not ready in namespace {namespace}"
            raise UsageError(f"OADP validation failed: {text}")
    try:
        applications = await client.list(_DPA, namespace)
    except NotFound:
        applications = []
    failed = "DPA verification failed: no"
    if not applications:
        raise UsageError(f"{failed} DataProtectionApplication resources found in {_in(namespace)}")
    if not any(is_true(one, "Reconciled") for one in applications):
        raise UsageError(f"{failed} ready DataProtectionApplication found in {_in(namespace)}")


def _in(namespace: str) -> str:
    return f"namespace {namespace}"


async def source(client: Client, wanted: dict[str, str], namespace: str) -> None:
    """Refuse a backup that is not completed, and a schedule that is paused."""
    if name := wanted.get("backupName"):
        found = await _find(client, BACKUP, name, namespace)
        phase = (found.get("status") or {}).get("phase") or ""
        if phase != "Completed":
            text = f"backup '{name}' is not completed, current phase: {phase}"
            raise UsageError(f"backup validation failed: {text}")
    elif name := wanted.get("scheduleName"):
        found = await _find(client, SCHEDULE, name, namespace)
        if (found.get("spec") or {}).get("paused"):
            raise UsageError(f"schedule validation failed: schedule '{name}' is paused")


async def _find(client: Client, resource: Resource, name: str, namespace: str) -> Manifest:
    found = await client.find(resource, name, namespace)
    if found is None:
        what = resource.kind.lower()
        text = f"{what} '{name}' not found in namespace '{namespace}'"
        raise UsageError(f"{what} validation failed: {text} ({API})")
    return found
