"""A pool whose machines do not become nodes, and the object that is named for it."""

import base64
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from tests.unit.explain.pictures import (
    SPACE,
    a_condition,
    a_machine,
    a_node,
    a_picture,
    a_pool,
    an_object,
    first,
)

from hypershift.explain import UserData, explain_cluster, explain_pool
from hypershift.kit import Manifest

WELL = UserData("user-data-demo-abc", "token-demo-abc", valid=True)


def the_service(*, ready: bool = True) -> tuple[Manifest, Manifest]:
    service = an_object("Service", "ignition-server", namespace="hypershift")
    piece = {
        **an_object("EndpointSlice", "ignition-server-x", namespace="hypershift"),
        "endpoints": [{"conditions": {"ready": ready}}],
    }
    piece["metadata"]["labels"] = {"kubernetes.io/service-name": "ignition-server"}
    return service, piece


def named(*objects: Manifest, pool: Manifest | None = None, **fields: Any) -> str:
    chosen = pool or a_pool(a_condition("Ready", "False"))
    fields.setdefault("user_data", (WELL,))
    return first(explain_pool(a_picture(chosen, *objects, **fields), chosen))


def test_a_pool_that_is_well_has_no_cause() -> None:
    machine = a_machine(node="m-1")
    pool = a_pool()
    picture = a_picture(pool, machine, *the_service(), guest=(a_node("m-1"),))
    assert explain_pool(picture, pool).well


def test_a_refused_spec_is_the_pools_own_trouble() -> None:
    pool = a_pool(a_condition("ValidMachineConfig", "False", "ValidationFailed", "no such map"))
    assert named(pool=pool) == "NodePool clusters/demo"


def test_a_machine_that_fell_is_named() -> None:
    local = an_object("LocalMachine", "m-1", a_condition("Ready", "False", "MachineFell"))
    assert named(a_machine(node="m-1"), local) == f"LocalMachine {SPACE}/m-1"


def test_a_machine_with_an_old_token_points_at_the_token() -> None:
    old = UserData("user-data-demo-abc", "token-demo-abc", valid=False, why="it expired")
    found = named(a_machine(), *the_service(), user_data=(old,))
    assert found == f"Secret {SPACE}/token-demo-abc"


def test_a_token_secret_that_is_younger_than_the_machine_is_not_its_own() -> None:
    anew = UserData("user-data-demo-abc", "token-demo-abc", valid=True, made="2026-01-01T11:59:59Z")
    found = named(a_machine(), *the_service(), user_data=(anew,))
    assert found == f"Secret {SPACE}/token-demo-abc"


def test_user_data_that_is_gone_is_named() -> None:
    found = named(a_machine(), *the_service(), user_data=())
    assert found == f"Secret {SPACE}/user-data-demo-abc"


def test_an_ignition_service_without_pods_is_named() -> None:
    found = named(a_machine(), *the_service(ready=False))
    assert found == "Service hypershift/ignition-server"


def test_an_ignition_service_that_is_gone_is_named() -> None:
    assert named(a_machine()) == "Service hypershift/ignition-server"


def a_request(node: str, *conditions: Manifest) -> Manifest:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"system:node:{node}")])
    key = ec.generate_private_key(ec.SECP256R1())
    request = x509.CertificateSigningRequestBuilder().subject_name(name).sign(key, hashes.SHA256())
    pem = base64.b64encode(request.public_bytes(Encoding.PEM)).decode()
    made = an_object(
        "CertificateSigningRequest",
        "csr-1",
        *conditions,
        spec={"signerName": "kubernetes.io/kube-apiserver-client-kubelet", "request": pem},
    )
    made["metadata"].pop("namespace")
    return made


def test_a_denied_request_is_named() -> None:
    denied = a_request("m-1", a_condition("Denied", message="no"))
    assert named(a_machine(), *the_service(), guest=(denied,)) == "CertificateSigningRequest csr-1"


def test_a_request_that_nobody_approves_is_named() -> None:
    pending = a_request("m-1")
    assert named(a_machine(), *the_service(), guest=(pending,)) == "CertificateSigningRequest csr-1"


def test_requests_of_strangers_are_left_alone() -> None:
    found = named(a_machine(), *the_service(), guest=(a_request("stranger"),))
    assert found == f"Machine {SPACE}/m-1"


def test_a_node_that_went_away_is_named() -> None:
    away = a_node("m-1", "Unknown", "Kubelet stopped posting node status.")
    away["metadata"].pop("namespace")
    assert named(a_machine(node="m-1"), *the_service(), guest=(away,)) == "Node m-1"


def test_the_clusters_trouble_comes_first_while_it_is_not_available() -> None:
    members = an_object("StatefulSet", "etcd", spec={"replicas": 3})
    bad = a_condition("Available", "False")
    cluster = an_object("HostedCluster", "demo", bad, namespace="clusters")
    cluster["spec"] = {"release": {"image": "i"}}
    found = named(a_machine(), members, *the_service(ready=False), cluster=cluster)
    assert found == f"StatefulSet {SPACE}/etcd"


def test_a_clusters_explanation_includes_its_pools() -> None:
    picture = a_picture(a_pool(), a_machine(), user_data=(WELL,))
    assert first(explain_cluster(picture)) == "Service hypershift/ignition-server"


def test_a_condition_that_follows_from_a_fallen_machine_does_not_hide_it() -> None:
    bad = a_condition("DataPlaneConnectionAvailable", "False", "KonnectivityUnavailable")
    plane = an_object("HostedControlPlane", "demo", a_condition("Available"), bad)
    local = an_object("LocalMachine", "m-1", a_condition("Ready", "False", "MachineFell"))
    picture = a_picture(plane, local, a_machine(node="m-1"), user_data=(WELL,))
    assert first(explain_cluster(picture)) == f"LocalMachine {SPACE}/m-1"


def test_a_pool_that_cannot_be_deleted_says_what_holds_it() -> None:
    pool = a_pool(a_condition("Ready", "False", "DeletionFailed", "machines cannot be listed"))
    pool["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    (cause, *_) = explain_pool(a_picture(pool), pool).causes
    assert "machines cannot be listed" in cause.cause


def test_a_pool_without_a_control_plane_of_its_cluster_says_whose_it_is() -> None:
    why = "the control plane namespace 'team-red' belongs to hosted cluster a/b"
    pool = a_pool(a_condition("Ready", "False", "ControlPlaneNamespaceNotOwned", why))
    (cause, *_) = explain_pool(a_picture(pool), pool).causes
    assert why in cause.cause
