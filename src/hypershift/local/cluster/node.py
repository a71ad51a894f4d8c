"""The management cluster's nodes: the user data of each machine."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from hypershift.ignition import (
    Config,
    Dropin,
    Mirror,
    NodeSettings,
    Storage,
    Systemd,
    Unit,
    certificate_kubeconfig,
    file,
    merge,
    node_config,
    unit,
)
from hypershift.kit import Secret
from hypershift.local.cluster import pki
from hypershift.local.cluster.plan import Plan, node_name, node_names, zone_name
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.units.resolver import REGISTRY_HOST
from hypershift.pki import KeyPair

SERVING_CERTIFICATE = "/etc/kubernetes/kubelet-serving.crt"
SERVING_KEY = "/etc/kubernetes/kubelet-serving.key"
AWAIT_API = "/etc/kubernetes/await-api.sh"
#: What a node runs before it is ready; fetched while the API server starts.
FIRST_IMAGES = ("pause", "kube-router")
MAX_PODS = 500
LEASE_SECONDS = 10


def names(spec: Spec) -> tuple[str, ...]:
    """The nodes of a cluster."""
    return node_names(spec.name, spec.nodes)


def zone_of(spec: Spec, number: int) -> str:
    """Nodes go round the zones, so that any two zones differ by one node at most."""
    return zone_name(number % spec.zones)


def nodes_in(spec: Spec, zone: str) -> tuple[str, ...]:
    """The nodes of one zone."""
    return tuple(
        node_name(spec.name, number)
        for number in range(spec.nodes)
        if zone_of(spec, number) == zone
    )


def user_data(
    where: Layout, spec: Spec, number: int, images: Mapping[str, str], now: datetime
) -> Config:
    """A full configuration: no ignition server runs before the first node does."""
    early = _early(spec.plan, [images[name] for name in FIRST_IMAGES])
    return merge(essentials(where, spec, number, images, now), early)


def essentials(
    where: Layout, spec: Spec, number: int, images: Mapping[str, str], now: datetime
) -> Config:
    """What a node needs to join, and nothing that makes it faster."""
    plan, name = spec.plan, node_name(spec.name, number)
    client, serving = pki.node_pairs(where, name, str(plan.machine(number)), now)
    authority = (where.pki / "ca.crt").read_text()
    settings = NodeSettings(
        authority=authority,
        kubeconfig=certificate_kubeconfig(
            plan.api_url,
            authority,
            client.certificate.decode(),
            Secret(client.key.reveal().decode()),
        ),
        bootstrap=False,
        sandbox_image=images["pause"],
        cluster_dns=(str(plan.dns_service),),
        mirrors=(Mirror(REGISTRY_HOST, (f"http://{plan.registry}",)),),
        max_pods=MAX_PODS,
        kubelet={
            "serverTLSBootstrap": False,
            "rotateCertificates": False,
            "tlsCertFile": SERVING_CERTIFICATE,
            "tlsPrivateKeyFile": SERVING_KEY,
            # Renewed every quarter of it: the sooner a dead node is noticed.
            "nodeLeaseDurationSeconds": LEASE_SECONDS,
            "nodeStatusUpdateFrequency": "5s",
        },
    )
    return merge(node_config(settings), _serving(serving))


def _serving(pair: KeyPair) -> Config:
    return Config(
        storage=Storage(
            files=(
                file(SERVING_CERTIFICATE, pair.certificate.decode()),
                file(SERVING_KEY, pair.key.reveal().decode(), 0o600),
            )
        )
    )


def _early(plan: Plan, references: Sequence[str]) -> Config:
    """Let a machine boot before the API server serves, and lose no time by it.

    The first images are fetched meanwhile. The kubelet waits, since it would knock at the door,
    be refused, and come back after pauses that grow to seconds; after a minute it starts anyway.
    """
    ask = f"OPENSSL:{plan.gateway}:6443,verify=0"
    script = f"""\
#!/bin/sh
tries=300
ask() {{ printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' | socat -t2 - {ask} 2>/dev/null; }}
until ask | grep -q ' 200 '; do
  tries=$((tries - 1))
  [ $tries -gt 0 ] || exit 0
  usleep 200000
done
"""
    pull = "/usr/bin/ctr -n k8s.io images pull --hosts-dir /etc/containerd/certs.d"
    fetch = "\n".join(f"ExecStart=-{pull} {each}" for each in references)
    first_images = f"""\
[Unit]
After=containerd.service

[Service]
Type=oneshot
{fetch}

[Install]
WantedBy=multi-user.target
"""
    wait = Dropin(name="10-await-api.conf", contents=f"[Service]\nExecStartPre={AWAIT_API}\n")
    return Config(
        storage=Storage(files=(file(AWAIT_API, script, 0o755),)),
        systemd=Systemd(
            units=(
                Unit(name="kubelet.service", dropins=(wait,)),
                unit("first-images.service", first_images),
            )
        ),
    )
