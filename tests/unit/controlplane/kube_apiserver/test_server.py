"""kube-apiserver of the Kubernetes payload: whom it asks, how it stops, its limits."""

import re
from typing import Any

import pytest
import yaml
from tests.unit.component.clusters import a_view, container, flags
from tests.unit.controlplane.kube_apiserver.servers import HIGHLY_AVAILABLE, deployment, objects

from hypershift.component import Management, View
from hypershift.controlplane.kube_apiserver.config import document
from hypershift.kit import Manifest


def arguments(view: View) -> Manifest:
    """The flags in the configuration file of OpenShift's server."""
    found: Manifest = document(view)["apiServerArguments"]
    return found


def test_a_single_server_asks_one_etcd_and_several_ask_every_member() -> None:
    single = flags(deployment(a_view()), "kube-apiserver")["etcd-servers"]
    several = flags(deployment(a_view(**HIGHLY_AVAILABLE)), "kube-apiserver")["etcd-servers"]
    assert single == "https://etcd-client.clusters-demo.svc:2379"
    assert len(several.split(",")) == 3


def test_an_unmanaged_etcd_is_asked_where_the_user_says() -> None:
    etcd = {"managementType": "Unmanaged", "unmanaged": {"endpoint": "https://mine:2379"}}
    found = flags(deployment(a_view(etcd=etcd)), "kube-apiserver")
    assert found["etcd-servers"] == "https://mine:2379"


def test_kinds_that_another_etcd_keeps_are_asked_for_there() -> None:
    kinds = [{"resource": "events"}, {"apiGroup": "coordination.k8s.io", "resource": "leases"}]
    shard = {"name": "events", "endpoint": "https://other:2379", "resources": kinds}
    unmanaged = {"endpoint": "https://mine:2379", "shards": [shard]}
    view = a_view(etcd={"managementType": "Unmanaged", "unmanaged": unmanaged})
    found = flags(deployment(view), "kube-apiserver")["etcd-servers-overrides"]
    other = "https://other:2379"
    assert found == f"/events#{other},coordination.k8s.io/leases#{other}"
    assert arguments(view)["etcd-servers-overrides"] == found.split(",")
    assert "etcd-servers-overrides" not in arguments(a_view())


KEPT = {
    "audit-log-persistence": ('{"auditLog":{"maxBackup":7,"maxSize":30},"storage":{"size":"1Gi"}}')
}


def test_a_kept_audit_log_is_rotated_as_asked_on_a_volume_of_the_servers_user() -> None:
    management = Management(frozenset(), uid=1_000_000_123, restricted=False)
    found = deployment(a_view(annotations=KEPT, management=management))
    given = flags(found, "kube-apiserver")
    assert (given["audit-log-maxbackup"], given["audit-log-maxsize"]) == ("7", "30")
    args = container(found, "kube-apiserver")["args"]
    assert len([arg for arg in args if arg.startswith("--audit-log-maxsize")]) == 1
    spec = found["spec"]["template"]["spec"]
    (volume,) = [one for one in spec["volumes"] if one["name"] == "logs"]
    assert list(volume) == ["name", "ephemeral"]
    assert spec["securityContext"]["fsGroup"] == spec["securityContext"]["runAsUser"]
    without = deployment(a_view(management=management))["spec"]["template"]["spec"]
    assert "fsGroup" not in without["securityContext"]
    ours = arguments(a_view(annotations=KEPT))
    assert ours["audit-log-maxsize"] == ["30"]
    assert "audit-log-maxsize" not in arguments(a_view())


def test_several_servers_hand_over_before_they_stop() -> None:
    found = deployment(a_view(**HIGHLY_AVAILABLE))
    spec = found["spec"]["template"]["spec"]
    delay = int(flags(found, "kube-apiserver")["shutdown-delay-duration"].removesuffix("s"))
    sleep = container(found, "konnectivity-server")["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert spec["terminationGracePeriodSeconds"] > delay == sleep


def test_a_single_server_hands_over_sooner_and_ends_its_watches_itself() -> None:
    found = deployment(a_view())
    given = flags(found, "kube-apiserver")
    delay = int(given["shutdown-delay-duration"].removesuffix("s"))
    watches = int(given["shutdown-watch-termination-grace-period"].removesuffix("s"))
    several = flags(deployment(a_view(**HIGHLY_AVAILABLE)), "kube-apiserver")
    assert delay < int(several["shutdown-delay-duration"].removesuffix("s"))
    grace = found["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]
    assert 0 < watches < grace - delay


@pytest.mark.parametrize("policy", [{}, HIGHLY_AVAILABLE])
def test_a_server_closes_its_door_on_one_processor(policy: dict[str, Any]) -> None:
    found = deployment(a_view(**policy))
    server = container(found, "kube-apiserver")
    (*_, script) = server["lifecycle"]["preStop"]["exec"]["command"]
    (before,) = re.findall(r"sleep (\d+)\n.*\n *taskset ", script)
    delay = int(flags(found, "kube-apiserver")["shutdown-delay-duration"].removesuffix("s"))
    # Go looks once a second, and a hook that waited would only put the end off
    assert 1 < delay - int(before) < delay
    assert script.endswith("&")
    assert {"name": "GODEBUG", "value": "updatemaxprocs=1"} in server["env"]


def test_a_server_that_stops_closes_its_connections_instead_of_refusing_requests() -> None:
    for view in (a_view(), a_view(**HIGHLY_AVAILABLE)):
        assert "shutdown-send-retry-after" not in flags(deployment(view), "kube-apiserver")


def test_the_server_reaches_the_konnectivity_server_beside_it_by_http_connect() -> None:
    view = a_view(**HIGHLY_AVAILABLE)
    selector = yaml.safe_load(
        objects(view)["ConfigMap", "kas-egress-selector-config"]["data"]["config.yaml"]
    )
    cluster = next(s for s in selector["egressSelections"] if s["name"] == "cluster")
    found = flags(deployment(view), "konnectivity-server")
    assert cluster["connection"]["proxyProtocol"] == "HTTPConnect"
    assert cluster["connection"]["transport"]["tcp"]["url"] == "https://127.0.0.1:8090"
    assert (found["mode"], found["server-port"]) == ("http-connect", "8090")
    assert found["server-count"] == "3"


def test_who_asks_the_tunnel_shows_a_certificate_that_the_server_checks() -> None:
    view = a_view(**HIGHLY_AVAILABLE)
    text = objects(view)["ConfigMap", "kas-egress-selector-config"]["data"]["config.yaml"]
    cluster = next(s for s in yaml.safe_load(text)["egressSelections"] if s["name"] == "cluster")
    files = cluster["connection"]["transport"]["tcp"]["tlsConfig"]
    found = flags(deployment(view), "konnectivity-server")
    assert found["server-ca-cert"] == "/etc/konnectivity/ca/ca.crt"
    pod = deployment(view)["spec"]["template"]["spec"]
    mounts = {
        container["name"]: {mount["mountPath"] for mount in container["volumeMounts"]}
        for container in pod["containers"]
    }
    for path in files.values():
        assert path.rpartition("/")[0] in mounts["kube-apiserver"]
    for name in ("server-cert", "server-key", "server-ca-cert"):
        assert found[name].rpartition("/")[0] in mounts["konnectivity-server"]


def test_other_programs_of_the_control_plane_find_the_tunnel_by_a_service() -> None:
    service = objects(a_view())["Service", "konnectivity-server-local"]
    assert service["spec"]["ports"][0]["port"] == 8090


def test_annotations_change_the_limits() -> None:
    view = a_view(
        annotations={
            "kube-apiserver-max-requests-inflight": "5000",
            "kube-apiserver-verbosity-level": "4",
            "kube-apiserver-gogc": "25",
            "disable-profiling": "kube-apiserver",
        }
    )
    found = flags(deployment(view), "kube-apiserver")
    assert (found["max-requests-inflight"], found["v"], found["profiling"]) == (
        "5000",
        "4",
        "false",
    )
    env = container(deployment(view), "kube-apiserver")["env"]
    assert {"name": "GOGC", "value": "25"} in env


def test_what_is_no_verbosity_is_as_good_as_none() -> None:
    for said, level in (("loud", "2"), ("", "2"), ("4", "4"), ("+06", "6")):
        view = a_view(annotations={"kube-apiserver-verbosity-level": said})
        assert flags(deployment(view), "kube-apiserver")["v"] == level
