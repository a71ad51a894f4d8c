"""The decisions of helpers that talk to an API server or to etcd."""

import argparse
import contextlib
from datetime import UTC, datetime, timedelta

import pytest
from tests.lib.memory import MemoryClient

from hypershift.helpers import (
    availability_prober,
    etcd_defrag,
    kas_bootstrap,
    resolve_dns,
    sync_fg_configmap,
    token_minter,
)
from hypershift.kit import rfc3339
from hypershift.kube import Client, kinds

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_token_is_renewed_at_four_fifths_of_its_life() -> None:
    status = {"expirationTimestamp": rfc3339(NOW + timedelta(hours=1))}
    assert token_minter.rest_of(status, NOW) == 2880
    assert token_minter.rest_of(status, NOW + timedelta(hours=2)) == token_minter.RETRY


def test_a_pod_that_nobody_can_delete_is_not_waited_for() -> None:
    leaving = {"metadata": {"deletionTimestamp": rfc3339(NOW)}}
    assert availability_prober.stays({"metadata": {}}, NOW)
    assert availability_prober.stays(leaving, NOW + timedelta(minutes=9))
    assert not availability_prober.stays(leaving, NOW + timedelta(minutes=11))


def test_a_member_publishes_its_address_under_its_own_name() -> None:
    pod = {"metadata": {"name": "etcd-0", "namespace": "demo", "uid": "u"}}
    made = resolve_dns.endpoint_slice(pod, "etcd-discovery", "fd00::5")
    assert made["metadata"]["name"] == "etcd-discovery-self-etcd-0"
    assert made["metadata"]["ownerReferences"][0]["uid"] == "u"
    assert made["addressType"] == "IPv6"
    assert made["endpoints"][0]["hostname"] == "etcd-0"


async def test_a_member_publishes_itself_with_the_rights_of_its_role(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    metadata = {"name": "etcd-0", "namespace": "demo", "uid": "u"}
    client = MemoryClient({"apiVersion": "v1", "kind": "Pod", "metadata": metadata})
    monkeypatch.setattr(Client, "connect", lambda: contextlib.nullcontext(client))
    for address in ("10.0.0.5", "10.0.0.6"):
        environ = {"NAMESPACE": "demo", "POD_IP": address}
        await resolve_dns.register("etcd-0.etcd-discovery.demo.svc", environ)
        found = await client.get(kinds.ENDPOINT_SLICE, "etcd-discovery-self-etcd-0", "demo")
        assert found["endpoints"][0]["addresses"] == [address]
    assert [verb for verb, *_ in client.writes] == ["create", "replace"], "a Role without `patch`"


def test_gates_of_a_version_that_still_runs_in_part_are_kept() -> None:
    live = [{"version": "4.17"}, {"version": "4.16"}, {"version": "4.18"}]
    rendered = [{"version": "4.18", "enabled": []}]
    history = [
        {"version": "4.18", "state": "Partial"},
        {"version": "4.17", "state": "Completed"},
        {"version": "4.16", "state": "Completed"},
    ]
    assert kas_bootstrap.merged_gates(live, rendered, history) == [*rendered, {"version": "4.17"}]


def test_etcd_tells_its_numbers_as_text() -> None:
    status = {"header": {"member_id": "12"}, "leader": "12", "dbSize": "9", "dbSizeInUse": "4"}
    found = etcd_defrag.endpoint("https://a:2379", status)
    assert (found.leads, found.size, found.used) == (True, 9, 4)


def test_feature_gates_are_published_with_their_version() -> None:
    options = argparse.Namespace(name="feature-gate", namespace="demo", payload_version="4.18.0")
    made = sync_fg_configmap.config_map(options, "kind: FeatureGate")
    assert made["data"] == {"feature-gate.yaml": "kind: FeatureGate"}
    assert "4.18.0" in made["metadata"]["annotations"].values()
