"""What keeps a pod harmless: a read-only root, no token it does not need, no privileges."""

from hypershift.api import labels
from hypershift.component import edit
from hypershift.component.component import Component
from hypershift.component.view import View
from hypershift.kit import InvalidSpec, Manifest, annotations_of
from hypershift.kit.names import fnv1a

TMP_VOLUME = "tmp-dir"
TMP_PATH = "/tmp"  # noqa: S108 - the mount point inside a container

#: Where UIDs of control plane namespaces start, and how many there are.
FIRST_UID = 1_000_000_000
UIDS = 1_000_000_000

#: The one capability that a restricted pod may ask for.
ALLOWED_CAPABILITIES = frozenset({"NET_BIND_SERVICE"})


def namespace_uid(namespace: str) -> int:
    """The user that a namespace's pods run as where no SCC gives it a range of its own."""
    return FIRST_UID + int(fnv1a(namespace.encode()), 16) % UIDS


def with_termination_message(pod: Manifest) -> Manifest:
    """Let the kubelet show the end of the log as the reason why a container failed."""
    return edit.change_containers(
        pod, lambda found: {**found, "terminationMessagePolicy": "FallbackToLogsOnError"}
    )


def with_read_only_root(pod: Manifest) -> Manifest:
    """Make the containers' file systems read-only, with one place for temporary files."""

    def hardened(container: Manifest) -> Manifest:
        container = edit.put(container, ("securityContext", "readOnlyRootFilesystem"), value=True)
        mounts = container.get("volumeMounts") or []
        if any(mount["mountPath"] == TMP_PATH for mount in mounts):
            return container
        return {
            **container,
            "volumeMounts": [*mounts, {"name": TMP_VOLUME, "mountPath": TMP_PATH}],
        }

    pod = edit.change_containers(pod, hardened, init=False)
    volume = {"name": TMP_VOLUME, "emptyDir": {}}
    return edit.at(pod, ("spec", "volumes"), lambda found: [*(found or ()), volume])


def with_service_account_token(component: Component, pod: Manifest) -> Manifest:
    """Mount a token of the management cluster only where the component calls its API."""
    asks_metrics = labels.NEED_METRICS_SERVER_ACCESS in annotations_of(pod)
    needed = component.management_access or component.mounts_token or asks_metrics
    return edit.put(pod, ("spec", "automountServiceAccountToken"), needed)


def with_dropped_privileges(pod: Manifest) -> Manifest:
    """Take every privilege from every container, as platforms without SCC defaults demand."""
    return edit.change_containers(pod, _unprivileged)


def with_user(view: View, component: Component, pod: Manifest) -> Manifest:
    """Run the pod under a user of the namespace's own, to whom its volumes may have to belong."""
    context = {"runAsUser": view.management.uid}
    volumes = pod["spec"].get("volumes") or ()
    if component.owns_volumes or any("ephemeral" in volume for volume in volumes):
        context["fsGroup"] = view.management.uid
    return edit.put(pod, ("spec", "securityContext"), context)


def with_restricted_security(view: View, pod: Manifest) -> Manifest:
    """Make the pod pass Pod Security `restricted`, under a user of the namespace's own."""
    uid = view.management.uid
    context = {
        "runAsUser": uid,
        "runAsGroup": uid,
        "runAsNonRoot": True,
        "fsGroup": uid,
        # A volume that already belongs to the group is not walked at every start.
        "fsGroupChangePolicy": "OnRootMismatch",
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    return with_dropped_privileges(edit.put(pod, ("spec", "securityContext"), context))


def _unprivileged(container: Manifest) -> Manifest:
    context = container.get("securityContext") or {}
    added = (context.get("capabilities") or {}).get("add") or []
    if forbidden := sorted(set(added) - ALLOWED_CAPABILITIES):
        raise InvalidSpec(f"container {container['name']} must not have {', '.join(forbidden)}")
    return {
        **container,
        "securityContext": {
            **context,
            "allowPrivilegeEscalation": False,
            "runAsNonRoot": True,
            "capabilities": {"drop": ["ALL"], **({"add": added} if added else {})},
        },
    }
