"""Nothing private is in what a dump shows, wherever it was written."""

from base64 import b64encode
from typing import Any

import pytest
import yaml

from hypershift.dump.collect import listing
from hypershift.dump.mask import manifest, text

KEY = "-----BEGIN EC PRIVATE KEY-----\nc2VjcmV0\n-----END EC PRIVATE KEY-----"
ENCODED = b64encode(KEY.encode()).decode()


@pytest.mark.parametrize(
    ("content", "private"),
    [
        (f"before\n{KEY}\nafter", "c2VjcmV0"),
        (KEY.replace("-----END", "cut"), "c2VjcmV0"),
        (f"    client-key-data: {ENCODED}\n", ENCODED),
        (f'{{"tls.key": "{ENCODED}"}}', ENCODED[24:]),
        ("Authorization: Bearer c2VjcmV0LXRva2Vu", "c2VjcmV0"),
        ("sent with bearer 0123456789abcdef0123", "0123456789abcdef"),
        ('{"auths": {"quay.io": {"auth": "dXNlcjpwYXNz"}}}', "dXNlcjpwYXNz"),
        ("users:\n- user:\n    token: hush-hush\n", "hush-hush"),
        ("password: hush\n", "hush"),
        ("got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl here", "c2lnbmF0dXJl"),
    ],
)
def test_secrets_are_told_by_their_form(content: str, private: str) -> None:
    masked = text(content)
    assert private not in masked
    assert "<masked>" in masked


@pytest.mark.parametrize(
    "content",
    [
        "token-demo-abc is young\n",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "the bearer of good news",
        "author: me\n",
    ],
)
def test_what_is_no_secret_stays(content: str) -> None:
    assert text(content) == content


def an_object(kind: str, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "metadata": {"name": "x", "managedFields": [1]}, **fields}


def test_a_secret_keeps_its_keys_alone() -> None:
    last = {"kubectl.kubernetes.io/last-applied-configuration": '{"data":{"a":"aHVzaA=="}}'}
    secret = an_object("Secret", data={"a": "aHVzaA=="}, stringData={"b": "hush"})
    secret["metadata"]["annotations"] = {**last, "kept": "yes"}
    shown = listing([secret])
    assert "aHVzaA==" not in shown
    assert "hush" not in shown
    [item] = yaml.safe_load(shown)["items"]
    assert set(item["data"]) == {"a"}
    assert item["metadata"]["annotations"] == {"kept": "yes"}


def test_values_of_private_variables_are_masked_and_others_are_not() -> None:
    env = [{"name": "DB_PASSWORD", "value": "hush"}, {"name": "HOME", "value": "/root"}]
    shown = manifest(an_object("Pod", spec={"containers": [{"env": env}]}))
    values = [each["value"] for each in shown["spec"]["containers"][0]["env"]]
    assert values == ["<masked>", "/root"]
    assert "managedFields" not in shown["metadata"]
