"""What is published about a control plane, and what is never overwritten for it."""

from typing import Any

import pytest
from tests.lib.memory import MemoryClient
from tests.unit.component.clusters import a_spec

from hypershift.kit import Manifest
from hypershift.kube import AlreadyExists
from hypershift.kube.kinds import SECRET
from hypershift.operators.controlplane.publish import ingress_domain, write_issued
from hypershift.pki import by_kind_and_name


@pytest.mark.parametrize(
    ("spec", "domain"),
    [
        ({"dns": {"baseDomain": "example.org"}}, "apps.demo.example.org"),
        ({"dns": {"baseDomain": "example.org", "baseDomainPrefix": "x"}}, "apps.x.example.org"),
        ({"dns": {"baseDomain": "example.org", "baseDomainPrefix": ""}}, "apps.example.org"),
        ({"configuration": {"ingress": {"domain": "mine.org"}}}, "mine.org"),
        (
            {"configuration": {"ingress": {"domain": "mine.org", "appsDomain": "apps.org"}}},
            "apps.org",
        ),
    ],
)
def test_applications_are_reached_under(spec: dict[str, Any], domain: str) -> None:
    assert ingress_domain(a_spec(**spec), "demo") == domain


async def test_a_key_that_was_not_seen_is_never_overwritten() -> None:
    theirs = a_secret("sa-signing-key", "theirs")
    kube = MemoryClient(theirs, a_secret("root-ca", "old"))
    known = by_kind_and_name([a_secret("root-ca", "old")])
    ours = [a_secret("sa-signing-key", "ours"), a_secret("root-ca", "new"), a_secret("etcd", "new")]
    with pytest.raises(AlreadyExists):
        await write_issued(kube, ours, known)
    found = {each["metadata"]["name"]: each["data"]["key"] for each in await kube.list(SECRET)}
    assert found == {"sa-signing-key": "theirs", "root-ca": "new", "etcd": "new"}


def a_secret(name: str, key: str) -> Manifest:
    metadata = {"name": name, "namespace": "clusters-demo"}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": {"key": key}}
