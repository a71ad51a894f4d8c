"""Small programs that pods of a control plane run: `control-plane-operator NAME`."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from hypershift.cli.command import Command
from hypershift.cli.flags import STRINGS, Flag
from hypershift.cli.roles import restore_proof
from hypershift.cli.roles.backup import ETCD_UPLOAD, FETCH_ETCD_CERTS
from hypershift.cli.typed import Typed
from hypershift.controlplane.etcd import restore, snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSnapshot:
    """What `fetch-etcd-snapshot` is given."""

    data_dir: str
    decrypts: tuple[str, ...]
    target: str
    trust: str


def fetch_snapshot(options: FetchSnapshot) -> int:
    """Bring the snapshot that a cluster starts from to the disk of this member."""
    data = Path(options.data_dir)
    if data.is_dir() and any(data.iterdir()):
        sys.stdout.write("data is there already, nothing to fetch\n")
        return 0
    url = os.environ.get(restore.URL, "")
    trust = Path(options.trust) if options.trust else None
    decrypts = frozenset(options.decrypts)
    wanted = snapshot.Fetch(url, Path(options.target), trust=trust, decrypts=decrypts)
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
    run=Typed(FetchSnapshot, fetch_snapshot),
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
