"""Sidecars: proxies into the guest, token minters, guest accounts and the prober."""

from base64 import b64decode, b64encode

import yaml
from tests.unit.component.clusters import a_view

from hypershift.component import Management, View
from hypershift.component.traits import (
    AwaitApiServer,
    HttpsProxy,
    ServiceAccountKubeconfig,
    Socks5Proxy,
    TokenMinter,
)
from hypershift.kit import Manifest
from hypershift.release import Product

AWS = {"type": "AWS", "aws": {}}


def a_pod() -> Manifest:
    return {"metadata": {}, "spec": {"containers": [{"name": "main"}, {"name": "other"}]}}


def on(platform: Manifest, *, native_sidecars: bool = True) -> View:
    management = Management(native_sidecars=native_sidecars)
    return a_view(product=Product.OPENSHIFT, platform=platform, management=management)


def test_two_proxies_share_their_volumes() -> None:
    view = on(AWS)
    pod = Socks5Proxy(guest_dns=True).apply(
        view, HttpsProxy(serving_port=8092).apply(view, a_pod())
    )
    names = [volume["name"] for volume in pod["spec"]["volumes"]]
    assert names == ["konnectivity-proxy-cert", "konnectivity-proxy-ca"]
    https, socks = pod["spec"]["containers"][2:]
    assert https["args"] == ["run", "--serving-port=8092", "--prefer-ipv4=true"]
    assert socks["args"] == ["run", "--resolve-from-guest-cluster-dns=true", "--prefer-ipv4=true"]


def test_a_minter_stays_beside_the_container_that_reads_its_token() -> None:
    pod = TokenMinter("kcm", "kube-system").apply(on(AWS), a_pod())
    (minter,) = pod["spec"]["initContainers"]
    assert minter["restartPolicy"] == "Always"
    assert minter["startupProbe"]["exec"]["command"][0] == "test"
    first, other = pod["spec"]["containers"]
    assert first["volumeMounts"][0]["name"] == "cloud-token"
    assert "volumeMounts" not in other


def test_without_native_sidecars_the_minter_is_an_ordinary_container() -> None:
    pod = TokenMinter("kcm", "kube-system").apply(on(AWS, native_sidecars=False), a_pod())
    assert "initContainers" not in pod["spec"]
    assert pod["spec"]["containers"][2]["name"] == "cloud-token-minter"


def test_a_cloud_that_takes_no_tokens_gets_none() -> None:
    minter = TokenMinter("kcm", "kube-system")
    managed = {"azureAuthenticationConfigType": "ManagedIdentities"}
    azure = {"type": "Azure", "azure": {"azureAuthenticationConfig": managed}}
    assert minter.apply(on({"type": "None"}), a_pod()) == a_pod()
    assert minter.apply(on(azure), a_pod()) == a_pod()


def test_a_token_for_the_api_server_has_its_audience() -> None:
    pod = TokenMinter("a", "b", cloud=False, api=True).apply(on({"type": "None"}), a_pod())
    (minter,) = pod["spec"]["initContainers"]
    assert "--token-audience=https://kubernetes.default.svc" in minter["args"]


def test_a_guest_accounts_kubeconfig_appears_with_its_certificate() -> None:
    account = ServiceAccountKubeconfig("dns-operator", "/etc/kubernetes")
    asset = account.asset()
    assert asset.stub is not None
    assert asset.adapt(on(AWS), asset.stub)["data"]["kubeconfig"] == ""
    encoded = {"tls.crt": b64encode(b"C").decode(), "tls.key": b64encode(b"K").decode()}
    key = ("Secret", "dns-operator-service-account-kubeconfig")
    view = a_view(objects={key: {"kind": "Secret", "data": encoded}})
    text = b64decode(asset.adapt(view, asset.stub)["data"]["kubeconfig"])
    user = yaml.safe_load(text)["users"][0]["user"]
    assert b64decode(user["client-certificate-data"]) == b"C"


def test_who_brings_certificates_of_their_own_brings_this_one_too() -> None:
    asset = ServiceAccountKubeconfig("dns-operator", "/etc/kubernetes").asset()
    assert asset.when(a_view())
    assert not asset.when(a_view(annotations={"disable-pki-reconciliation": ""}))


def test_the_prober_comes_first_and_asks_only_with_a_kubeconfig() -> None:
    pod = a_pod()
    pod["spec"]["initContainers"] = [{"name": "before"}]
    view = on({"type": "IBMCloud"})
    apis = (("config.openshift.io", "v1", "DNS"),)
    probed = AwaitApiServer(required_apis=apis).apply(view, pod)
    first = probed["spec"]["initContainers"][0]
    assert first["command"][2:] == ["--target", "https://kube-apiserver:2040/readyz"]
    asked = AwaitApiServer(kubeconfig_volume="k", required_apis=apis).apply(view, pod)
    command = asked["spec"]["initContainers"][0]["command"]
    assert "--required-api=config.openshift.io,v1,DNS" in command
