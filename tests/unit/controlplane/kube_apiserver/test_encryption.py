"""Secrets are stored encrypted, by keys that fit."""

from base64 import b64decode, b64encode

import pytest
import yaml
from tests.unit.component.clusters import a_view, flags
from tests.unit.controlplane.kube_apiserver.servers import deployment, objects, openshift

from hypershift.kit import InvalidSpec, Manifest

KEY = b"0123456789abcdef0123456789abcdef"
ENCRYPTED = {"type": "aescbc", "aescbc": {"activeKey": {"name": "key"}}}


def secret(content: bytes) -> Manifest:
    return {"kind": "Secret", "data": {"key": b64encode(content).decode()}}


def test_secrets_are_encrypted_by_the_clusters_key() -> None:
    view = a_view(secretEncryption=ENCRYPTED, objects={("Secret", "key"): secret(KEY)})
    found = objects(view)
    data = found["Secret", "kas-secret-encryption-config"]["data"]["config.yaml"]
    providers = yaml.safe_load(b64decode(data))["resources"][0]["providers"]
    assert b64decode(providers[0]["aescbc"]["keys"][0]["secret"]) == KEY
    assert providers[-1] == {"identity": {}}
    assert "encryption-provider-config" in flags(deployment(view), "kube-apiserver")


@pytest.mark.parametrize("content", [b"", b"short"])
def test_a_key_of_the_wrong_length_is_refused(content: bytes) -> None:
    view = a_view(secretEncryption=ENCRYPTED, objects={("Secret", "key"): secret(content)})
    with pytest.raises(InvalidSpec, match="16, 24 or 32"):
        objects(view)


def test_openshifts_server_judges_keys_itself() -> None:
    content = secret(b"short")
    found = openshift(secretEncryption=ENCRYPTED, objects={("Secret", "key"): content})
    data = found["Secret", "kas-secret-encryption-config"]["data"]["config.yaml"]
    (rules,) = yaml.safe_load(b64decode(data))["resources"]
    assert b64decode(rules["providers"][0]["aescbc"]["keys"][0]["secret"]) == b"short"
    with pytest.raises(InvalidSpec, match="Secret key"):
        openshift(secretEncryption=ENCRYPTED, objects={("Secret", "key"): secret(b"")})
