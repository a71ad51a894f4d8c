"""Every authority of a cluster with nodes is replaced while clients use all that goes through them.

Writers, `kubectl exec`, `kubectl logs` and a webhook on the guest's nodes go on all the time; what
fails is counted and told. Two things do fail: a write that is under way while etcd's leader moves
(docs/adr/0009), and what goes to a node or through the tunnel while kubelets and agents restart.
HYPERSHIFT_SOAK_POLICY chooses the availability of the control plane.
"""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from tests.e2e import hook, shop
from tests.e2e.embedded import Cluster, until
from tests.e2e.hosted import PATIENCE, Hosted, a_hosted_cluster
from tests.e2e.traffic import Traffic
from tests.e2e.workers import is_ready
from tests.soak.recovered import told

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(3600)]

CONDITION = "AuthoritiesRotated"
POLICY = os.environ.get("HYPERSHIFT_SOAK_POLICY", "HighlyAvailable")
NODES = int(os.environ.get("HYPERSHIFT_SOAK_NODES", "3"))
#: A rotation rolls everything three times, on machines that may be busy.
LONG = 2400.0
#: A request that takes longer has failed for its user.
SHORT = 30.0
#: Each of three members restarts three times, and each time may be the leader.
LEADERS = 9
#: Seconds without an exec, a log or a webhook: a kubelet that restarts on a busy machine.
LONGEST_GAP = 120.0


@pytest.fixture(scope="module")
def rotated(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    flags = (f"--control-plane-availability-policy={POLICY}",)
    files = tmp_path_factory.mktemp("rotated")
    with a_hosted_cluster(cluster, "rotated", files, *flags, nodes=NODES) as made:
        made.apply(shop.a_namespace())
        server, registered = shop.a_hook(cluster.images["hypershift"])
        made.apply(*server)
        made.apply(shop.a_web_shop(cluster.busybox), shop.a_service("ClusterIP"))
        made.kubectl("wait", "-n", shop.NAMESPACE, "pod/hook", "--for=condition=Ready")
        words = ("rollout", "status", "-n", shop.NAMESPACE, "deployment/web", "--timeout=300s")
        made.kubectl(*words)
        made.apply(registered[0])
        kind = f"crd/orders.{shop.GROUP}"
        made.kubectl("wait", kind, "--for=condition=Established", "--timeout=60s")
        made.apply(registered[1])
        until(lambda: hook.DENIED in shop.order(made, "denied", deny=True), PATIENCE)
        yield made


class Repeating:
    """Does one thing again and again, and notes what failed and how long nothing succeeded."""

    def __init__(self, name: str, do: Callable[[], str], pause: float = 1.0) -> None:
        self.name, self.done, self.failed, self.gap = name, 0, list[str](), 0.0
        self._do, self._pause, self._began = do, pause, time.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __str__(self) -> str:
        summary = f"{self.name}: {self.done} done, {len(self.failed)} failed, gap {self.gap:.1f} s"
        return "\n  ".join((summary, *self.failed))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(60)

    def once(self) -> str:
        """What is wrong now."""
        return self._do()

    def _run(self) -> None:
        last = time.monotonic()
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                problem = self._do()
            except subprocess.TimeoutExpired:
                problem = f"no answer after {SHORT:.0f} s"
            if problem:
                moment = began - self._began
                self.failed.append(f"{moment:.1f} s: {problem.strip()[-200:]}")
            else:
                self.done += 1
                self.gap, last = max(self.gap, time.monotonic() - last), time.monotonic()
            self._stop.wait(self._pause)


def everything_through_the_tunnel(hosted: Hosted) -> list[Repeating]:
    """What API servers reach kubelets and pods for."""
    pods = hosted.get("pods", "-n", shop.NAMESPACE, "-l", "app=web")
    name = pods[0]["metadata"]["name"]
    place = ("-n", shop.NAMESPACE)

    def runs() -> str:
        done = hosted.try_kubectl("exec", *place, name, "--", "echo", "here", seconds=SHORT)
        return "" if done.stdout.strip() == "here" else done.stderr or "no answer"

    def logs() -> str:
        return hosted.try_kubectl("logs", *place, name, seconds=SHORT).stderr

    def asks() -> str:
        said = shop.order(hosted, "denied", deny=True)
        return "" if hook.DENIED in said else said or "the webhook was not asked"

    return [Repeating("exec", runs), Repeating("logs", logs), Repeating("webhook", asks)]


def test_a_cluster_is_served_while_its_authorities_are_replaced(rotated: Hosted) -> None:
    before, old = authority(rotated), Path(f"{rotated.kubeconfig}.old")
    old.write_text(rotated.kubeconfig.read_text())
    nodes = boots(rotated)
    began = time.monotonic()
    with ExitStack() as stack:
        traffic = stack.enter_context(Traffic(rotated.kubeconfig))
        tunnel = [stack.enter_context(one) for one in everything_through_the_tunnel(rotated)]
        time.sleep(10)
        # The key of tokens would take another hour, in which its last tokens end.
        rotated.hypershift("rotate", "ca", rotated.name, "--only", "authorities")
        await_reason(rotated, "KeepingOldAuthorities", began)
        # As a user does in the grace period: fetch the kubeconfig again.
        rotated.kubeconfig.write_text(fetched(rotated))
        traffic.renew(rotated.kubeconfig)
        time.sleep(5)
        rotated.hypershift("rotate", "ca", rotated.name, "--finish", "--wait", seconds=LONG)
        told(f"replaced after {time.monotonic() - began:.0f} s")
        time.sleep(10)
    for one in (traffic.log, *tunnel):
        told(str(one))
    assert authority(rotated) != before
    refused(rotated, old)
    assert boots(rotated) == nodes
    assert all(map(is_ready, rotated.get("nodes")))
    assert traffic.lost() == []
    assert len(traffic.log.failed) <= LEADERS
    assert {one.name: one.gap for one in tunnel if one.gap > LONGEST_GAP} == {}
    assert all(one.done > 10 * len(one.failed) for one in tunnel)
    for one in everything_through_the_tunnel(rotated):
        assert one.once() == ""


def await_reason(hosted: Hosted, reason: str, began: float) -> None:
    """Wait for a stage, and tell when each of them came."""
    seen: list[str] = []

    def there() -> bool:
        found = hosted.conditions().get(CONDITION, {}).get("reason", "")
        if found and found not in seen:
            seen.append(found)
            told(f"{time.monotonic() - began:.0f} s: {found}")
        return bool(found == reason)

    hosted.until(there, reason, lambda: hosted.conditions().get(CONDITION), seconds=LONG)


def fetched(hosted: Hosted) -> str:
    """The administrator's kubeconfig as it is now."""
    words = ("create", "kubeconfig", "--name", hosted.name, "--namespace", hosted.namespace)
    return hosted.hypershift(*words).stdout


def authority(hosted: Hosted) -> str:
    """The certificate of the root."""
    found = hosted.management.get("secret", "root-ca", "-n", hosted.plane)
    return str(found["data"]["ca.crt"])


def boots(hosted: Hosted) -> dict[str, str]:
    """The nodes and when they were switched on: none is replaced or restarted."""
    return {
        one["metadata"]["name"]: one["status"]["nodeInfo"]["bootID"] for one in hosted.get("nodes")
    }


def refused(hosted: Hosted, old: Path) -> None:
    """What had the old authority's certificates opens nothing any more."""
    hosted.kubectl("get", "--raw", "/readyz")
    now = hosted.kubeconfig.read_text()
    try:
        hosted.kubeconfig.write_text(old.read_text())
        assert hosted.try_kubectl("get", "--raw", "/readyz").returncode != 0
    finally:
        hosted.kubeconfig.write_text(now)
