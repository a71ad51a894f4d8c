"""Kubeconfigs that a user may have written: C1, M3 of the security review.

Whatever a document says, our client sends no file of ours anywhere and runs nothing.
"""

import base64
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.lib.decoded import a_decoded_spec

from hypershift.kit import HypershiftError
from hypershift.kube import Client, KubeconfigError, inline
from hypershift.kube.inline import check_receiver
from hypershift.local.provider.cloud import reachable
from hypershift.operators.hypershift.hosted_cluster.rules import validation
from hypershift.runtime.remotes import client_of

PEM = base64.b64encode(b"-----BEGIN CERTIFICATE-----\n").decode()
NOW = datetime(2030, 1, 1, tzinfo=UTC)


def a_kubeconfig(user: Any = None, top: Any = None, **cluster: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "preferences": {},
        "current-context": "c",
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": "https://api:6443", **cluster}}],
        "users": [{"name": "u", "user": user or {"token": "t"}}],
        **(top or {}),
    }


def text(document: Any) -> bytes:
    return yaml.safe_dump(document).encode()


EXEC = {"apiVersion": "client.authentication.k8s.io/v1", "command": "sh", "args": ["-c", "id"]}
#: Everything that makes a kubeconfig more than values.
READS_OR_RUNS = {
    "tokenFile": a_kubeconfig({"tokenFile": "/var/run/secrets/token"}),
    "token and tokenFile": a_kubeconfig({"token": "t", "tokenFile": "/var/run/secrets/token"}),
    "client-key": a_kubeconfig({"client-certificate-data": PEM, "client-key": "/etc/key"}),
    "client-certificate": a_kubeconfig({"client-certificate": "/etc/c", "client-key-data": PEM}),
    "certificate-authority": a_kubeconfig(**{"certificate-authority": "/etc/shadow"}),
    "exec": a_kubeconfig({"exec": EXEC}),
    "auth-provider": a_kubeconfig({"auth-provider": {"name": "gcp"}}),
    "proxy-url": a_kubeconfig(**{"proxy-url": "http://attacker"}),
    "as": a_kubeconfig({"token": "t", "as": "system:admin"}),
    "as-groups": a_kubeconfig({"token": "t", "as-groups": ["system:masters"]}),
    "as-uid": a_kubeconfig({"token": "t", "as-uid": "1"}),
    "as-user-extra": a_kubeconfig({"token": "t", "as-user-extra": {"a": ["b"]}}),
    "an unknown field": a_kubeconfig({"token": "t", "tokenfile": "/etc/shadow"}),
    "an unknown section": a_kubeconfig(top={"plugins": [{"exec": EXEC}]}),
    "extensions": a_kubeconfig(top={"extensions": [{"name": "x", "extension": {}}]}),
    "another user than the current one": a_kubeconfig(
        top={"users": [{"name": "u", "user": {}}, {"name": "v", "user": {"exec": EXEC}}]}
    ),
    "one name twice": a_kubeconfig(
        top={"users": [{"name": "u", "user": {}}, {"name": "u", "user": {"token": "x"}}]}
    ),
    "a token with a line break": a_kubeconfig({"token": "t\nHost: other"}),
    "no PEM": a_kubeconfig(**{"certificate-authority-data": "/etc"}),
    "user and password in the address": a_kubeconfig(server="https://u:p@api"),
    "another host by a backslash": a_kubeconfig(server="https://api\\@attacker"),
    "a file as server": a_kubeconfig(server="file:///etc/shadow"),
    "no host": a_kubeconfig(server="https://"),
    "no text as server": a_kubeconfig(server=["https://api"]),
    "a number as token": a_kubeconfig({"token": 5}),
    "a bad server name": a_kubeconfig(**{"tls-server-name": "a\nb"}),
}
#: Harmless to us, if not to those who use it: only receivers of users may do it.
UNSAFE = {
    "plain http": a_kubeconfig(server="http://attacker"),
    "insecure": a_kubeconfig(**{"insecure-skip-tls-verify": True}),
    "a password": a_kubeconfig({"username": "u", "password": "p"}),
}


@pytest.mark.parametrize("case", [*READS_OR_RUNS, *UNSAFE])
def test_a_kubeconfig_that_holds_more_than_values_is_refused(case: str) -> None:
    document = (READS_OR_RUNS | UNSAFE)[case]
    with pytest.raises(KubeconfigError):
        inline.inline(text(document))
    with pytest.raises(KubeconfigError):
        client_of(text(document))
    with pytest.raises(KubeconfigError):
        Client.from_secret(text(document))
    with pytest.raises(KubeconfigError):
        reachable(text(document), {"host": "h", "port": 1})


@pytest.mark.parametrize("case", READS_OR_RUNS)
def test_a_webhook_of_a_user_reads_no_file_and_runs_nothing(case: str) -> None:
    with pytest.raises(KubeconfigError):
        check_receiver(text(READS_OR_RUNS[case]), source="audit")


@pytest.mark.parametrize("case", UNSAFE)
def test_how_safely_a_webhook_of_a_user_is_called_is_the_users_business(case: str) -> None:
    check_receiver(text(UNSAFE[case]), source="audit")


def test_a_key_that_is_there_twice_is_refused_because_readers_differ() -> None:
    document = text(a_kubeconfig()).decode()
    doubled = document.replace("    token: t", "    exec: {command: sh}\n    exec: null")
    assert doubled != document
    with pytest.raises(KubeconfigError, match="twice"):
        inline.inline(doubled)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\x00",
        b"a: &a [*a]",
        b"a: 1\n---\nb: 2\n",
        b"[" * 100_000,
        b"a: " + b"x" * 1_000_000,
        b"a: " + b"1:" * 100_000 + b"1",
        b"a: !!python/object/apply:os.system [id]",
        b"a: !!timestamp 2026-13-45",
        b"\xff\xfe\x00\xd8",
    ],
)
def test_what_is_no_kubeconfig_at_all_is_refused_in_one_sentence(content: bytes) -> None:
    with pytest.raises(KubeconfigError) as caught:
        inline.inline(content, source="Secret a/b")
    assert str(caught.value).startswith("Secret a/b")
    assert "\n" not in str(caught.value)


def test_a_refusal_shows_no_secret() -> None:
    for document in (READS_OR_RUNS | UNSAFE).values():
        document["users"][0]["user"]["token"] = "hunter2 \x01"
        with pytest.raises(KubeconfigError) as caught:
            inline.inline(text(document))
        assert "hunter2" not in str(caught.value)


def test_no_file_is_opened_whatever_a_kubeconfig_names(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*_: Any, **__: Any) -> None:
        raise AssertionError("a file was opened")

    monkeypatch.setattr(Path, "read_bytes", opened)
    monkeypatch.setattr(Path, "read_text", opened)
    for document in READS_OR_RUNS.values():
        with pytest.raises(KubeconfigError):
            inline.inline(text(document))


def test_an_ordinary_kubeconfig_is_read_and_rebuilt_with_nothing_else() -> None:
    document = a_kubeconfig(**{"certificate-authority-data": PEM, "tls-server-name": "api.example"})
    config = inline.inline(text(document))
    again = yaml.safe_load(inline.rebuilt(config))
    assert again["clusters"][0]["cluster"] == document["clusters"][0]["cluster"]
    assert again["users"][0]["user"] == {"token": "t"}
    assert inline.inline(inline.rebuilt(config)) == config


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.binary(max_size=9)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["server", "token", "tokenFile", "exec", "as", "proxy-url", "client-key", "client-key-data"]
)


@given(st.dictionaries(FIELDS, VALUES), st.dictionaries(FIELDS, VALUES), VALUES)
def test_any_document_is_a_configuration_of_values_or_a_refusal(
    cluster: dict[str, Any], user: dict[str, Any], other: Any
) -> None:
    for document in (a_kubeconfig(user, **cluster), a_kubeconfig(top={"users": other}), other):
        try:
            config = inline.inline(text(document), now=NOW)
        except HypershiftError:
            continue
        assert config.server.startswith("https://")
        assert config.token_file is None
        assert config.client_files is None
        assert config.impersonate is None
        assert not config.proxy_url
        assert not config.insecure


@pytest.mark.parametrize(
    ("spec", "key"),
    [
        ({"auditWebhook": {"name": "hook"}}, "webhook-kubeconfig"),
        (
            {
                "configuration": {
                    "authentication": {
                        "webhookTokenAuthenticator": {"kubeConfig": {"name": "hook"}}
                    }
                }
            },
            "kubeConfig",
        ),
    ],
)
def test_the_condition_names_field_secret_and_what_is_wrong(spec: Any, key: str) -> None:
    content = base64.b64encode(text(a_kubeconfig({"exec": EXEC}))).decode()
    (said,) = validation.receiver_problems(a_decoded_spec(spec), {"hook": {"data": {key: content}}})
    assert '"hook"' in said
    assert "users[].user.exec is not allowed" in said
    assert said.startswith("spec.")


#: A key that a merge brings counts in Go where it comes later, and not in Python: the same bytes
#: are harmless to the one and run a program in the other. kubectl 1.35 ran this one.
HIDDEN = "<<: {users: [{name: u, user: {exec: {command: sh}}}]}\n"


@pytest.mark.parametrize(
    "hide",
    [
        lambda plain: plain + HIDDEN,
        lambda plain: HIDDEN + plain,
        lambda plain: plain + HIDDEN.replace("<<: {", "<<: [{").replace("}]}\n", "}]}]\n"),
        lambda plain: plain + "users: []\n",
        lambda plain: plain.replace("{token: t}", "{token: t, <<: {token: u}}"),
        lambda plain: plain + "---\nusers: []\n",
    ],
    ids=["behind", "before", "list", "twice", "inside", "document"],
)
@pytest.mark.parametrize("reader", ["checked", "check_receiver"])
def test_a_kubeconfig_says_the_same_to_every_reader(hide: Any, reader: str) -> None:
    plain = yaml.safe_dump(a_kubeconfig(), default_flow_style=None)
    read = getattr(inline, reader)
    read(plain.encode(), source="x")
    with pytest.raises(KubeconfigError):
        read(hide(plain).encode(), source="x")
