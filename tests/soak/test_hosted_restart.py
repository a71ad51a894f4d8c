"""A control plane is restarted as a whole, etcd's members too, while a client writes."""

import time
from pathlib import Path

import pytest
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import Hosted, a_hosted_cluster
from tests.e2e.traffic import Traffic

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(1800)]

COMPONENTS = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
REPLICAS = 3


def test_every_pod_is_replaced_and_no_request_fails(zones: Cluster, tmp_path: Path) -> None:
    policy = "--control-plane-availability-policy=HighlyAvailable"
    with a_hosted_cluster(zones, "restarted", tmp_path, policy) as hosted:
        before = ready(hosted)
        with Traffic(hosted.kubeconfig) as traffic:
            time.sleep(5)
            began = time.monotonic()
            hosted.annotate("hypershift.openshift.io/restart-date=today")
            hosted.until(lambda: replaced(hosted, before), "other pods", lambda: ready(hosted))
            print(f"restarted in {time.monotonic() - began:.0f} s")  # noqa: T201
            time.sleep(5)
        print(traffic.log)  # noqa: T201
        assert traffic.log.failed == []
        assert traffic.lost() == []


def ready(hosted: Hosted) -> dict[str, set[str]]:
    """The pods of each component that are ready, by their uid."""
    return {
        name: {
            pod["metadata"]["uid"]
            for pod in hosted.pods(name)
            for condition in pod["status"].get("conditions", ())
            if (condition["type"], condition["status"]) == ("Ready", "True")
        }
        for name in COMPONENTS
    }


def replaced(hosted: Hosted, before: dict[str, set[str]]) -> bool:
    """Whether every component has all its replicas again, and none of them is an old one."""
    return all(
        len(found) >= min(REPLICAS, len(before[name])) and not found & before[name]
        for name, found in ready(hosted).items()
    )
