"""Defaults as the API server fills them in."""

from tests.unit.api.shapes import Car

from hypershift.api import HostedCluster, HostedControlPlane, read
from hypershift.api.defaults import defaulted, zeroed


def test_defaults_reach_into_lists_and_leave_the_rest_alone() -> None:
    filled = defaulted(Car, {"spec": {"color": "red", "wheels": [{"name": "a"}], "odd": 1}})
    assert filled["spec"]["wheels"] == [{"name": "a", "size": 18}]
    assert filled["spec"]["engine"] == {"fuel": "none"}
    assert filled["spec"]["odd"] == 1
    assert "metadata" not in filled


def test_null_counts_as_missing_unless_it_means_something() -> None:
    filled = defaulted(Car, {"spec": {"color": "red", "engine": None, "built": None}})
    assert filled["spec"]["engine"] == {"fuel": "none"}
    assert filled["spec"]["built"] is None


def test_a_default_gets_the_defaults_below_it() -> None:
    spec = defaulted(HostedCluster, {"spec": {"dns": {"baseDomain": "example.com"}}})["spec"]
    assert spec["etcd"]["managed"]["storage"]["persistentVolume"]["size"] == "8Gi"
    assert spec["networking"]["networkType"] == "OVNKubernetes"
    assert spec["capabilities"] == {}


def test_zero_values_stand_where_an_api_server_would_put_defaults() -> None:
    plane = zeroed(HostedControlPlane, {"spec": {"platform": {"type": "AWS", "aws": {}}}})
    assert plane["spec"]["controllerAvailabilityPolicy"] == ""
    assert plane["spec"]["platform"]["aws"]["endpointAccess"] == ""
    assert read(HostedControlPlane, plane).spec.etcd.management_type == ""
