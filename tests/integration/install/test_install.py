"""Installing on a real API server, again, and taking everything back."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.integration.api.test_server import a_cluster
from tests.lib.server import RealServer

from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.kit import Manifest
from hypershift.kube import Client, Invalid, kinds
from hypershift.kube.recreate import apply_or_recreate
from hypershift.local.addons import apply_all

pytestmark = pytest.mark.integration

FLAGS = ("--hypershift-image=registry.example/hypershift:1", "--limit-crd-install=agent")
#: Kinds of which an uninstalled cluster must have as many as before.
LOOKED_AT = (
    kinds.CUSTOM_RESOURCE_DEFINITION,
    kinds.NAMESPACE,
    kinds.CLUSTER_ROLE,
    kinds.CLUSTER_ROLE_BINDING,
    kinds.ROLE_BINDING,
    kinds.PRIORITY_CLASS,
    kinds.DEPLOYMENT,
)


@pytest.fixture
def kubeconfig(server: RealServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = server.directory / "kubeconfig"
    monkeypatch.setenv("KUBECONFIG", str(path))
    yield path
    assert hypershift("uninstall") == 0


def hypershift(*words: str) -> int:
    return execute(HYPERSHIFT, list(words))


def there(server: RealServer) -> dict[str, dict[str, str]]:
    """What the cluster has: names and versions, by kind."""

    async def look() -> dict[str, dict[str, str]]:
        async with server.client() as client:
            return {str(kind): _versions(await client.list(kind)) for kind in LOOKED_AT}

    return asyncio.run(look())


def _versions(found: list[Manifest]) -> dict[str, str]:
    names = (each["metadata"] for each in found)
    return {f"{m.get('namespace', '')}/{m['name']}": m["resourceVersion"] for m in names}


def do(server: RealServer, action: Any) -> Any:
    async def run() -> Any:
        async with server.client() as client:
            return await action(client)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("words", "manager"),
    [
        pytest.param((), False, id="each cluster has a Cluster API manager of its own"),
        pytest.param(("--shared",), True, id="clusters have a manager in common"),
    ],
)
def test_a_second_installation_writes_nothing_and_an_uninstalled_one_leaves_nothing(
    server: RealServer,
    kubeconfig: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    *,
    manager: bool,
) -> None:
    before = there(server)
    flags = (*FLAGS, *words)
    assert hypershift("install", *flags, "--wait-until-crds-established") == 0
    said = capsys.readouterr().out
    assert "created PriorityClass /hypershift-etcd" in said
    assert "left out, the cluster does not have this kind: ServiceMonitor" in said
    first = there(server)
    assert "hypershift/operator" in first["deployments.apps"]
    assert ("capi-system/capi-controller-manager" in first["deployments.apps"]) is manager
    assert hypershift("install", *flags) == 0
    assert there(server) == first
    assert hypershift("uninstall") == 0
    after = there(server)
    assert {kind: set(names) for kind, names in after.items()} == {
        kind: set(names) for kind, names in before.items()
    }
    assert kubeconfig.exists()


def test_an_upgrade_changes_the_image_and_keeps_the_certificates_of_cluster_api(
    server: RealServer, kubeconfig: Path
) -> None:
    assert kubeconfig.exists()
    assert hypershift("install", *FLAGS, "--shared") == 0

    async def looked(client: Client) -> tuple[str, str]:
        operator = await client.get(kinds.DEPLOYMENT, "operator", "hypershift")
        secret = await client.get(kinds.SECRET, "capi-webhook-certificates", "capi-system")
        image = operator["spec"]["template"]["spec"]["containers"][0]["image"]
        return image, secret["data"]["tls.crt"]

    _, certificate = do(server, looked)
    newer = "--hypershift-image=registry.example/hypershift:2"
    assert hypershift("install", *FLAGS, "--shared", newer) == 0
    assert do(server, looked) == ("registry.example/hypershift:2", certificate)


def of_another_selector(deployment: Manifest) -> Manifest:
    """The same Deployment as an installation with other labels would have made it."""
    labels = {"name": "operator", "app": "elsewhere"}
    spec = deployment["spec"]
    template = {**spec["template"], "metadata": {"labels": labels}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "operator", "namespace": "hypershift"},
        "spec": {**spec, "selector": {"matchLabels": labels}, "template": template},
    }


@pytest.mark.parametrize("local", [False, True])
def test_an_operator_whose_selector_was_another_is_made_anew(
    server: RealServer, kubeconfig: Path, capsys: pytest.CaptureFixture[str], *, local: bool
) -> None:
    assert kubeconfig.exists()
    assert hypershift("install", *FLAGS) == 0

    async def looked(client: Client) -> Manifest:
        return await client.get(kinds.DEPLOYMENT, "operator", "hypershift")

    async def grown_old(client: Client) -> Manifest:
        wanted = await looked(client)
        await client.delete(kinds.DEPLOYMENT, "operator", "hypershift")
        await client.apply(of_another_selector(wanted), manager="hypershift")
        return wanted

    wanted = do(server, grown_old)
    capsys.readouterr()
    if local:
        shape = {key: wanted[key] for key in ("apiVersion", "kind", "spec")}
        place = {"name": "operator", "namespace": "hypershift"}
        do(server, lambda client: apply_all(client, [{**shape, "metadata": place}]))
    else:
        assert hypershift("install", *FLAGS) == 0
        said = capsys.readouterr().out
        assert "because its selector changed: Deployment hypershift/operator" in said
    assert do(server, looked)["spec"]["selector"] == wanted["spec"]["selector"]


def test_a_workload_that_is_wrong_in_another_way_stays_as_it_is(
    server: RealServer, kubeconfig: Path
) -> None:
    assert kubeconfig.exists()
    assert hypershift("install", *FLAGS) == 0
    before = there(server)["deployments.apps"]

    async def wrong(client: Client) -> None:
        found = await client.get(kinds.DEPLOYMENT, "operator", "hypershift")
        spec = {**found["spec"], "replicas": -1}
        place = {"name": "operator", "namespace": "hypershift"}
        shape = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": place, "spec": spec}
        await apply_or_recreate(client, shape, manager="hypershift")

    with pytest.raises(Invalid):
        do(server, wrong)
    assert there(server)["deployments.apps"] == before


def test_uninstall_refuses_while_a_hosted_cluster_exists(
    server: RealServer, kubeconfig: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kubeconfig.exists()
    assert hypershift("install", *FLAGS, "--wait-until-crds-established") == 0
    do(server, lambda client: client.apply(a_cluster("busy", {"type": "None"})))
    present = there(server)
    assert hypershift("uninstall") == 1
    assert "hosted clusters exist: default/busy" in capsys.readouterr().err
    assert there(server) == present
    do(server, lambda client: client.delete(kinds.HOSTED_CLUSTER, "busy", "default"))


def test_somebody_elses_cluster_api_is_adopted_and_left_alone(
    server: RealServer, kubeconfig: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kubeconfig.exists()
    labels = {"cluster.x-k8s.io/provider": "cluster-api"}
    theirs = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "capi-controller-manager", "namespace": "default", "labels": labels},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "manager", "image": "theirs"}]},
            },
        },
    }
    do(server, lambda client: client.apply(theirs, manager="clusterctl"))
    assert hypershift("install", *FLAGS) == 0
    found = there(server)
    assert "/capi-system" not in found["namespaces"]
    assert "/capi-hypershift-role" in found["clusterroles.rbac.authorization.k8s.io"]
    assert hypershift("install", "--check", *FLAGS) in (0, 1)
    assert "default/capi-controller-manager will be adopted" in capsys.readouterr().out
    assert hypershift("uninstall") == 0
    assert "default/capi-controller-manager" in there(server)["deployments.apps"]
    do(server, lambda client: client.delete(kinds.DEPLOYMENT, "capi-controller-manager", "default"))


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "which image should the operator run?"),
        ((*FLAGS, "--enable-validating-webhook"), "serves no admission webhooks"),
    ],
)
def test_what_would_not_work_is_refused_before_anything_is_written(
    server: RealServer,
    kubeconfig: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    complaint: str,
) -> None:
    assert kubeconfig.exists()
    before = there(server)
    assert hypershift("install", *words) == 1
    assert complaint in capsys.readouterr().err
    assert there(server) == before
