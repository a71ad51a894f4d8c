"""What a role finds around it in a pod: a place to write, and certificates to trust."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

#: A pod with a read-only root and no volume still has its shared memory to write to.
PLACES = (Path("/tmp"), Path("/dev/shm"))  # noqa: S108 - each entry in it is made by its own name
#: Bundles that an installation mounts: the cluster's, and the one of `--additional-trust-bundle`.
BUNDLES = (
    Path("/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"),
    Path("/etc/pki/tls/certs/user-ca-bundle.pem"),
)
VARIABLE = "SSL_CERT_FILE"


def scratch(places: Iterable[Path] = PLACES) -> Path:
    """The first place that can be written to; temporary files go there too."""
    for place in places:
        if os.access(place, os.W_OK | os.X_OK):
            tempfile.tempdir = str(place)
            return place
    return Path(tempfile.gettempdir())


def trust_bundles(bundles: Iterable[Path] = BUNDLES) -> None:
    """Let every connection trust the bundles that are mounted, beside what it trusts anyway."""
    mounted = [each for each in bundles if each.exists() and each.stat().st_size]
    if not mounted:
        return
    known = os.environ.get(VARIABLE)
    before = [Path(known)] if known and Path(known).exists() else []
    target = scratch() / f"hypershift-trust-{os.getpid()}.pem"
    target.write_bytes(b"\n".join(each.read_bytes() for each in (*before, *mounted)))
    os.environ[VARIABLE] = str(target)
