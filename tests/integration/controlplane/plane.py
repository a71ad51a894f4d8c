"""An etcd and an API server as they are rendered for a view, on a machine of a test's own."""

import json
from base64 import b64decode
from collections.abc import Callable

from tests.integration.controlplane.pods import Machine, start
from tests.unit.component.clusters import NAMESPACE

from hypershift import parts
from hypershift.component import View, edit, rendered
from hypershift.controlplane import etcd, kube_apiserver
from hypershift.kit import Manifest

PARTS = ("etcd", "etcdctl", "kube-apiserver", "kubectl")
HOSTS = {
    f"etcd-client.{NAMESPACE}.svc": "127.0.0.1",
    f"etcd-0.etcd-discovery.{NAMESPACE}.svc": "127.0.0.1",
    "api.demo.hypershift.local": "127.0.0.1",
}
#: What needs no node: the tunnel to the nodes is left out.
TUNNEL = "konnectivity-server"
READY = "https://localhost:6443/readyz"
Change = Callable[[Manifest], Manifest]


class Plane:
    """One member and one API server."""

    def __init__(self, machine: Machine, view: View) -> None:
        self.machine, self.view = machine, view
        self.objects = dict(view.objects)
        self.admin = machine.directory / "admin"

    def start_etcd(self) -> None:
        result = rendered(etcd.KUBERNETES, self.view)
        self._know(result.manifests)
        start(self.machine, result.workload, self.objects, pod="etcd-0", listen="127.0.0.1")
        self.machine.wait_for("http://127.0.0.1:2381/readyz", who="etcd-0")

    def start_server(self, change: Change = lambda found: found) -> None:
        """Start the API server and what `change` leaves beside it, and wait until it serves."""
        self.begin_server(change)
        self.await_server()

    def begin_server(self, change: Change = lambda found: found) -> None:
        """Start the API server and what `change` leaves beside it."""
        result = rendered(kube_apiserver.KUBERNETES, self.view)
        self._know(result.manifests)
        workload = change(edit.drop_containers(result.workload, TUNNEL))
        start(self.machine, workload, self.objects)
        data = self.objects["Secret", "admin-kubeconfig"]["data"]["kubeconfig"]
        self.admin.write_bytes(b64decode(data))

    def await_server(self) -> None:
        self.machine.wait_for(READY, who="kube-apiserver")

    def serves(self) -> bool:
        """Whether the API server says now that it is ready."""
        return self.machine.run("curl", "-kfsS", "--max-time", "5", READY).returncode == 0

    def _know(self, manifests: tuple[Manifest, ...]) -> None:
        self.objects |= {(one["kind"], one["metadata"]["name"]): one for one in manifests}

    def kubectl(self, *words: str, feed: Manifest | None = None) -> str:
        argv = [str(parts.path("kubectl")), "--kubeconfig", str(self.admin), *words]
        if feed is not None:
            file = self.machine.directory / "feed.json"
            file.write_text(json.dumps(feed))
            argv += ["-f", str(file)]
        done = self.machine.run(*argv)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def stored(self, key: str) -> bytes:
        """What etcd holds under a key."""
        folder = self.machine.directory / "etcd-0"
        done = self.machine.run(
            parts.path("etcdctl"),
            "--endpoints=https://localhost:2379",
            f"--cacert={folder / 'etcd-ca' / 'ca.crt'}",
            f"--cert={folder / 'server-tls' / 'server.crt'}",
            f"--key={folder / 'server-tls' / 'server.key'}",
            "get",
            "--print-value-only",
            key,
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout
