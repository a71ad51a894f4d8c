"""Break-glass certificates and a real API server: accepted, then refused after a revocation.

One API server plays both parts: it stores the objects of the management cluster, and it is the
hosted API server whose file of client authorities a kubelet brings up to date.
"""

import asyncio
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from tests.integration.operators.samples import a_cluster
from tests.lib.server import RealServer, available
from tests.lib.signers import (
    NAMESPACE,
    a_request,
    a_revocation,
    an_approval,
    deployment,
    pkcs10,
    pod,
)

from hypershift.api.conditions import RevocationCondition
from hypershift.api.schema.manifests import crds
from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.controlplane import control_plane_pki_operator
from hypershift.kit import Manifest, Secret
from hypershift.kube import ApiError, Client, Forbidden, Unauthorized, kinds
from hypershift.kube.config import Impersonation, from_dict
from hypershift.operators.hypershift.hosted_cluster.rules import signing
from hypershift.operators.pki import CUSTOMER, SRE, Environment, SignerClass, controllers
from hypershift.operators.pki.verify import Replica, accepts
from hypershift.pki import KeyPair, Leaf, Usage, key_to_pem, new_key, read_authority
from hypershift.process.dedicated import confined
from hypershift.runtime import Leadership, Manager, is_true

pytestmark = pytest.mark.integration

PATIENCE = 150.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    if not available():
        pytest.skip("the parts etcd and kube-apiserver are not here")
    made = RealServer(tmp_path_factory.mktemp("server"))
    _serve_as_hosted(made.directory)
    try:
        made.start()
        yield made
    finally:
        made.stop()


def _serve_as_hosted(files: Path) -> None:
    """Let the API server have the name by which control planes know theirs."""
    ca = (files / "ca.crt").read_bytes()
    authority = read_authority(ca, (files / "ca.key").read_bytes())
    assert authority is not None
    leaf = Leaf(
        "kube-apiserver",
        usage=Usage.SERVER,
        dns_names=frozenset({"kube-apiserver", "localhost"}),
        ip_addresses=frozenset({"127.0.0.1"}),
    )
    pair = authority.issue(leaf, datetime.now(UTC))
    (files / "serving.crt").write_bytes(pair.certificate)
    (files / "serving.key").write_bytes(pair.key.reveal())
    (files / "root.crt").write_bytes(ca)


async def _kubelet(client: Client, files: Path) -> None:
    """Bring what the API server trusts to what the control plane's bundle says."""
    root = (files / "root.crt").read_text()
    while True:
        await asyncio.sleep(0.5)
        with suppress(ApiError):
            found = await client.find(kinds.CONFIG_MAP, "total-client-ca", NAMESPACE) or {}
            wanted = root + (found.get("data") or {}).get("ca-bundle.crt", "")
            if (files / "ca.crt").read_text() != wanted:
                (files / "ca.crt.new").write_text(wanted)
                (files / "ca.crt.new").replace(files / "ca.crt")


def _plane() -> Manifest:
    spec = a_cluster("blue")["spec"]
    release = spec.pop("release")["image"]
    etcd = {"managementType": "Managed", "managed": {"storage": {"type": "PersistentVolume"}}}
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedControlPlane",
        "metadata": {"name": "blue", "namespace": NAMESPACE},
        "spec": spec
        | {
            "releaseImage": release,
            "infraID": "blue-x",
            "issuerURL": "https://kubernetes.default.svc",
            "etcd": etcd,
        },
    }


async def _prepare(client: Client, server: RealServer) -> None:
    if await client.find(kinds.NAMESPACE, NAMESPACE) is not None:
        return  # by the test before
    for definition in crds(gates=("LocalPlatform",)):
        await client.apply(definition)
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    await client.apply(space)
    root = b64encode((server.directory / "root.crt").read_bytes()).decode()
    secret = {"name": "root-ca", "namespace": NAMESPACE}
    await client.apply(
        {"apiVersion": "v1", "kind": "Secret", "metadata": secret, "data": {"ca.crt": root}}
    )
    wanted = deployment(1)
    wanted["spec"]["template"]["spec"] = {"containers": [{"name": "kube-apiserver", "image": "i"}]}
    await client.create(wanted)
    made = pod(0)
    made["spec"]["containers"][0]["ports"][0]["containerPort"] = server.port
    made = await client.create(made)
    ready = {"type": "Ready", "status": "True"}
    status = {"podIP": "127.0.0.1", "podIPs": [{"ip": "127.0.0.1"}], "conditions": [ready]}
    await client.replace_status(made | {"status": status})
    for _ in range(50):
        with suppress(ApiError):
            await client.create(_plane())
            return
        await asyncio.sleep(0.2)
    await client.create(_plane())


@pytest.fixture
async def management(server: RealServer) -> AsyncIterator[Client]:
    async with server.client() as client, server.client("operator") as theirs:
        await _prepare(client, server)
        manager = Manager(theirs, controllers(Environment()))
        tasks = [
            asyncio.create_task(manager.run()),
            asyncio.create_task(_kubelet(client, server.directory)),
        ]
        try:
            yield client
        finally:
            manager.stop()
            tasks[1].cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _credentials(client: Client, which: SignerClass, name: str) -> KeyPair:
    key = new_key()
    text = pkcs10(f"{which.common_name_prefix}{name}", key=key)
    await client.create(a_request(which, name, request=text))
    await client.create(an_approval(name))
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await client.get(kinds.CERTIFICATE_SIGNING_REQUEST, name)
            if pem := (found.get("status") or {}).get("certificate"):
                return KeyPair(b64decode(pem), Secret(key_to_pem(key)))
            await asyncio.sleep(0.2)


async def test_a_certificate_opens_the_api_until_its_signer_is_revoked(
    server: RealServer, management: Client
) -> None:
    replica = Replica("kube-apiserver-0", "127.0.0.1", server.port)
    root = (server.directory / "root.crt").read_bytes()

    async def opens(pair: KeyPair) -> bool:
        return await accepts(replica, root, pair)

    alice = await _credentials(management, CUSTOMER, "alice")
    carol = await _credentials(management, SRE, "carol")
    async with asyncio.timeout(PATIENCE):
        while not (await opens(alice) and await opens(carol)):  # noqa: ASYNC110
            await asyncio.sleep(0.5)

    await management.create(a_revocation(CUSTOMER.name))
    resource = kinds.CERTIFICATE_REVOCATION_REQUEST
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await management.get(resource, "compromised", NAMESPACE)
            if is_true(found, RevocationCondition.PREVIOUS_CERTIFICATES_REVOKED):
                break
            await asyncio.sleep(0.5)

    assert all(is_true(found, kind) for kind in RevocationCondition)
    assert not await opens(alice)
    assert await opens(carol)
    bob = await _credentials(management, CUSTOMER, "bob")
    assert await opens(bob)


async def test_the_command_writes_a_kubeconfig_that_works_for_its_owner_alone(
    server: RealServer, management: Client, tmp_path: Path
) -> None:
    published = b64encode(yaml.safe_dump(server.kubeconfig).encode()).decode()
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "clusters"}}
    await management.apply(space)
    secret = {"name": "blue-admin-kubeconfig", "namespace": "clusters"}
    data = {"kubeconfig": published}
    await management.apply({"apiVersion": "v1", "kind": "Secret", "metadata": secret, "data": data})
    await management.create(a_cluster("blue"))
    status = {"status": {"kubeconfig": {"name": secret["name"]}, "conditions": []}}
    await management.patch(kinds.HOSTED_CLUSTER, "blue", status, "clusters", subresource="status")
    admin, made = tmp_path / "admin", tmp_path / "made"
    admin.write_text(yaml.safe_dump(server.kubeconfig))
    words = ["create", "break-glass-credentials", "--name", "blue", "--signer", "sre"]
    words += ["--kubeconfig", str(admin), "--output-file", str(made)]
    assert await asyncio.to_thread(execute, HYPERSHIFT, words) == 0
    assert made.stat().st_mode & 0o777 == 0o600
    async with asyncio.timeout(PATIENCE), Client.connect(made) as client:
        while True:
            with suppress(Unauthorized):
                assert await client.list(kinds.NAMESPACE)
                return
            await asyncio.sleep(0.5)


def _account(server: RealServer) -> Client:
    """Who the pod of a Dedicated cluster's PKI operator is."""
    user = f"system:serviceaccount:{NAMESPACE}:{signing.ACCOUNT}"
    groups = ("system:serviceaccounts", f"system:serviceaccounts:{NAMESPACE}")
    admin = from_dict(server.kubeconfig)
    return Client.from_config(replace(admin, impersonate=Impersonation(user, groups)))


async def _grant(client: Client) -> None:
    """Write the rights as operators write them: the component's own, and those for signers."""
    for name in ("role", "rolebinding"):
        text = (control_plane_pki_operator.OPENSHIFT.assets / f"{name}.yaml").read_text()
        manifest = yaml.safe_load(text)
        manifest["metadata"]["namespace"] = NAMESPACE
        for subject in manifest.get("subjects", ()):
            subject["namespace"] = NAMESPACE
        await client.apply(manifest)
    for manifest in signing.manifests(NAMESPACE, {"owner": "blue"}):
        await client.apply(manifest)


@pytest.fixture
async def dedicated(server: RealServer) -> AsyncIterator[Client]:
    """The operators of one namespace, with the rights of their account alone."""
    async with server.client() as client, _account(server) as theirs:
        await _prepare(client, server)
        await _grant(client)
        wanted = [confined(one, NAMESPACE) for one in controllers(Environment(), NAMESPACE)]
        manager = Manager(theirs, wanted, leadership=Leadership("pki", NAMESPACE, "one"))
        tasks = [
            asyncio.create_task(manager.run()),
            asyncio.create_task(_kubelet(client, server.directory)),
        ]
        try:
            yield client
        finally:
            manager.stop()
            tasks[1].cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_dedicated_operator_signs_and_revokes_with_its_own_rights(
    server: RealServer, dedicated: Client
) -> None:
    replica = Replica("kube-apiserver-0", "127.0.0.1", server.port)
    root = (server.directory / "root.crt").read_bytes()
    dora = await _credentials(dedicated, CUSTOMER, "dora")
    async with asyncio.timeout(PATIENCE):
        while not await accepts(replica, root, dora):  # noqa: ASYNC110
            await asyncio.sleep(0.5)
    await dedicated.create(a_revocation(CUSTOMER.name, "dedicated"))
    async with asyncio.timeout(PATIENCE):
        while await accepts(replica, root, dora):  # noqa: ASYNC110
            await asyncio.sleep(0.5)


async def test_a_dedicated_operator_may_not_approve_for_another_cluster(
    server: RealServer, dedicated: Client
) -> None:
    request = a_request(CUSTOMER, "foreign", request=pkcs10("system:customer-break-glass:eve"))
    request["spec"]["signerName"] = CUSTOMER.signer_name("clusters-green")
    found = await dedicated.create(request)
    approved = {"type": "Approved", "status": "True", "reason": "Mine", "message": "mine"}
    async with _account(server) as theirs:
        with pytest.raises(Forbidden, match="not permitted to approve"):
            await theirs.replace(
                found | {"status": {"conditions": [approved]}}, subresource="approval"
            )
        with pytest.raises(Forbidden):
            await theirs.list(kinds.SECRET)
