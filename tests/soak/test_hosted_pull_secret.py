"""A pull secret that a cluster's administrator adds reaches kubelets, and goes again."""

import json
from collections.abc import Iterator

import pytest
from tests.e2e.embedded import Manifest, a_pod
from tests.e2e.guarded_registry import PASSWORD, USER, GuardedRegistry, a_guarded_registry
from tests.e2e.hosted import Hosted

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(1200)]

SYSTEM, ADDED, SYNCER = "kube-system", "additional-pull-secret", "global-pull-secret-syncer"
CONFIG = "/var/lib/kubelet/config.json"
REFUSED = ("ErrImagePull", "ImagePullBackOff")


@pytest.fixture
def registry(hosted: Hosted) -> Iterator[GuardedRegistry]:
    """A registry with a password, which the nodes know how to reach."""
    with a_guarded_registry(hosted.management) as made:
        folder = f"/etc/containerd/certs.d/{made.host}"
        script = f"mkdir -p {folder} && printf '%s' '{made.mirror()}' > {folder}/hosts.toml"
        for machine in machines(hosted):
            on(hosted, machine, "sh", "-c", script)
        yield made
        for machine in machines(hosted):
            on(hosted, machine, "rm", "-r", folder)


def machines(hosted: Hosted) -> list[str]:
    """The names by which machines are known on this host."""
    found = hosted.management.get("localmachines", "-n", hosted.plane)
    return [f"{hosted.plane}.{one['metadata']['name']}" for one in found]


def on(hosted: Hosted, machine: str, *words: str) -> str:
    return hosted.management.machine("exec", machine, "--", *words).stdout


def files(hosted: Hosted) -> set[str]:
    """What kubelets read their credentials from."""
    return {on(hosted, machine, "cat", CONFIG) for machine in machines(hosted)}


def a_puller(name: str, image: str) -> Manifest:
    made = a_pod(name, image, "exec sleep 100000")
    made["spec"]["containers"][0]["imagePullPolicy"] = "Always"
    return made


def waits_why(hosted: Hosted, name: str) -> str:
    """Why a pod's container does not run."""
    found = hosted.get("pod", name)["status"].get("containerStatuses") or [{}]
    return str(found[0].get("state", {}).get("waiting", {}).get("reason", ""))


def test_an_added_pull_secret_reaches_the_kubelets_and_goes_again(
    hosted: Hosted, registry: GuardedRegistry
) -> None:
    before, nodes = files(hosted), {one["metadata"]["uid"] for one in hosted.get("nodes")}
    image = registry.image(hosted.management.busybox)
    try:
        hosted.apply(a_puller("early", image))
        hosted.until(lambda: waits_why(hosted, "early") in REFUSED, "refusal")
        assert registry.refused
        login = (f"--docker-username={USER}", f"--docker-password={PASSWORD}")
        create = ("create", "secret", "docker-registry", ADDED, "-n", SYSTEM)
        hosted.kubectl(*create, f"--docker-server={registry.host}", *login)
        hosted.kubectl("wait", "pod/early", "--for=condition=Ready", "--timeout=400s")
        hosted.until(lambda: all(registry.host in one for one in files(hosted)), "every node")
        assert {one["metadata"]["uid"] for one in hosted.get("nodes")} == nodes
        hosted.kubectl("delete", "secret", ADDED, "-n", SYSTEM)
        hosted.until(lambda: _equal(files(hosted), before), "what nodes had")
        words = ("daemonset", SYNCER, "-n", SYSTEM, "--ignore-not-found", "-o", "name")
        hosted.until(lambda: not hosted.kubectl("get", *words), "end of the syncer")
        hosted.apply(a_puller("late", image))
        hosted.until(lambda: waits_why(hosted, "late") in REFUSED, "refusal")
    finally:
        hosted.try_kubectl("delete", "pod", "early", "late", "--ignore-not-found")
        hosted.try_kubectl("delete", "secret", ADDED, "-n", SYSTEM, "--ignore-not-found")


def _equal(some: set[str], others: set[str]) -> bool:
    return {json.dumps(json.loads(one)) for one in some} == {
        json.dumps(json.loads(one)) for one in others
    }
