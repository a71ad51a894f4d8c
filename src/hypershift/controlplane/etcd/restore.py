"""Starting from a snapshot: the first start of a restored cluster fetches and unpacks it."""

from hypershift.api.conditions import ControlPlaneCondition
from hypershift.component import View, edit
from hypershift.kit import Manifest

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


def snapshot_url(view: View) -> str:
    """Where the snapshot is; empty when there is none or it was restored before."""
    managed = view.spec.etcd.managed
    urls = managed.storage.restore_snapshot_url if managed else ()
    restored = view.has_condition(ControlPlaneCondition.ETCD_SNAPSHOT_RESTORED)
    return "" if restored else next(iter(urls), "")


def with_restore(view: View, manifest: Manifest) -> Manifest:
    """Fetch and unpack the snapshot before the member starts."""
    url = snapshot_url(view)
    if not url:
        return manifest
    container = {
        "name": "etcd-init",
        "image": "etcd",
        "command": ["/bin/sh", "-ce", SCRIPT],
        "env": [{"name": "RESTORE_URL_ETCD", "value": url}],
        "volumeMounts": [{"name": "data", "mountPath": "/var/lib"}],
    }
    return edit.add_container(manifest, container, init=True)
