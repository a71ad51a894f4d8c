"""The audit log reaches a real receiver, and the file that is kept."""

import json
import os
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.integration.controlplane.plane import HOSTS, PARTS, Plane
from tests.integration.controlplane.pods import a_machine
from tests.integration.controlplane.test_processes import whole_view

from hypershift import parts
from hypershift.kit import Manifest

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root"),
    pytest.mark.skipif(bool(parts.missing(PARTS)), reason="etcd and kube-apiserver are not here"),
]

#: Writes each batch of events as one line of a file, and answers as a receiver does.
RECEIVER = """
import http.server, sys
class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(sys.argv[1], "ab") as file:
            file.write(body.strip() + b"\\n")
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *words):
        pass
http.server.HTTPServer(("127.0.0.1", 7777), Receiver).serve_forever()
"""
KUBECONFIG = {
    "apiVersion": "v1",
    "kind": "Config",
    "clusters": [{"name": "r", "cluster": {"server": "http://127.0.0.1:7777/audit"}}],
    "contexts": [{"name": "r", "context": {"cluster": "r", "user": "r"}}],
    "current-context": "r",
    "users": [{"name": "r", "user": {}}],
}
KEPT = {
    "hypershift.openshift.io/audit-log-persistence": (
        '{"auditLog":{"maxBackup":3,"maxSize":1},"storage":{"size":"1Gi"}}'
    )
}


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hs-") as name:
        yield Path(name)


def events(file: Path) -> list[Manifest]:
    if not file.exists():
        return []
    batches = (json.loads(line) for line in file.read_text().splitlines())
    return [event for batch in batches for event in batch["items"]]


def named(found: list[Manifest], name: str) -> list[Manifest]:
    return [one for one in found if (one.get("objectRef") or {}).get("name") == name]


def test_requests_are_told_to_the_receiver_and_kept_in_the_log(place: Path) -> None:
    with a_machine(f"hs-au-{os.getpid()}", place, HOSTS) as machine:
        received = place / "received"
        machine.spawn("receiver", [sys.executable, "-c", RECEIVER, str(received)], {})
        secret = {
            "kind": "Secret",
            "data": {"webhook-kubeconfig": b64encode(json.dumps(KUBECONFIG).encode()).decode()},
        }
        view = whole_view(auditWebhook={"name": "audit"}, annotations=KEPT)
        view = replace(view, objects={**view.objects, ("Secret", "audit"): secret})
        plane = Plane(machine, view)
        plane.start_etcd()
        plane.start_server()
        plane.kubectl("create", "configmap", "told", "--from-literal=a=b")
        for _ in range(120):
            if named(events(received), "told"):
                break
            machine.run("sleep", "0.5")
        (event,) = named(events(received), "told")
        assert (event["verb"], event["level"]) == ("create", "Metadata")
        assert event["user"]["username"] == "system:admin"

        logs = place / "kube-apiserver" / "logs"
        written = (logs / "audit.log").read_text().splitlines()
        assert any('"name":"told"' in line for line in written)
        machine.kill("kube-apiserver")
        assert (logs / "audit.log").is_file(), "the log outlives its server"
