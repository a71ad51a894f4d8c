"""A store of the user's own that speaks S3 by https, beside an embedded management cluster.

It is moto, at an address that pods, nodes and the host reach and that is no cluster's own, with a
certificate that an authority of the test signed.
"""

import json
import secrets
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import boto3
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from tests.cloud.aws.server import Quiet
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import PATIENCE, Hosted
from werkzeug.serving import make_server

from hypershift.pki import Leaf, new_authority

BUCKET, REGION, SECRET = "snapshots", "us-east-1", "snapshots"
ADDRESS = "10.78.0.1"
OPERATOR = "hypershift"


@dataclass(frozen=True)
class Store:
    """The store, and the files by which the command line reads it."""

    endpoint: str
    files: Path
    client: Any

    @property
    def trust(self) -> Path:
        """The authority of its certificate."""
        return self.files / "store-ca.crt"

    @property
    def words(self) -> tuple[str, ...]:
        """Flags of commands that read it."""
        return (
            f"--aws-region={REGION}",
            f"--credentials-file={self.files / 'credentials'}",
            f"--manifest-key-file={self.files / 'manifest.key'}",
        )

    def names(self) -> list[str]:
        """The names of what lies in it."""
        found = self.client.list_objects_v2(Bucket=BUCKET).get("Contents", ())
        return [one["Key"] for one in found]

    def read(self, key: str) -> bytes:
        content: bytes = self.client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
        return content

    def contents(self, url: str) -> dict[str, Any]:
        """The list of what a snapshot contains."""
        found: dict[str, Any] = json.loads(self.read(f"{key_of(url)}.contents.json"))
        return found


def key_of(url: str) -> str:
    """Where a snapshot lies in the bucket."""
    return url.removeprefix(f"s3://{BUCKET}/")


@contextmanager
def a_store(bridge: str, files: Path) -> Iterator[Store]:
    """A store beside an embedded cluster, as long as the block."""
    # Single addresses of the bridge are those of load balancers: others are taken away.
    own = (f"{ADDRESS}/24", "dev", bridge)
    subprocess.run(("ip", "address", "replace", *own), check=True)
    try:
        with serving(ADDRESS, files) as made:
            yield made
    finally:
        # the bridge, and with it the address, may have gone before
        subprocess.run(("ip", "address", "del", *own), check=False, capture_output=True)


@contextmanager
def serving(address: str, files: Path) -> Iterator[Store]:
    """A store at an address of this host."""
    now = datetime.now(UTC)
    authority = new_authority("the test's store", now)
    pair = authority.issue(Leaf("store", ip_addresses=frozenset({address})), now)
    chain, key = files / "store.crt", files / "store.key"
    chain.write_bytes(pair.certificate)
    key.write_bytes(pair.key.reveal())
    application = DomainDispatcherApplication(create_backend_app)
    server = make_server(
        address,
        0,
        application,
        threaded=True,
        request_handler=Quiet,
        ssl_context=(str(chain), str(key)),
    )
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield _filled(f"https://{address}:{server.server_port}", files, authority.pem)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _filled(endpoint: str, files: Path, authority: bytes) -> Store:
    (files / "store-ca.crt").write_bytes(authority)
    (files / "manifest.key").write_bytes(secrets.token_bytes(32))
    (files / "credentials").write_text(
        "[default]\naws_access_key_id = test\naws_secret_access_key = test\n"
        f"endpoint_url = {endpoint}\n"
    )
    client = boto3.client(
        "s3",
        endpoint_url=endpoint,
        verify=str(files / "store-ca.crt"),
        region_name=REGION,
        aws_access_key_id="test",
        aws_secret_access_key="test",
    )
    client.create_bucket(Bucket=BUCKET)
    return Store(endpoint, files, client)


def know(cluster: Cluster, store: Store, manifest_key: Path | None = None) -> None:
    """Put credentials for the store beside the operator, as the how-to says."""
    cluster.kubectl("delete", "secret", SECRET, "-n", OPERATOR, "--ignore-not-found")
    cluster.kubectl(
        *("create", "secret", "generic", SECRET, "-n", OPERATOR),
        f"--from-file=credentials={store.files / 'credentials'}",
        f"--from-file=manifest-key={manifest_key or store.files / 'manifest.key'}",
        f"--from-file=ca-bundle.crt={store.trust}",
    )


def environment(store: Store) -> dict[str, str]:
    """What commands that read the store need."""
    return {"SSL_CERT_FILE": str(store.trust)}


STORAGE = (
    "--storage-type=S3",
    f"--aws-bucket={BUCKET}",
    f"--aws-region={REGION}",
    f"--credentials-secret={SECRET}",
)


def typed(hosted: Hosted, *flags: str) -> str:
    """What `hypershift create backup --wait` says."""
    words = ("create", "backup", f"--cluster={hosted.name}", f"--namespace={hosted.namespace}")
    done = hosted.hypershift(*words, *STORAGE, "--wait", "--timeout=15m", *flags, seconds=1000)
    return done.stdout.strip()


def back_up(hosted: Hosted, *flags: str) -> str:
    """Take a backup; tells where the snapshot is."""
    return typed(hosted, *flags).splitlines()[-1]


def restore(hosted: Hosted, store: Store, url: str, *flags: str, seconds: float = PATIENCE) -> str:
    """Type `hypershift restore cluster`."""
    words = ("restore", "cluster", f"--from={url}", *store.words, *flags)
    done = hosted.hypershift(*words, seconds=seconds, environment=environment(store))
    return done.stdout
