"""Clouds' key services: what the API server is told, and the sidecars that it asks."""

import json
from base64 import b64decode, b64encode
from dataclasses import replace
from typing import Any

import pytest
import yaml
from tests.unit.component.clusters import a_view, container

from hypershift.component import Management, View, edit, fnv1, render
from hypershift.controlplane import kube_apiserver
from hypershift.controlplane.kube_apiserver.encryption import SECRET, configuration, mark
from hypershift.kit import InvalidSpec, Manifest
from hypershift.release import Product

WITH_SCC = Management()
ARNS = {letter: f"arn:aws:kms:eu-west-1:1:key/{letter}" for letter in "ab"}


def kms(provider: str, field: str, **settings: Any) -> dict[str, Any]:
    return {"type": "kms", "kms": {"provider": provider, field: settings}}


def an_aws_cluster(
    status: Manifest | None = None, annotations: dict[str, str] | None = None, **keys: Any
) -> View:
    wish = kms("AWS", "aws", region="eu-west-1", activeKey={"arn": ARNS["a"]}, **keys)
    platform = {"type": "AWS", "aws": {"region": "eu-west-1"}}
    return a_view(
        product=Product.OPENSHIFT,
        management=Management(),
        secretEncryption=wish,
        platform=platform,
        status=status,
        annotations=annotations,
    )


def deployment(view: View) -> Manifest:
    return render(kube_apiserver.OPENSHIFT, view)[-1]


def names(view: View) -> list[str]:
    providers = configuration(view)["resources"][0]["providers"]
    return [one["kms"]["name"] if "kms" in one else "-" for one in providers]


def test_aws_is_asked_by_a_socket_that_both_containers_mount() -> None:
    found = deployment(an_aws_cluster())
    sidecar = container(found, "aws-kms-active")
    assert f"--key={ARNS['a']}" in sidecar["args"]
    provider = configuration(an_aws_cluster())["resources"][0]["providers"][0]["kms"]
    assert provider["endpoint"] == "unix:///var/run/awskmsactive.sock"
    socket = {"name": "kms-socket", "mountPath": "/var/run"}
    assert socket in container(found, "kube-apiserver")["volumeMounts"]
    assert container(found, "aws-kms-token-minter")


def test_a_key_service_that_is_away_does_not_restart_the_server() -> None:
    one = deployment(an_aws_cluster())
    two = deployment(an_aws_cluster(backupKey={"arn": ARNS["b"]}))
    paths = [
        container(found, "kube-apiserver")["livenessProbe"]["httpGet"]["path"]
        for found in (one, two)
    ]
    assert paths == [
        "livez?exclude=etcd&exclude=kms-provider-0",
        "livez?exclude=etcd&exclude=kms-provider-0&exclude=kms-provider-1",
    ]


def test_a_change_of_key_reads_with_the_new_one_first() -> None:
    told = {
        key: {"provider": "AWS", "aws": {"arn": ARNS[letter]}}
        for key, letter in (("activeKey", "b"), ("targetKey", "a"))
    }
    view = an_aws_cluster(status={"secretEncryption": told})
    old, new = (f"awskmskey-{value}" for value in _named("b", "a"))
    assert names(view) == [old, new, "-"]
    assert f"--key={ARNS['b']}" in container(deployment(view), "aws-kms-active")["args"]
    assert f"--key={ARNS['a']}" in container(deployment(view), "aws-kms-backup")["args"]


def live(*letters: str, sockets: str = "active backup") -> dict[tuple[str, str], Manifest]:
    """The configuration that the servers have, with these keys in order behind these sockets."""
    providers = [
        {
            "kms": {
                "apiVersion": "v2",
                "name": f"awskmskey-{name}",
                "endpoint": f"unix:///var/run/awskms{socket}.sock",
            }
        }
        for name, socket in zip(_named(*letters), sockets.split(), strict=False)
    ]
    document = {"resources": [{"providers": [*providers, {"identity": {}}]}]}
    data = {"config.yaml": b64encode(yaml.safe_dump(document).encode()).decode()}
    return {("Secret", SECRET): {"kind": "Secret", "data": data}}


def rolled(hash_of: str) -> Manifest:
    """A Deployment all of whose replicas run a configuration."""
    template: Manifest = {"metadata": {"annotations": mark(hash_of)}, "spec": {"containers": []}}
    counts = ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas")
    return {
        "kind": "Deployment",
        "metadata": {"name": "kube-apiserver"},
        "spec": {"replicas": 1, "template": template},
        "status": dict.fromkeys(counts, 1),
    }


def test_a_key_keeps_its_socket_when_its_turn_comes() -> None:
    """A server restarted in a pod of before must find the same key behind the same socket."""
    told = {
        field: {"provider": "AWS", "aws": {"arn": ARNS[letter]}}
        for field, letter in (("activeKey", "b"), ("targetKey", "a"))
    }
    objects = live("b", "a")
    content = b64decode(objects["Secret", SECRET]["data"]["config.yaml"]).decode()
    objects["Deployment", "kube-apiserver"] = rolled(content)
    view = replace(an_aws_cluster(status={"secretEncryption": told}), objects=objects)
    assert sockets(view) == {"a": "backup", "b": "active"}
    assert names(view)[0] == f"awskmskey-{_named('a')[0]}", "it writes now"
    found = deployment(view)
    assert f"--key={ARNS['a']}" in container(found, "aws-kms-backup")["args"]
    assert f"--key={ARNS['b']}" in container(found, "aws-kms-active")["args"]
    done = {"secretEncryption": {"activeKey": told["targetKey"]}}
    alone = live("a", sockets="backup")
    view = replace(an_aws_cluster(status=done), objects=alone)
    assert sockets(view) == {"a": "backup"}
    back = {"secretEncryption": {"activeKey": told["targetKey"], "targetKey": told["activeKey"]}}
    assert sockets(replace(an_aws_cluster(status=back), objects=alone)) == {
        "a": "backup",
        "b": "active",
    }


def sockets(view: View) -> dict[str, str]:
    """The socket of each key in the configuration, by letter."""
    letters = {f"awskmskey-{_named(letter)[0]}": letter for letter in ARNS}
    providers = configuration(view)["resources"][0]["providers"]
    return {
        letters[one["kms"]["name"]]: one["kms"]["endpoint"][len("unix:///var/run/awskms") : -5]
        for one in providers
        if "kms" in one
    }


def test_a_key_in_use_that_nobody_names_is_not_dropped() -> None:
    """Without it, what is stored could not be read: the change is refused until it is told."""
    view = replace(an_aws_cluster(), objects=live("b"))
    with pytest.raises(InvalidSpec, match="is in use: name it as backupKey"):
        configuration(view)
    named = replace(an_aws_cluster(backupKey={"arn": ARNS["b"]}), objects=live("b"))
    assert names(named) == [*(f"awskmskey-{value}" for value in _named("b", "a")), "-"]


def test_a_key_in_the_spec_waits_until_the_status_names_it() -> None:
    told = {"secretEncryption": {"activeKey": {"provider": "AWS", "aws": {"arn": ARNS["b"]}}}}
    view = replace(an_aws_cluster(status=told), objects=live("b"))
    assert names(view) == [f"awskmskey-{_named('b')[0]}", "-"]


def _named(*letters: str) -> list[int]:
    return [fnv1(ARNS[letter].encode()) for letter in letters]


def test_an_annotation_names_another_image_of_the_sidecar() -> None:
    view = an_aws_cluster(annotations={"aws-kms-provider-image": "mine"})
    assert container(deployment(view), "aws-kms-active")["image"] == "mine"


def an_azure_cluster(
    auth: str, *, management: Management = WITH_SCC, cloud: str = "", **more: Any
) -> View:
    key = {"keyVaultName": "vault", "keyName": "key", "keyVersion": "1"}
    settings = {"activeKey": key, "kms": {"credentialsSecretName": "kms"}, **more}
    wish = kms("Azure", "azure", **settings)
    config: dict[str, Any] = {"azureAuthenticationConfigType": auth}
    if auth == "ManagedIdentities":
        vault = {"managedIdentitiesKeyVault": {"name": "mine", "tenantID": "t"}}
        config["managedIdentities"] = {"controlPlane": vault}
    azure = {"tenantID": "t", "cloud": cloud, "azureAuthenticationConfig": config}
    return a_view(
        product=Product.OPENSHIFT,
        management=management,
        secretEncryption=wish,
        platform={"type": "Azure", "azure": azure},
    )


def test_azure_brings_a_token_of_its_own_where_nobody_manages_its_identity() -> None:
    found = deployment(an_azure_cluster("WorkloadIdentities", workloadIdentity={"clientID": "me"}))
    sidecar = container(found, "azure-kms-provider-active")
    assert {"name": "AZURE_CLIENT_ID", "value": "me"} in sidecar["env"]
    assert container(found, "azure-kms-token-minter")
    managed = deployment(an_azure_cluster("ManagedIdentities"))
    names = {one["name"] for one in edit.pod_of(managed)["spec"]["containers"]}
    assert "azure-kms-token-minter" not in names
    assert "env" not in container(managed, "azure-kms-provider-active")


def test_a_managed_service_gives_azures_sidecar_its_identity() -> None:
    service = Management(managed_service="ARO-HCP", vault_reader="reader")
    for auth in ("WorkloadIdentities", "ManagedIdentities"):
        found = deployment(an_azure_cluster(auth, management=service))
        mounts = container(found, "azure-kms-provider-active")["volumeMounts"]
        assert {"name": "kms-cert", "mountPath": "/mnt/certs", "readOnly": True} in mounts
    objects = render(
        kube_apiserver.OPENSHIFT, an_azure_cluster("ManagedIdentities", management=service)
    )
    (store,) = (one for one in objects if one["kind"] == "SecretProviderClass")
    assert store["spec"]["parameters"]["userAssignedIdentityID"] == "reader"


def with_private_vault(cloud: str) -> View:
    view = an_azure_cluster("ManagedIdentities", cloud=cloud, keyVaultAccess="Private")
    router = {"metadata": {"name": "private-router"}, "spec": {"clusterIP": "172.30.0.9"}}
    return replace(view, objects={**view.objects, ("Service", "private-router"): router})


@pytest.mark.parametrize(
    ("cloud", "domain"),
    [
        ("AzurePublicCloud", "vault.azure.net"),
        ("AzureGermanCloud", "vault.microsoftazure.de"),
        ("AzureBleuCloud", "vault.sovcloud-api.fr"),
    ],
)
def test_a_private_vault_has_the_name_that_its_cloud_gives_it(cloud: str, domain: str) -> None:
    pod = edit.pod_of(deployment(with_private_vault(cloud)))
    assert pod["spec"]["hostAliases"] == [{"ip": "172.30.0.9", "hostnames": [f"vault.{domain}"]}]


def test_a_cloud_without_vaults_is_refused() -> None:
    with pytest.raises(InvalidSpec, match="AzureStackCloud"):
        deployment(with_private_vault("AzureStackCloud"))


def test_azures_sidecar_needs_the_name_of_its_credentials() -> None:
    view = an_azure_cluster("ManagedIdentities", kms=None)
    with pytest.raises(InvalidSpec, match="credentials"):
        render(kube_apiserver.OPENSHIFT, view)


def an_ibm_cluster(**auth: Any) -> View:
    key = {"crkID": "crk", "instanceID": "i", "url": "https://kp", "keyVersion": 3}
    wish = kms("IBMCloud", "ibmcloud", region="eu-de", keyList=[key], auth=auth)
    return a_view(
        product=Product.OPENSHIFT,
        management=Management(),
        annotations={"ibmcloud-kms-provider-image": "ibm"},
        secretEncryption=wish,
        platform={"type": "IBMCloud"},
    )


def test_ibm_has_one_sidecar_for_all_versions_of_the_key() -> None:
    view = an_ibm_cluster(type="Managed")
    sidecar = container(deployment(view), "ibmcloud-kms")
    told = {one["name"]: one.get("value") for one in sidecar["env"]}
    assert json.loads(told["KP_DATA_JSON"] or "")["3"]["serviceToService"] is True
    assert "API_KEY" not in told
    assert names(view) == ["ibmv2", "-"]


def test_ibm_takes_the_users_own_api_key() -> None:
    view = an_ibm_cluster(type="Unmanaged", unmanaged={"credentials": {"name": "iam"}})
    sidecar = container(deployment(view), "ibmcloud-kms")
    reference = sidecar["env"][-1]["valueFrom"]["secretKeyRef"]
    assert reference == {"name": "iam", "key": "iam_apikey"}


@pytest.mark.parametrize(
    "wish",
    [
        kms("Vault", "vault"),
        kms("AWS", "aws", region="eu-west-1", activeKey={}),
        kms("AWS", "nothing"),
        kms("Azure", "nothing"),
        kms("IBMCloud", "nothing"),
        kms("IBMCloud", "ibmcloud", region="eu-de", keyList=[], auth={"type": "Managed"}),
    ],
    ids=["unknown", "no key", "no aws", "no azure", "no ibm", "no keys"],
)
def test_what_cannot_encrypt_is_refused(wish: dict[str, Any]) -> None:
    with pytest.raises(InvalidSpec, match="key"):
        configuration(a_view(secretEncryption=wish))


def test_a_kubernetes_release_asks_aws_in_the_same_way() -> None:
    view = a_view(
        secretEncryption=kms("AWS", "aws", region="eu-west-1", activeKey={"arn": ARNS["a"]}),
        platform={"type": "AWS", "aws": {"region": "eu-west-1"}},
    )
    found = render(kube_apiserver.KUBERNETES, view)[-1]
    assert f"--key={ARNS['a']}" in container(found, "aws-kms-active")["args"]
    server = container(found, "kube-apiserver")
    assert {"name": "kms-socket", "mountPath": "/var/run"} in server["volumeMounts"]
    assert server["livenessProbe"]["httpGet"]["path"].endswith("&exclude=kms-provider-0")
    assert (
        "--encryption-provider-config=/etc/kubernetes/secret-encryption/config.yaml"
        in (server["args"])
    )
    mounted = {one["name"] for one in edit.pod_of(found)["spec"]["volumes"]}
    assert {"localhost-kubeconfig", "aws-kms-credentials", "aws-kms-token"} <= mounted
    resources = configuration(view)["resources"][0]
    assert resources["resources"] == ["secrets", "configmaps"]
