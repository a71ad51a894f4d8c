"""A hosted cluster for tests, used as its users do: by `hypershift` and `kubectl`."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml
from tests.e2e.embedded import Cluster, Kubectl, Manifest, run

from hypershift.kit import Key
from hypershift.kit.names import control_plane_namespace

NAMESPACE = "clusters"
#: What a busy machine may take for what takes a minute on a quiet one.
PATIENCE = 420.0


@dataclass
class Hosted(Kubectl):
    """One hosted cluster: kubectl methods speak to its own API, `management` to the other side."""

    management: Cluster
    name: str
    files: Path
    namespace: str = NAMESPACE

    @property
    def plane(self) -> str:
        """The namespace of its control plane."""
        return control_plane_namespace(Key(self.namespace, self.name))

    @cached_property
    def kubeconfig(self) -> Path:
        """Its admin kubeconfig, as `hypershift create kubeconfig` prints it."""
        path = self.files / f"{self.namespace}-{self.name}.kubeconfig"
        words = ("create", "kubeconfig", "--name", self.name, "--namespace", self.namespace)
        path.write_text(self.hypershift(*words).stdout)
        path.chmod(0o600)
        return path

    def hypershift(
        self,
        *words: str,
        check: bool = True,
        seconds: float = PATIENCE,
        environment: dict[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Type `hypershift ...` at the management cluster."""
        argv = (sys.executable, "-m", "hypershift.cli", *words)
        known = {"KUBECONFIG": str(self.management.kubeconfig), **(environment or {})}
        return run(argv, check=check, environment=known, seconds=seconds)

    def create(self, *flags: str, nodes: int = 0, wait: bool = True) -> None:
        """Type `hypershift create cluster local`; without nodes it has no pool either."""
        words = ("create", "cluster", "local", "--name", self.name, "--namespace", self.namespace)
        pool = ("--node-pool-replicas", str(nodes or -1))
        # the command waits for clusters with nodes alone
        self.hypershift(*words, *pool, *(("--wait",) if wait and nodes else ()), *flags)
        if wait and not nodes:
            self.await_condition("Available")

    def manifests(self, *flags: str) -> list[Manifest]:
        """What `hypershift create cluster local` would create, without a node pool."""
        words = ("create", "cluster", "local", "--name", self.name, "--namespace", self.namespace)
        render = ("--render", "--render-sensitive", "--node-pool-replicas", "-1")
        return list(yaml.safe_load_all(self.hypershift(*words, *render, *flags).stdout))

    def destroy(self) -> None:
        """Type `hypershift destroy cluster local`."""
        words = ("destroy", "cluster", "local", "--name", self.name, "--namespace", self.namespace)
        self.hypershift(*words)

    def resource(self) -> Manifest:
        """The HostedCluster."""
        found: Manifest = self.management.get("hostedcluster", self.name, "-n", self.namespace)
        return found

    def patch(self, patch: str, kind: str = "merge") -> None:
        """Change the HostedCluster."""
        words = ("patch", "hostedcluster", self.name, "-n", self.namespace)
        self.management.kubectl(*words, f"--type={kind}", "-p", patch)

    def annotate(self, *marks: str) -> None:
        """Annotate the HostedCluster; `key-` takes an annotation away."""
        words = ("annotate", "hostedcluster", self.name, "-n", self.namespace, "--overwrite")
        self.management.kubectl(*words, *marks)

    def conditions(self) -> dict[str, Manifest]:
        """The HostedCluster's conditions by their type."""
        found = self.resource().get("status", {}).get("conditions", [])
        return {each["type"]: each for each in found}

    def await_condition(self, kind: str, status: str = "True", reason: str = "") -> Manifest:
        """Wait for a condition; what it said last is the complaint."""

        def there() -> Manifest | None:
            found = self.conditions().get(kind, {})
            fits = found.get("status") == status and reason in ("", found.get("reason"))
            return found if fits else None

        found: Manifest = self.until(
            there, f"{kind}={status} {reason}", lambda: self.conditions().get(kind)
        )
        return found

    def until(
        self,
        check: Callable[[], Any],
        what: str,
        tell: Callable[[], Any] = lambda: "",
        seconds: float = PATIENCE,
    ) -> Any:
        """Ask again until it is true; the complaint names what was waited for and what is seen."""
        end = time.monotonic() + seconds
        while not (answer := check()):
            assert time.monotonic() < end, f"{self.name}: no {what} after {seconds} s: {tell()}"
            time.sleep(0.5)
        return answer

    def pods(self, component: str = "") -> list[Manifest]:
        """The pods of its control plane, or of one component."""
        chosen = ("-l", f"app={component}") if component else ()
        found: list[Manifest] = self.management.get("pods", "-n", self.plane, *chosen)
        return found

    def component(self, name: str) -> dict[str, Manifest]:
        """The conditions of a ControlPlaneComponent by their type."""
        found = self.management.get("controlplanecomponent", name, "-n", self.plane)
        return {each["type"]: each for each in found.get("status", {}).get("conditions", [])}

    def endpoint(self) -> tuple[str, int]:
        """Where its API is published."""
        found = self.resource()["status"]["controlPlaneEndpoint"]
        return str(found["host"]), int(found["port"])


@contextmanager
def a_hosted_cluster(
    management: Cluster, name: str, files: Path, *flags: str, nodes: int = 0
) -> Iterator[Hosted]:
    """A hosted cluster of one test's own, gone afterwards."""
    made = Hosted(management, name, files)
    try:
        made.create(*flags, nodes=nodes)
        yield made
    finally:
        made.destroy()


@contextmanager
def the_hosted_cluster(management: Cluster, files: Path) -> Iterator[Hosted]:
    """The cluster with two nodes that tests share.

    HYPERSHIFT_E2E_HOSTED names one that is there already and stays, for those who write tests.
    Otherwise it goes with its management cluster, or by itself where that one stays.
    """
    if name := os.environ.get("HYPERSHIFT_E2E_HOSTED"):
        yield Hosted(management, name, files)
        return
    made = Hosted(management, "shared", files)
    made.create(nodes=2)
    yield made
    if os.environ.get("HYPERSHIFT_E2E_CLUSTER"):
        made.destroy()
