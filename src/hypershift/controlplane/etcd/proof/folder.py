"""The folder that the programs of a proof share."""

import json
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from hypershift.pki import Leaf, new_authority

USER: Final = "system:restore-proof"
LOOPBACK: Final = "127.0.0.1"
#: The key in etcd that a backup's Job writes right before the snapshot: which backup it is.
CANARY: Final = "/hypershift.openshift.io/backup"
#: Nothing listens there: what the API server would call in the cluster or outside stays uncalled.
EGRESS: Final = """\
apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection: &closed
    proxyProtocol: HTTPConnect
    transport: {{uds: {{udsName: {place}/closed.sock}}}}
- name: controlplane
  connection: *closed
"""
#: What the API server reads when nothing was encrypted.
UNENCRYPTED: Final = """\
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - identity: {}
"""


@dataclass(frozen=True, slots=True)
class Folder:
    """Where each file is; every one of them is made before the API server starts."""

    place: Path

    @property
    def snapshot(self) -> Path:
        return self.place / "snapshot.db"

    @property
    def expected(self) -> Path:
        """What the list beside the snapshot says, and when the fetch began."""
        return self.place / "expected.json"

    @property
    def authority(self) -> Path:
        return self.place / "ca.crt"

    @property
    def token(self) -> Path:
        return self.place / "token"

    def equip(self, account: tuple[bytes, bytes], encryption: bytes) -> None:
        """Write what the API server needs: `account` signs service accounts' tokens."""
        now = datetime.now(UTC)
        authority = new_authority("restore-proof", now)
        pair = authority.issue(Leaf(LOOPBACK, ip_addresses=frozenset({LOOPBACK})), now)
        token = secrets.token_urlsafe(32)
        private, public = account
        files = {
            "ca.crt": authority.pem,
            "server.crt": pair.certificate,
            "server.key": pair.key.reveal(),
            "service-account.key": private,
            "service-account.pub": public,
            "encryption.yaml": encryption or UNENCRYPTED.encode(),
            "egress.yaml": EGRESS.format(place=self.place).encode(),
            "token": token.encode(),
            "tokens.csv": f"{token},{USER},{USER},system:masters\n".encode(),
        }
        for name, content in files.items():
            path = self.place / name
            path.touch(mode=0o600)
            path.write_bytes(content)

    def expect(self, listed: dict[str, Any], began: float) -> None:
        """Keep the list of contents for the comparison."""
        self.expected.write_text(json.dumps({"began": began, "contents": listed}))
