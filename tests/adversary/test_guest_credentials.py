"""A cluster names the Secrets of its cloud, and they are copied inside: never the control plane's.

`identityRef.name: sre-system-admin-signer` would give the administrators inside every key of the
control plane, one name after the other.
"""

from base64 import b64encode
from typing import Any

import pytest

from hypershift.api import HostedControlPlane, read
from hypershift.api.defaults import zeroed
from hypershift.kit import InvalidSpec, Manifest
from hypershift.platforms.guest import GuestFacts
from hypershift.platforms.openstack import guest as openstack
from hypershift.platforms.powervs import guest as powervs

NAME = "sre-system-admin-signer"
OWNER = {"kind": "HostedControlPlane", "name": "demo", "uid": "u"}
SECTIONS: dict[str, Any] = {
    "OpenStack": (openstack, {"identityRef": {"name": NAME, "cloudName": "x"}}),
    "PowerVS": (
        powervs,
        {
            f"{one}OperatorCloudCreds": {"name": NAME}
            for one in ("ingress", "storage", "imageRegistry")
        },
    ),
}


def facts(platform: str, *owners: Manifest) -> GuestFacts:
    section = {"type": platform, platform.lower(): SECTIONS[platform][1]}
    spec = {"platform": section}
    plane = {"metadata": {"name": "demo", "namespace": "clusters-demo"}, "spec": spec}
    data = {key: b64encode(b"x").decode() for key in ("tls.key", "ibmcloud_api_key", "clouds.yaml")}
    metadata: Manifest = {"name": NAME, "namespace": "clusters-demo"}
    if owners:
        metadata["ownerReferences"] = list(owners)
    secret = {"kind": "Secret", "metadata": metadata, "data": data}
    return GuestFacts(
        read(HostedControlPlane, zeroed(HostedControlPlane, plane)), {("Secret", NAME): secret}
    )


@pytest.mark.parametrize("platform", SECTIONS)
def test_no_key_of_the_control_plane_is_copied_inside(platform: str) -> None:
    side = SECTIONS[platform][0].GUEST
    with pytest.raises(InvalidSpec, match="control plane's own"):
        list(side.credentials(facts(platform, OWNER)))


@pytest.mark.parametrize("platform", SECTIONS)
def test_a_users_own_credentials_are(platform: str) -> None:
    side = SECTIONS[platform][0].GUEST
    assert list(side.credentials(facts(platform)))
