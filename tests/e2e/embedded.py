"""An embedded cluster for tests, used as its users do: by `hypershift` and `kubectl`."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hypershift import parts
from hypershift.local.cluster import state
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.images import prepare

Manifest = dict[str, Any]


def needs_root() -> None:
    """Skip where machines cannot be made."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("an embedded cluster needs root on Linux")


class Kubectl:
    """A cluster as `kubectl` shows it, embedded or hosted."""

    @property
    def kubeconfig(self) -> Path:
        """The administrator's way in."""
        raise NotImplementedError

    def kubectl(self, *words: str, feed: str = "", check: bool = True) -> str:
        """What kubectl prints."""
        return self.try_kubectl(*words, feed=feed, check=check).stdout

    def try_kubectl(
        self, *words: str, feed: str = "", check: bool = False, seconds: float = 240.0
    ) -> subprocess.CompletedProcess[str]:
        """Run kubectl, which may fail."""
        argv = (str(parts.path("kubectl")), f"--kubeconfig={self.kubeconfig}", *words)
        return run(argv, feed=feed, check=check, seconds=seconds)

    def get(self, *words: str) -> Any:
        """An object or a list of them."""
        found = json.loads(self.kubectl("get", *words, "-o", "json"))
        return found.get("items", found)

    def apply(self, *manifests: Manifest) -> None:
        """Create or change objects."""
        self.kubectl(
            "apply",
            "-f",
            "-",
            feed=json.dumps({"kind": "List", "apiVersion": "v1", "items": manifests}),
        )

    def shell(self, pod: str, script: str, namespace: str = "default") -> str:
        """Run a script in a pod."""
        return self.kubectl("exec", "-n", namespace, pod, "--", "sh", "-c", script)


@dataclass(slots=True)
class Cluster(Kubectl):
    """One embedded cluster."""

    name: str
    base: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def where(self) -> Layout:
        return state.layout(self.name, self.base)

    @property
    def kubeconfig(self) -> Path:
        return self.where.admin

    @property
    def spec(self) -> Spec:
        spec = state.load(self.where)
        assert spec is not None
        return spec

    @property
    def images(self) -> dict[str, str]:
        """Image references by their tag in the payload."""
        made = prepare.published(self.where)
        assert made is not None
        return made.images

    @property
    def busybox(self) -> str:
        return self.images["busybox"]

    def local(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Type `hypershift local ...`."""
        flags = ("--name", self.name, "--state-dir", str(self.base))
        argv = (sys.executable, "-m", "hypershift.cli", "local", *words[:1], *flags, *words[1:])
        return run(argv, check=check, environment=self.environment)

    def machine(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Type `hypershift local machine ...`."""
        return self._group("machine", *words, check=check)

    def zone(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Type `hypershift local zone ...`."""
        return self._group("zone", *words)

    def image(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Type `hypershift local image ...`."""
        return self._group("image", *words)

    def _group(
        self, group: str, word: str, *rest: str, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        flags = ("--name", self.name, "--state-dir", str(self.base))
        argv = (sys.executable, "-m", "hypershift.cli", "local", group, word, *flags, *rest)
        return run(argv, check=check, environment=self.environment)

    def pid(self, unit: str) -> int:
        """The process of a unit."""
        return int(json.loads((self.where.units / f"{unit}.json").read_text())["pid"])

    @contextmanager
    def namespace(self, name: str) -> Iterator[str]:
        """A namespace for one test."""
        self.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        try:
            yield name
        finally:
            self.try_kubectl("delete", "namespace", name, "--wait=false")


def run(
    argv: tuple[str, ...],
    *,
    feed: str = "",
    check: bool = True,
    environment: dict[str, str] | None = None,
    seconds: float = 240.0,
) -> subprocess.CompletedProcess[str]:
    """Run a program; its complaint becomes the test's."""
    done = subprocess.run(
        argv,
        input=feed,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **(environment or {})},
        timeout=seconds,
    )
    assert not check or done.returncode == 0, f"{' '.join(argv)}\n{done.stdout}{done.stderr}"
    return done


def until(check: Callable[[], Any], seconds: float = 60.0, every: float = 0.5) -> Any:
    """Ask again until the answer is true; what it raised last is what the test raises."""
    end = time.monotonic() + seconds
    while True:
        try:
            if answer := check():
                return answer
            problem: Exception | None = None
        except (AssertionError, KeyError, IndexError, OSError) as error:
            problem = error
        if time.monotonic() > end:
            raise AssertionError(f"not true after {seconds} s") from problem
        time.sleep(every)


def a_pod(name: str, image: str, script: str, namespace: str = "default", **spec: Any) -> Manifest:
    """A pod that runs a shell script."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": {"app": name}},
        "spec": {
            "terminationGracePeriodSeconds": 0,
            "containers": [{"name": "main", "image": image, "command": ["sh", "-c", script]}],
            **spec,
        },
    }


def a_web_server(ports: tuple[int, ...] = (8080,)) -> str:
    """A script that serves the pod's name on ports."""
    serve = " ".join(f"httpd -p {port} -h /tmp/web;" for port in ports)
    return f"mkdir -p /tmp/web; hostname > /tmp/web/index.html; {serve} exec sleep 100000"
