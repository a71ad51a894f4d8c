"""Control planes go from one Kubernetes minor to the next while clients write and nodes stay."""

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.e2e.embedded import Cluster, run
from tests.e2e.hosted import Hosted, a_hosted_cluster
from tests.e2e.traffic import Traffic

from hypershift import payload

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(3600)]

OLD, NEW = "1.34.10", "1.35.8"
LATE = ("kube-controller-manager", "kube-scheduler")


@pytest.fixture(scope="module")
def releases(zones: Cluster) -> Cluster:
    """The cluster, whose registry also has the older release."""
    registry = f"http://{zones.spec.plan.pushes}"
    argv = (sys.executable, "-m", "hypershift.cli", "payload", "push", registry)
    run((*argv, "--kubernetes", OLD), seconds=1800)
    return zones


def release(version: str) -> str:
    return str(payload.release_reference(version))


class Recorder:
    """Notes when each component first says that it runs a version."""

    def __init__(self, hosted: Hosted) -> None:
        self.seen: dict[tuple[str, str], float] = {}
        self._hosted, self._over = hosted, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @contextmanager
    def recording(self) -> Iterator[None]:
        self._thread.start()
        try:
            yield
        finally:
            self._over.set()
            self._thread.join(30)

    def first(self, component: str) -> float:
        return self.seen[component, NEW]

    def _run(self) -> None:
        while not self._over.is_set():
            words = ("get", "controlplanecomponents", "-n", self._hosted.plane, "-o", "json")
            done = self._hosted.management.try_kubectl(*words)
            for found in json.loads(done.stdout or "{}").get("items", ()):
                version = found.get("status", {}).get("version", "")
                self.seen.setdefault((found["metadata"]["name"], version), time.monotonic())
            time.sleep(0.3)


def test_a_highly_available_control_plane_upgrades_without_a_failed_request(
    releases: Cluster, tmp_path: Path
) -> None:
    flags = (
        "--control-plane-availability-policy=HighlyAvailable",
        f"--release-image={release(OLD)}",
    )
    with a_hosted_cluster(releases, "upgraded", tmp_path, *flags, nodes=1) as hosted:
        nodes, recorder = identities(hosted), Recorder(hosted)
        with recorder.recording(), Traffic(hosted.kubeconfig) as traffic:
            time.sleep(5)
            began = time.monotonic()
            hosted.hypershift("upgrade", "cluster", hosted.name, "--to", release(NEW))
            hosted.until(lambda: history(hosted)[0] == (NEW, "Completed"), NEW, hosted.conditions)
            print(f"upgraded in {time.monotonic() - began:.0f} s")  # noqa: T201
            time.sleep(5)
        print(traffic.log)  # noqa: T201
        assert history(hosted) == [(NEW, "Completed"), (OLD, "Completed")]
        assert json.loads(hosted.kubectl("version", "-o", "json"))["serverVersion"][
            "gitVersion"
        ] == (f"v{NEW}")
        assert recorder.first("etcd") <= recorder.first("kube-apiserver")
        assert all(recorder.first("kube-apiserver") < recorder.first(each) for each in LATE)
        assert identities(hosted) == nodes
        assert traffic.log.failed == []
        assert traffic.lost() == []
        refuses_to_go_back(hosted)


def refuses_to_go_back(hosted: Hosted) -> None:
    """A minor is never taken back; the control plane goes on as it is."""
    hosted.hypershift("upgrade", "cluster", hosted.name, "--to", release(OLD))
    hosted.await_condition("ValidReleaseImage", "False", "InvalidImage")
    time.sleep(10)
    assert history(hosted)[0] == (NEW, "Completed")
    assert hosted.kubectl("get", "--raw", "/readyz") == "ok"
    hosted.hypershift("upgrade", "cluster", hosted.name, "--to", release(NEW))
    hosted.await_condition("ValidReleaseImage")


def test_the_control_plane_release_alone_leaves_the_guest_as_it_is(
    releases: Cluster, tmp_path: Path
) -> None:
    flags = (f"--release-image={release(OLD)}",)
    with a_hosted_cluster(releases, "ahead", tmp_path, *flags, nodes=1) as hosted:
        nodes, addons = identities(hosted), images(hosted)
        hosted.patch(json.dumps({"spec": {"controlPlaneRelease": {"image": release(NEW)}}}))

        def moved() -> bool:
            found = hosted.resource()["status"].get("controlPlaneVersion", {}).get("history", [])
            return bool(found) and (found[0]["version"], found[0]["state"]) == (NEW, "Completed")

        hosted.until(moved, f"a control plane on {NEW}", hosted.conditions)
        assert history(hosted)[0] == (OLD, "Completed")
        assert (identities(hosted), images(hosted)) == (nodes, addons)


def identities(hosted: Hosted) -> dict[str, tuple[str, str, str]]:
    """What changes when a node is made anew or restarted."""
    return {
        node["metadata"]["name"]: (
            node["metadata"]["uid"],
            node["status"]["nodeInfo"]["bootID"],
            node["status"]["nodeInfo"]["kubeletVersion"],
        )
        for node in hosted.get("nodes")
    }


def images(hosted: Hosted) -> dict[str, str]:
    """What the add-ons of the guest run."""
    return {
        each["metadata"]["name"]: each["spec"]["template"]["spec"]["containers"][0]["image"]
        for each in hosted.get("daemonsets,deployments", "-n", "kube-system")
    }


def history(hosted: Hosted) -> list[tuple[str, str]]:
    """Versions and their states, newest first."""
    found = hosted.resource()["status"].get("version", {}).get("history", [])
    return [(entry["version"], entry["state"]) for entry in found] or [("", "")]
