"""Wire names."""

import pytest

from hypershift.api.names import wire_name


@pytest.mark.parametrize(
    ("field", "wire"),
    [
        ("image", "image"),
        ("cluster_name", "clusterName"),
        ("issuer_url", "issuerURL"),
        ("kube_api_server_dns_name", "kubeAPIServerDNSName"),
        ("allocate_node_cidrs", "allocateNodeCIDRs"),
        ("guest_vnet_id", "guestVNetID"),
        ("size_gib", "sizeGiB"),
        ("ids", "ids"),
        ("subnet_ids", "subnetIDs"),
        ("from_", "from"),
        ("api_critical_priority_class_name", "APICriticalPriorityClassName"),
    ],
)
def test_a_field_is_named_on_the_wire_as_users_write_it(field: str, wire: str) -> None:
    assert wire_name(field) == wire
