"""Small programs that pods of a control plane run: `control-plane-operator NAME`."""

import os
import sys
from pathlib import Path

from hypershift.cli.command import Command
from hypershift.cli.flags import STRINGS, Flag, Values
from hypershift.cli.roles import restore_proof
from hypershift.cli.roles.backup import ETCD_UPLOAD, FETCH_ETCD_CERTS
from hypershift.controlplane.etcd import restore, snapshot


def fetch_snapshot(values: Values) -> int:
    """Bring the snapshot that a cluster starts from to the disk of this member."""
    data = Path(values["data-dir"])
    if data.is_dir() and any(data.iterdir()):
        sys.stdout.write("data is there already, nothing to fetch\n")
        return 0
    url = os.environ.get(restore.URL, "")
    trust = Path(values["trust"]) if values["trust"] else None
    decrypts = frozenset(values["decrypts"])
    wanted = snapshot.Fetch(url, Path(values["target"]), trust=trust, decrypts=decrypts)
    found = snapshot.fetch(wanted)
    if found is None:
        sys.stdout.write("the snapshot is there already\n")
    else:
        keys = ", ".join(sorted(found.encrypted_with)) or "no key"
        text = f"the snapshot has {found.keys} keys at revision {found.revision}"
        sys.stdout.write(f"{text}, values encrypted with {keys}\n")
    return 0


FETCH_ETCD_SNAPSHOT = Command(
    "fetch-etcd-snapshot",
    "Fetch and verify the snapshot that etcd starts from",
    description=f"The address of the snapshot comes by the environment variable {restore.URL}.",
    run=fetch_snapshot,
    flags=(
        Flag("data-dir", "Directory of etcd; when it has data, nothing is fetched", required=True),
        Flag("target", "File to write, once the snapshot is verified", required=True),
        Flag("trust", "File of further authorities that a store's certificate may be signed by"),
        Flag("decrypts", "Keys that the cluster's API servers decrypt with", STRINGS),
    ),
)
HELPERS = (
    FETCH_ETCD_SNAPSHOT,
    FETCH_ETCD_CERTS,
    ETCD_UPLOAD,
    restore_proof.FETCH,
    restore_proof.COMPARE,
)
