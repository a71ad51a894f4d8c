"""Starting from a snapshot: the first start of a restored cluster fetches and unpacks it."""

from hypershift.api.conditions import ControlPlaneCondition
from hypershift.api.secret_keys import AESCBC_KEY
from hypershift.api.well_known import ENCRYPTION_CONFIG
from hypershift.component import View, edit, trust
from hypershift.component.encryption_keys import AESCBC, key_name, names_in
from hypershift.controlplane.etcd.members import initial_cluster
from hypershift.kit import Manifest

#: The init container that has ended when a member starts from the snapshot.
UNPACK = "etcd-init"
FETCH = "etcd-fetch"
URL = "RESTORE_URL_ETCD"

#: Runs once per disk. Object stores answer errors as XML, so a body that starts so is no snapshot.
SCRIPT = """\
set -eu
if [ -n "$(ls -A /var/lib/data 2>/dev/null)" ]; then
  echo "data is there already, nothing to restore"
  exit 0
fi
curl -sSf -o /var/lib/snapshot.db "${RESTORE_URL_ETCD}"
if [ "$(head -c 5 /var/lib/snapshot.db)" = "<?xml" ]; then
  echo "the snapshot's address answered with an error document" >&2
  rm -f /var/lib/snapshot.db
  exit 1
fi
tool=etcdctl
if command -v etcdutl >/dev/null; then tool=etcdutl; fi
rm -rf /var/lib/restore
"${tool}" snapshot restore /var/lib/snapshot.db --data-dir=/var/lib/restore
rm -rf /var/lib/data
mv /var/lib/restore /var/lib/data
rm -f /var/lib/snapshot.db
"""

#: A member of several is restored under its own name, with the members that it shall have. One
#: that starts empty while the others run joins them: it must not vote by a memory of its own.
#: A run that died after the last `mv` left the snapshot: the next one removes it.
UNPACKING = """\
set -eu
if [ -n "$(ls -A /var/lib/data 2>/dev/null)" ]; then
  echo "data is there already, nothing to restore"
  rm -f /var/lib/snapshot.db /var/lib/snapshot.db.version
  exit 0
fi
if [ "${ETCD_INITIAL_CLUSTER_STATE}" = existing ]; then
  echo "the other members are restored, this one joins them"
  rm -f /var/lib/snapshot.db /var/lib/snapshot.db.version
  exit 0
fi
wrote=$(cat /var/lib/snapshot.db.version)
reads=$(etcdutl version | sed -n 's/^etcdutl version: *//p')
minor=${reads#*.}
if [ -n "${wrote}" ] && [ "${wrote#*.}" -gt "${minor%%.*}" ]; then
  echo "etcd ${wrote} wrote the snapshot, and etcd ${reads} of this release cannot read it" >&2
  exit 1
fi
rm -rf /var/lib/restore
etcdutl snapshot restore /var/lib/snapshot.db --data-dir=/var/lib/restore \\
  --name="${POD_NAME}" --initial-cluster="${INITIAL_CLUSTER}" \\
  --initial-cluster-token="${NAMESPACE}" \\
  --initial-advertise-peer-urls="https://${POD_NAME}.etcd-discovery.${NAMESPACE}.svc:2380"
rm -rf /var/lib/data
mv /var/lib/restore /var/lib/data
rm -f /var/lib/snapshot.db /var/lib/snapshot.db.version
"""


def snapshot_url(view: View) -> str:
    """Where the snapshot is; empty when there is none or it was restored before."""
    managed = view.spec.etcd.managed
    urls = managed.storage.restore_snapshot_url if managed else ()
    restored = view.has_condition(ControlPlaneCondition.ETCD_SNAPSHOT_RESTORED)
    return "" if restored else next(iter(urls), "")


def with_restore(view: View, manifest: Manifest) -> Manifest:
    """Fetch and unpack the snapshot before the member starts, with OpenShift's image."""
    url = snapshot_url(view)
    if not url:
        return manifest
    container = {
        "name": UNPACK,
        "image": "etcd",
        "command": ["/bin/sh", "-ce", SCRIPT],
        "env": [{"name": URL, "value": url}],
        "volumeMounts": [{"name": "data", "mountPath": "/var/lib"}],
    }
    return edit.add_container(manifest, container, init=True)


def with_verified_restore(view: View, manifest: Manifest) -> Manifest:
    """Fetch and verify the snapshot with our image, then unpack it with upstream's etcd."""
    url = snapshot_url(view)
    if not url:
        return manifest
    mounts = [{"name": "data", "mountPath": "/var/lib"}]
    args = ["--data-dir=/var/lib/data", "--target=/var/lib/snapshot.db"]
    args += [f"--decrypts={name}" for name in sorted(readable_keys(view))]
    fetching = {
        "name": FETCH,
        "image": "controlplane-operator",
        "command": ["hypershift", "control-plane-operator", "fetch-etcd-snapshot"],
        "args": args,
        "env": [{"name": URL, "value": url}],
        "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}},
        "volumeMounts": mounts,
    }
    unpacking = {
        "name": UNPACK,
        "image": "etcd",
        "command": ["/bin/sh", "-ce", UNPACKING],
        "env": [
            *_environment(manifest),
            {"name": "INITIAL_CLUSTER", "value": initial_cluster(view)},
        ],
        "volumeMounts": mounts,
    }
    manifest = edit.add_container(manifest, _trusting(view, fetching), init=True)
    manifest = edit.add_container(manifest, unpacking, init=True)
    manifest = edit.add_volumes(manifest, *trust.volumes(view))
    # Each member fetches for itself: the gate lets a member refuse to start on other data than
    # its peers have, should the store have given them different snapshots.
    return edit.add_args(manifest, "etcd", ["--feature-gates=InitialCorruptCheck=true"])


def _trusting(view: View, container: Manifest) -> Manifest:
    """The container that fetches, with the authorities of a store of the user's own."""
    if not trust.volumes(view):
        return container
    mount = {"name": trust.VOLUME, "mountPath": trust.PATH, "readOnly": True}
    return container | {
        "args": [*container["args"], f"--trust={trust.PATH}/{trust.FILE}"],
        "volumeMounts": [*container["volumeMounts"], mount],
    }


def readable_keys(view: View) -> frozenset[str]:
    """The keys in Secrets that the API servers will decrypt with.

    A restored cluster may have the configuration of the old one already, with all its keys.
    """
    found = names_in(view.secret(ENCRYPTION_CONFIG, "config.yaml"))
    encryption = view.spec.secret_encryption
    section = encryption.aescbc if encryption else None
    if section is None:
        return found
    named = (section.active_key, section.backup_key)
    keys = (view.secret(one.name, AESCBC_KEY) for one in named if one)
    return found | {f"{AESCBC}/{key_name(key)}" for key in keys if key}


def _environment(manifest: Manifest) -> list[Manifest]:
    """The member's own environment: who it is, and whether others run already."""
    containers = edit.pod_of(manifest)["spec"]["containers"]
    found: list[Manifest] = next(one for one in containers if one["name"] == "etcd")["env"]
    return found
