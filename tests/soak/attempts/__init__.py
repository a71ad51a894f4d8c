"""What one tenant tries against another, the management cluster and its own containment."""

from tests.soak.attempts.attempt import Attempt
from tests.soak.attempts.consumer import (
    annotated,
    as_consumer,
    claims_the_plane,
    makes_a_token,
    patched,
)
from tests.soak.attempts.identities import (
    asks_for_ignition,
    calls_out_by_webhook,
    joins_the_others_tunnel,
    shows_a_token,
    shows_its_certificates,
)
from tests.soak.attempts.network import (
    api_pods,
    asks,
    etcd,
    from_machine,
    from_plane,
    kubelets,
    machines,
    management_api,
    metadata_service,
    operator,
    pods_of_kubelets,
    pushes,
    secrets_of_management,
)
from tests.soak.attempts.objects import (
    borrows_a_config_map,
    has_a_kubeconfig_copied,
    orders_machines_for_the_other,
    sends_a_bomb,
)

from hypershift.api import annotations

IMAGE = annotations.CONTROL_PLANE_OPERATOR_IMAGE
ATTEMPTS: dict[str, Attempt] = {
    "the consumer lists the other's Secrets": as_consumer("get", "secrets", "-n", "{theirs}"),
    "... reads the other's cluster": as_consumer("get", "hostedcluster", "-n", "{theirs}"),
    "... deletes the other's cluster": as_consumer(
        "delete", "hostedcluster", "{their_cluster}", "-n", "{theirs}"
    ),
    "... lists Secrets of the other's control plane": as_consumer(
        "get", "secrets", "-n", "{their_plane}"
    ),
    "... lists Secrets of its own control plane": as_consumer("get", "secrets", "-n", "{my_plane}"),
    "... opens a shell in its own control plane": as_consumer(
        "exec", "-n", "{my_plane}", "etcd-0", "--", "true"
    ),
    "... runs a pod": as_consumer("run", "pod", "-n", "{mine}", "--image=busybox"),
    "... creates a Namespace": as_consumer("create", "namespace", "more"),
    "... gives itself a role": as_consumer(
        "create", "rolebinding", "more", "-n", "{mine}", "--clusterrole=admin", "--user=anybody"
    ),
    "... replaces an image of its control plane": annotated(IMAGE, "evil.example.org/operator:1"),
    "... lifts pod security": annotated(
        annotations.POD_SECURITY_ADMISSION_LABEL_OVERRIDE, "privileged"
    ),
    "... turns off the ignition server": annotated(annotations.DISABLE_IGNITION_SERVER, "true"),
    "... chooses management nodes": patched({"spec": {"nodeSelector": {"role": "infra"}}}),
    "... takes a release of its own": patched(
        {"spec": {"release": {"image": "evil.example.org/release:1"}}}
    ),
    "... makes a token by a Secret": makes_a_token,
    "... claims the other's control plane namespace": claims_the_plane,
    "... orders machines for the other's cluster": orders_machines_for_the_other,
    "... refers to the other's ConfigMap": borrows_a_config_map,
    "... sends a document that unfolds": sends_a_bomb,
    "... has a Secret copied over the operator's": has_a_kubeconfig_copied,
    "its control plane connects to the other's etcd": from_plane(etcd),
    "... to kubelets of the management cluster": from_plane(kubelets),
    "... to the other's machines": from_plane(machines),
    "... to the management API": from_plane(management_api),
    "... to the other's API server": from_plane(api_pods),
    "... to the metadata service": from_plane(metadata_service),
    "... to the operator's metrics": from_plane(operator),
    "its machine connects to the other's etcd": from_machine(etcd),
    "its machine connects to the operator's metrics": from_machine(operator),
    "... asks the management API for Secrets": asks(secrets_of_management),
    "... asks kubelets for pods": asks(pods_of_kubelets),
    "... pushes an image": pushes,
    "... asks for the other's ignition": asks_for_ignition,
    "its certificates are shown to the other's API": shows_its_certificates,
    "its token is shown to the other's API": shows_a_token,
    "its agent joins the other's tunnel": joins_the_others_tunnel,
    "its webhook calls the management API": calls_out_by_webhook,
}
