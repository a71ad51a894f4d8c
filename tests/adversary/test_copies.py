"""Copies of users' Secrets and ConfigMaps never take the place of objects of ours: C1."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from tests.lib.decoded import a_decoded_spec
from tests.lib.memory import MemoryClient
from tests.lib.planes import a_cluster, a_secret, controllers, furnish, prepare
from tests.lib.stage import Stage, play

from hypershift.kit import InvalidSpec, Key, Manifest, deep_merge
from hypershift.kube import KubeconfigError, kinds
from hypershift.operators.hypershift.hosted_cluster.rules import copies
from hypershift.operators.hypershift.node_pool import node_tuning
from hypershift.operators.hypershift.node_pool.rules import tuning
from hypershift.operators.hypershift.node_pool.rules.tuning import Mirror
from hypershift.operators.hypershift.reserved import ours, referenced, reserved
from hypershift.pki import openshift, table
from hypershift.runtime import condition_of

KEY = Key("clusters", "demo")
GOLDEN = Path(__file__).parents[1] / "golden"
SOURCE = Path(__file__).parents[2] / "src" / "hypershift"
#: Names of users that the scenarios of goldens and reference refer to.
#: Names that the clusters of the goldens give to Secrets of theirs.
USERS = {"audit-webhook", "clouds", "controller", "pools"}
UP = 120.0


def login(name: str) -> dict[str, Any]:
    return {"configuration": {"oauth": {"templates": {"login": {"name": name}}}}}


def by_oidc(name: str) -> dict[str, Any]:
    """A client of an OIDC provider: its Secret is copied, and a Kubernetes release has OIDC."""
    client = {
        "componentName": "console",
        "componentNamespace": "openshift-console",
        "clientID": "console",
        "clientSecret": {"name": name},
    }
    provider = {
        "name": "own",
        "issuer": {"issuerURL": "https://login.example.org", "audiences": ["demo"]},
        "claimMappings": {"username": {"claim": "email"}},
        "oidcClients": [client],
    }
    return {"configuration": {"authentication": {"type": "OIDC", "oidcProviders": [provider]}}}


REFERENCES: dict[str, Callable[[str], dict[str, Any]]] = {
    "spec.configuration.oauth.templates.login": login,
    "spec.auditWebhook": lambda name: {"auditWebhook": {"name": name}},
    "spec.secretEncryption.aescbc.activeKey": lambda name: {
        "secretEncryption": {"type": "aescbc", "aescbc": {"activeKey": {"name": name}}}
    },
    "spec.etcd.unmanaged.tls.clientSecret": lambda name: {
        "etcd": {
            "managementType": "Unmanaged",
            "unmanaged": {"endpoint": "e", "tls": {"clientSecret": {"name": name}}},
        }
    },
    "spec.configuration.proxy.trustedCA": lambda name: {
        "configuration": {"proxy": {"trustedCA": {"name": name}}}
    },
}


@pytest.mark.parametrize("field", REFERENCES)
@pytest.mark.parametrize(
    "name", ["hcco-kubeconfig", "demo-x7zp4-kubeconfig", "root-ca", "token-pool-1", "kas-config"]
)
def test_a_reference_to_a_name_of_ours_is_refused_with_field_name_and_remedy(
    field: str, name: str
) -> None:
    (said,) = copies.problems(a_decoded_spec(REFERENCES[field](name)))
    assert field in said
    assert f'"{name}"' in said
    assert "another name" in said


@pytest.mark.parametrize("field", REFERENCES)
def test_an_ordinary_name_is_taken(field: str) -> None:
    assert list(copies.problems(a_decoded_spec(REFERENCES[field]("corp-login")))) == []


def test_the_trust_bundle_may_serve_the_proxy_too() -> None:
    proxy = {"configuration": {"proxy": {"trustedCA": {"name": "user-ca-bundle"}}}}
    assert list(copies.problems(a_decoded_spec(proxy))) == []
    same = proxy | {"additionalTrustBundle": {"name": "user-ca-bundle"}}
    assert list(copies.problems(a_decoded_spec(same))) == []
    other = proxy | {"additionalTrustBundle": {"name": "corporate"}}
    assert len(list(copies.problems(a_decoded_spec(other)))) == 1


def test_more_references_than_anybody_needs_are_refused() -> None:
    providers = [{"name": str(n), "htpasswd": {"fileData": {"name": f"s{n}"}}} for n in range(200)]
    spec = {"configuration": {"oauth": {"identityProviders": providers}}}
    (said,) = copies.problems(a_decoded_spec(spec))
    assert "at most 128" in said


def by_webhook(name: str) -> dict[str, Any]:
    return {
        "configuration": {
            "authentication": {"webhookTokenAuthenticator": {"kubeConfig": {"name": name}}}
        }
    }


def a_receiver(**user: Any) -> bytes:
    cluster = {"server": "https://192.0.2.1"}
    document = {
        "clusters": [{"name": "c", "cluster": cluster}],
        "users": [{"name": "u", "user": {"token": "t", **user}}],
    }
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("reference", "key"),
    [
        (REFERENCES["spec.auditWebhook"], "webhook-kubeconfig"),
        (by_webhook, "kubeConfig"),
        (lambda name: deep_merge(by_webhook(name), login(name)), "kubeConfig"),
    ],
    ids=["audit", "tokens", "under two names"],
)
@pytest.mark.parametrize("user", [{"exec": {"command": "sh"}}, {"tokenFile": "/etc/shadow"}])
def test_a_kubeconfig_that_changed_after_it_was_found_good_is_not_copied(
    reference: Callable[[str], dict[str, Any]], key: str, user: dict[str, Any]
) -> None:
    """Validation and copy read the Secret one after the other: its owner may be in between."""
    every = [one for one in copies.every(a_decoded_spec(reference("mine"))) if one.source == "mine"]
    assert every
    for copy in every:
        good = copies.copied(copy, a_secret("mine", **{key: a_receiver()}), KEY)
        assert good is not None
        with pytest.raises(KubeconfigError, match="not allowed here"):
            copies.copied(copy, a_secret("mine", **{key: a_receiver(**user)}), KEY)


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("kubernetes.io/service-account-token", "Opaque"),
        ("bootstrap.kubernetes.io/token", "Opaque"),
        ("helm.sh/release.v1", "Opaque"),
        ("kubernetes.io/tls", "kubernetes.io/tls"),
        ("kubernetes.io/basic-auth", "kubernetes.io/basic-auth"),
        (None, "Opaque"),
    ],
)
def test_a_copy_carries_data_alone(given: str | None, made: str) -> None:
    (copy,) = copies.configuration(a_decoded_spec(login("mine")))
    source = {
        "metadata": {
            "labels": {"hypershift.openshift.io/ignition-named": "true"},
            "annotations": {"kubernetes.io/service-account.name": "operator"},
            "finalizers": ["a/b"],
            "ownerReferences": [{}],
        },
        "immutable": True,
        "data": {"a": "Yg=="},
        **({"type": given} if given else {}),
    }
    found = copies.copied(copy, source, KEY)
    assert found is not None
    assert found["type"] == made
    assert found["data"] == {"a": "Yg=="}
    assert found.keys() == {"apiVersion", "kind", "metadata", "data", "type"}
    assert found["metadata"]["annotations"] == {
        "hypershift.openshift.io/cluster": "clusters/demo",
        "hypershift.openshift.io/copy-of": "clusters/mine",
    }
    assert "labels" not in found["metadata"]


#: Names of objects inside of a hosted OpenShift, where no copy is written.
INSIDE = {
    "default-ingress-cert",
    "kubelet-serving-ca",
    "oauth-serving-cert",
    "openshift-install",
    "openshift-user-ca",
}


def documents(folder: Path) -> list[Manifest]:
    found: list[Manifest] = []
    for path in sorted(folder.rglob("*.yaml")):
        loaded = yaml.load_all(path.read_text(), Loader=yaml.CSafeLoader)
        found += [one for one in loaded if isinstance(one, dict)]
    return found


def named(manifests: list[Manifest]) -> set[str]:
    kinds_ = ("Secret", "ConfigMap")
    own = {one["metadata"]["name"] for one in manifests if one.get("kind") in kinds_}
    return own | {name for one in manifests for name in referenced(one)}


def test_every_name_of_the_pki_is_reserved() -> None:
    leaves = {one.secret for one in (*table.LEAVES, *openshift.OPENSHIFT_LEAVES)}
    names = leaves | {one.secret for one in table.AUTHORITIES} | {one.name for one in table.BUNDLES}
    assert [name for name in sorted(names) if not reserved(name)] == []


def test_every_name_that_our_components_write_or_mount_is_reserved() -> None:
    # What lies inside of hosted clusters is no neighbour of any copy.
    planes = [one for one in GOLDEN.iterdir() if one.is_dir() and one.name != "guest"]
    names = named(documents(SOURCE / "controlplane")).union(*(named(documents(p)) for p in planes))
    names -= USERS | INSIDE
    assert len(names) > 50
    assert [name for name in sorted(names) if not reserved(name)] == []


@pytest.mark.reference
def test_every_name_that_the_original_writes_or_mounts_is_reserved(reference: Path) -> None:
    folders = [one for one in (reference / "components").iterdir() if one.name != "inputs"]
    found = [one for folder in folders if folder.is_dir() for one in documents(folder)]
    names = named(found) - USERS
    assert [name for name in sorted(names) if not reserved(name)] == []


def test_no_name_that_users_like_is_reserved() -> None:
    for name in ("htpasswd", "corp-ca", "api-tls", "audit-webhook", "ldap-secret", "my-cert"):
        assert not reserved(name)
    assert "" not in ours()


def attack(name: str, spec: Manifest, *objects: Manifest) -> Manifest:
    """What a cluster says, and the Secret of that name afterwards."""
    result: Manifest = {}

    async def story(stage: Stage) -> None:
        user = stage.user
        await furnish(stage)
        for each in objects:
            await user.create(each)
        stage.manage(*controllers())
        await user.create(a_cluster("demo", **spec))
        await asyncio.sleep(UP)
        result["cluster"] = await user.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
        result["secret"] = await user.find(kinds.SECRET, name, "clusters-demo")
        found = [
            await user.list(kind, "clusters-demo") for kind in (kinds.SECRET, kinds.CONFIG_MAP)
        ]
        result["objects"] = [each for some in found for each in some]
        before = len(stage.writes)
        await asyncio.sleep(UP)
        result["writes"] = stage.writes[before:]

    play(story)
    return result


def test_the_secret_of_a_consumer_never_becomes_hcco_kubeconfig() -> None:
    evil = a_secret("hcco-kubeconfig", kubeconfig=b"server: http://attacker")
    found = attack("hcco-kubeconfig", login("hcco-kubeconfig"), evil)
    condition = condition_of(found["cluster"], "ValidConfiguration")
    assert condition is not None
    assert condition["status"] == "False"
    assert "spec.configuration.oauth.templates.login" in condition["message"]
    assert (found["secret"] or {}).get("data") != evil["data"]


def test_every_secret_and_config_map_of_a_running_control_plane_is_reserved() -> None:
    found = attack("mine", by_oidc("mine"), a_secret("mine", clientSecret=b"secret"))
    names = {one["metadata"]["name"] for one in found["objects"]}
    assert found["secret"]["data"]
    assert len(names) > 30
    assert [name for name in sorted(names) if not reserved(name)] == ["mine"]
    assert found["writes"] == []


def test_a_copy_is_never_written_over_an_object_that_is_no_copy() -> None:
    result: Manifest = {}
    foreign = a_secret("mine", login=b"not yours")
    foreign["metadata"]["namespace"] = "clusters-demo"

    async def story(stage: Stage) -> None:
        user = stage.user
        await prepare(user)
        await user.create(a_secret("mine", clientSecret=b"secret"))
        stage.manage(*controllers())
        await user.create(a_cluster("demo"))
        await asyncio.sleep(UP)
        await user.create(foreign)
        await user.patch(kinds.HOSTED_CLUSTER, "demo", {"spec": by_oidc("mine")}, "clusters")
        await asyncio.sleep(UP)
        result["cluster"] = await user.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
        result["secret"] = await user.get(kinds.SECRET, "mine", "clusters-demo")

    play(story)
    condition = condition_of(result["cluster"], "ReconciliationSucceeded")
    assert condition is not None
    assert condition["status"] == "False"
    assert 'refers to Secret "mine"' in condition["message"]
    assert result["secret"]["data"] == foreign["data"]


@pytest.mark.parametrize(("config_map", "pool"), [("kas", "config"), ("kas-audit", "config")])
async def test_names_of_pool_and_config_map_together_make_no_name_of_ours(
    config_map: str, pool: str
) -> None:
    (mirror,) = tuning.mirrored(pool, "clusters-demo", [Mirror(config_map, "x", "label")])
    assert reserved(mirror["metadata"]["name"])
    kube = MemoryClient()
    scope: Any = SimpleNamespace(kube=kube, key=Key("clusters", pool), namespace="clusters-demo")
    with pytest.raises(InvalidSpec, match="another name"):
        await node_tuning._apply(scope, mirror, tuning.MIRRORED)  # noqa: SLF001
    assert await kube.list(kinds.CONFIG_MAP) == []


async def test_a_mirror_replaces_mirrors_of_its_own_pool_alone() -> None:
    mirrors = [tuning.mirrored(*names, [Mirror(*rest, "x", "label")])[0] for names, rest in MIRRORS]
    kube = MemoryClient()
    first: Any = SimpleNamespace(kube=kube, key=Key("clusters", "b-c"), namespace="clusters-demo")
    other: Any = SimpleNamespace(kube=kube, key=Key("clusters", "c"), namespace="clusters-demo")
    await node_tuning._apply(first, mirrors[0], tuning.MIRRORED)  # noqa: SLF001
    await node_tuning._apply(first, mirrors[0], tuning.MIRRORED)  # noqa: SLF001
    with pytest.raises(InvalidSpec, match='ConfigMap "a-b-c"'):
        await node_tuning._apply(other, mirrors[1], tuning.MIRRORED)  # noqa: SLF001


#: Pool and ConfigMap of two mirrors that have one name: a-b-c.
MIRRORS = [(("b-c", "clusters-demo"), ("a",)), (("c", "clusters-demo"), ("a-b",))]
