"""`networkType: Other`: the user brings flannel; and names that end with a domain of the user's."""

from collections.abc import Iterator

import pytest
from tests.e2e import shop
from tests.e2e.embedded import Cluster, Manifest, a_pod, until
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.own_image import an_image
from tests.e2e.workers import a_pool, is_ready

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1500)]

NAME, DOMAIN, PODS = "brought", "in.side.example", "10.152.0.0/16"
#: The flannel program tells a node's range in a file; what the runtime calls is bridge and
#: host-local, which machines have.
SCRIPT = """
/flanneld --ip-masq --kube-subnet-mgr --iface=$NODE_IP & flannel=$!
trap 'kill $flannel' TERM
until [ -s /run/flannel/subnet.env ]; do sleep 0.2; done
. /run/flannel/subnet.env
cat > /etc/cni/net.d/.flannel <<EOF
{"cniVersion": "1.0.0", "name": "brought", "plugins": [
  {"type": "bridge", "bridge": "cni0", "isDefaultGateway": true, "hairpinMode": true,
   "mtu": $FLANNEL_MTU, "ipam": {"type": "host-local", "ranges": [[{"subnet": "$FLANNEL_SUBNET"}]],
   "routes": [{"dst": "$FLANNEL_NETWORK"}]}},
  {"type": "portmap", "capabilities": {"portMappings": true}}]}
EOF
mv /etc/cni/net.d/.flannel /etc/cni/net.d/10-flannel.conflist
wait $flannel
"""


@pytest.fixture(scope="module")
def brought(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    made = Hosted(cluster, NAME, tmp_path_factory.mktemp(NAME))
    try:
        marks = f"hypershift.openshift.io/cluster-domain={DOMAIN}"
        made.create("--network-type", "Other", "--cluster-cidr", PODS, "--annotations", marks)
        yield made
    finally:
        made.destroy()


def test_nodes_wait_for_the_network_that_the_user_brings(brought: Hosted) -> None:
    image = an_image(brought.management, "flanneld", ("ip", "xtables-nft-multi"), user="0")
    with a_pool(brought, "workers", replicas=2) as pool:
        until(lambda: len(pool.nodes()) == 2, PATIENCE)
        until(lambda: all("NetworkPluginNotReady" in why(one) for one in pool.nodes()), PATIENCE)
        assert not any("kube-router" in one["metadata"]["name"] for one in daemons(brought))
        brought.apply(*flannel(image))
        pool.await_nodes(2)
        brought.await_condition("ControlPlaneConnectionAvailable")
        brought.await_condition("DataPlaneConnectionAvailable")
        names_end_with_the_domain(brought)
        pods_of_both_nodes_meet(brought)


def why(node: Manifest) -> str:
    ready = (one for one in node["status"]["conditions"] if one["type"] == "Ready")
    return "" if is_ready(node) else str(next(ready)["message"])


def daemons(guest: Hosted) -> list[Manifest]:
    found: list[Manifest] = guest.get("daemonsets", "-n", "kube-system")
    return found


def pods_of_both_nodes_meet(guest: Hosted) -> None:
    """A Service with a pod on each node answers a pod, by all of its own pods."""
    guest.apply(shop.a_namespace())
    guest.apply(shop.a_web_shop(guest.management.busybox), shop.a_service())
    rollout = ("rollout", "status", "-n", shop.NAMESPACE, "deployment/web")
    guest.kubectl(*rollout, "--timeout=200s")
    web = guest.get("pods", "-n", shop.NAMESPACE, "-l", "app=web")
    assert len({one["spec"]["nodeName"] for one in web}) == 2
    for asking in web:
        for asked in web:
            script = f"timeout 5 wget -q -O - http://{asked['status']['podIP']}:8080/"
            said = guest.shell(asking["metadata"]["name"], script, shop.NAMESPACE)
            assert said.strip() == asked["metadata"]["name"]


def names_end_with_the_domain(guest: Hosted) -> None:
    name = f"kubernetes.default.svc.{DOMAIN}"
    script = (
        f"curl --silent --show-error --max-time 5 --cacert "
        f"/var/run/secrets/kubernetes.io/serviceaccount/ca.crt https://{name}/version"
    )
    asks = a_pod("asks", guest.management.images["cli"], "exec sleep 100000")
    guest.apply(asks)
    guest.kubectl("wait", "pod/asks", "--for=condition=Ready", "--timeout=200s")
    until(lambda: "gitVersion" in guest.shell("asks", script), PATIENCE)
    assert f"default.svc.{DOMAIN}" in guest.shell("asks", "cat /etc/resolv.conf")
    refused = guest.try_kubectl(
        "exec", "asks", "--", "nslookup", "kubernetes.default.svc.cluster.local"
    )
    assert refused.returncode != 0


def flannel(image: str) -> list[Manifest]:
    """What flannel's users apply: rights, configuration, one pod for each node."""
    place = {"name": "flannel", "namespace": "kube-system"}
    network = f'{{"Network": "{PODS}", "Backend": {{"Type": "vxlan"}}}}'
    rules = [
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]},
        {"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "watch"]},
        {"apiGroups": [""], "resources": ["nodes/status"], "verbs": ["patch"]},
    ]
    rbac = {"apiVersion": "rbac.authorization.k8s.io/v1", "metadata": {"name": "flannel"}}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "flannel"}
    subject = {"kind": "ServiceAccount", **place}
    return [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": place},
        {**rbac, "kind": "ClusterRole", "rules": rules},
        {**rbac, "kind": "ClusterRoleBinding", "roleRef": role, "subjects": [subject]},
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": place,
            "data": {"net-conf.json": network},
        },
        daemon(image, place),
    ]


def daemon(image: str, place: Manifest) -> Manifest:
    mounts = {"/etc/kube-flannel": "config", "/etc/cni/net.d": "cni", "/run/flannel": "run"}
    field = {"POD_NAME": "metadata.name", "POD_NAMESPACE": "metadata.namespace"}
    field |= {"NODE_IP": "status.hostIP", "NODE_NAME": "spec.nodeName"}
    container = {
        "name": "flannel",
        "image": image,
        "command": ["sh", "-c", SCRIPT],
        "env": [
            *(
                {"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}}
                for name, path in field.items()
            ),
            {"name": "KUBERNETES_SERVICE_HOST", "value": "172.20.0.1"},
            {"name": "KUBERNETES_SERVICE_PORT", "value": "6443"},
        ],
        "securityContext": {"privileged": True},
        "volumeMounts": [{"name": name, "mountPath": path} for path, name in mounts.items()],
    }
    pod = {
        "hostNetwork": True,
        "serviceAccountName": "flannel",
        "tolerations": [{"operator": "Exists"}],
        "containers": [container],
        "volumes": [
            {"name": "config", "configMap": {"name": "flannel"}},
            {"name": "cni", "hostPath": {"path": "/etc/cni/net.d", "type": "DirectoryOrCreate"}},
            {"name": "run", "hostPath": {"path": "/run/flannel", "type": "DirectoryOrCreate"}},
        ],
    }
    labels = {"app": "flannel"}
    spec = {
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    return {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": place, "spec": spec}
