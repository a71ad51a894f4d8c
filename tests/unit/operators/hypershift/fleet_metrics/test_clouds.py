"""What monitoring is told of proxies, clouds and virtual CPUs."""

from datetime import timedelta
from typing import Any

import pytest
from tests.unit.operators.hypershift.fleet_metrics.fleets import (
    NOW,
    Samples,
    a_cluster,
    a_pool,
    finding,
    samples,
)

from hypershift import pki
from hypershift.api import annotations
from hypershift.operators.hypershift.fleet_metrics import clouds, facts, vcpus
from hypershift.operators.hypershift.fleet_metrics.family import Fleet
from hypershift.platforms.aws.cpus import TABLE

DEMO = ("clusters", "demo", "id-1")
ROSA = [
    {"key": "red-hat-clustertype", "value": "rosa"},
    {"key": "api.openshift.com/environment", "value": "production"},
    {"key": "api.openshift.com/id", "value": "abc"},
]


def on(platform: str, **section: Any) -> dict[str, Any]:
    return {"platform": {"type": platform, platform.lower(): section}}


def bundle(text: str) -> dict[str, Any]:
    metadata = {"name": "corporate", "namespace": "clusters"}
    return {"kind": "ConfigMap", "metadata": metadata, "data": {"ca-bundle.crt": text}}


def proxied(*conditions: tuple[str, str]) -> Any:
    proxy = {"httpsProxy": "http://proxy:3128", "trustedCA": {"name": "corporate"}}
    return a_cluster(*conditions, spec={"configuration": {"proxy": proxy}})


def test_a_proxy_tells_which_of_its_parts_are_set() -> None:
    found = samples(facts.families(Fleet.of([proxied()])))
    assert found["hypershift_cluster_proxy", *DEMO, "", "1", "1"] == 1
    assert samples(facts.families(Fleet.of([a_cluster()])))[
        "hypershift_cluster_proxy", *DEMO, "", "", ""
    ] == 0  # fmt: skip


def test_certificates_of_a_proxy_tell_whether_they_are_valid_and_the_first_end() -> None:
    short, long = (
        pki.new_authority(name, NOW, validity=timedelta(days=days))
        for name, days in (("short", 10), ("long", 20))
    )
    text = (long.pem + short.pem).decode()
    fleet = Fleet.of([proxied(("ValidProxyConfiguration", "True"))], find=finding(bundle(text)))
    found = samples(facts.families(fleet))
    assert found["hypershift_cluster_proxy_ca_valid", *DEMO] == 1
    ends = short.certificate.not_valid_after_utc
    assert found["hypershift_cluster_proxy_ca_expiry_timestamp", *DEMO] == ends.timestamp()


@pytest.mark.parametrize("objects", [(), (bundle(""),), (bundle("nonsense"),)])
def test_certificates_that_cannot_be_read_are_not_valid_and_have_no_end(objects: Any) -> None:
    found = samples(facts.families(Fleet.of([proxied()], find=finding(*objects))))
    assert found["hypershift_cluster_proxy_ca_valid", *DEMO] == 0
    assert found["hypershift_cluster_proxy_ca_expiry_timestamp", *DEMO] == 0


def test_a_cluster_without_certificates_for_its_proxy_says_nothing_of_them() -> None:
    found = samples(facts.families(Fleet.of([a_cluster()])))
    assert not [name for name, *_ in found if "proxy_ca" in name]


@pytest.mark.parametrize(
    ("states", "figure"),
    [
        ((), clouds.UNKNOWN),
        (("True",), clouds.UNKNOWN),
        (("True", "True"), clouds.VALID),
        (("Unknown", "False"), clouds.INVALID),
        (("False",), clouds.INVALID),
    ],
)
@pytest.mark.parametrize("cloud", ["aws", "gcp"])
def test_credentials_are_as_good_as_both_conditions_say(
    cloud: str, states: tuple[str, ...], figure: float
) -> None:
    told = zip(clouds.CREDENTIALS[cloud], states, strict=False)
    found = samples(clouds.families(Fleet.of([a_cluster(*told)])))
    assert found[f"hypershift_cluster_invalid_{cloud}_creds", *DEMO] == figure


def test_a_rosa_cluster_tells_of_a_chosen_size_and_of_etcd_that_is_lost() -> None:
    one = a_cluster(("EtcdRecoveryActive", "False"), spec=on("AWS", resourceTags=ROSA))
    one["status"]["conditions"][0]["reason"] = "EtcdRecoveryJobFailed"
    one["metadata"]["annotations"] = {annotations.CLUSTER_SIZE_OVERRIDE: "large"}
    found = samples(clouds.families(Fleet.of([one])))
    named = (*DEMO, "production", "abc")
    assert found["hypershift_etcd_manual_intervention_required", *named] == 1
    assert found["hypershift_cluster_size_override_instances", *named, "large"] == 1
    one["spec"]["platform"]["aws"]["resourceTags"] = ROSA[1:]
    names = {name for name, *_ in samples(clouds.families(Fleet.of([one])))}
    assert not names & {
        "hypershift_etcd_manual_intervention_required",
        "hypershift_cluster_size_override_instances",
    }


@pytest.mark.parametrize("managed", [True, False])
def test_a_cluster_on_azure_tells_where_it_is(*, managed: bool) -> None:
    azure = {"location": "eastus", "subscriptionID": "sub", "resourceGroup": "group"}
    kind = "ManagedIdentities" if managed else "WorkloadIdentities"
    authentication = {"azureAuthenticationConfigType": kind}
    spec = on("Azure", **azure, azureAuthenticationConfig=authentication)
    found = samples(clouds.families(Fleet.of([a_cluster(spec=spec)])))
    place = (*DEMO, "eastus", "sub", "group")
    resource = (
        "/subscriptions/sub/resourceGroups/group/providers/Microsoft.RedHatOpenshift"
        "/hcpOpenShiftClusters/demo"
    )
    whole = ("hosted_cluster_managed_azure_info", *place, "hcpOpenShiftClusters", resource)
    assert (whole in found) is managed
    assert (("hosted_cluster_azure_info", *place) in found) is not managed
    assert found["hypershift_cluster_acr_pull_identity_configured", *DEMO] == 0


def of_cpus(*pools: Any, table: Any = None, **status: Any) -> Samples:
    namespace, name = TABLE
    place = {"name": name, "namespace": namespace}
    objects = [{"kind": "ConfigMap", "metadata": place, "data": table}] if table else []
    fleet = Fleet.of([a_cluster(**status)], pools, finding(*objects))
    return samples(vcpus.families(fleet))


def test_cpus_of_every_pool_and_of_nodes_that_a_provisioner_makes_add_up() -> None:
    local = a_pool(on("Local", cpu="1500m"), replicas=2)
    aws = a_pool(on("AWS", instanceType="m5.xlarge"), replicas=3)
    idle = a_pool(on("KubeVirt"), replicas=0)
    found = of_cpus(local, aws, idle, table={"m5.xlarge": "4"}, autoNode={"vcpus": 8})
    assert found == {("hypershift_cluster_vcpus", *DEMO, "Local"): 8 + 2 * 2 + 3 * 4}


@pytest.mark.parametrize(
    ("pool", "table", "reason"),
    [
        (on("KubeVirt"), None, "unsupported platform"),
        ({"platform": {"type": "AWS"}}, None, "spec.platform.aws missing in node pool"),
        (
            on("AWS", instanceType="m5.xlarge"),
            None,
            "ROSA CPUs instance types ConfigMap not found",
        ),
        (on("AWS", instanceType="m5.xlarge"), {"c5.large": "2"}, "unknown instance type"),
        (
            on("AWS", instanceType="m5.xlarge"),
            {"m5.xlarge": "four"},
            "unable to parse ConfigMap data",
        ),
    ],
)
def test_cpus_that_nobody_can_count_are_minus_one_with_a_reason(
    pool: Any, table: Any, reason: str
) -> None:
    found = of_cpus(a_pool(replicas=1), a_pool(pool, replicas=1), table=table)
    named = (*DEMO, "Local")
    assert found["hypershift_cluster_vcpus", *named] == -1
    assert found["hypershift_cluster_vcpus_computation_error", *named, reason] == 1
