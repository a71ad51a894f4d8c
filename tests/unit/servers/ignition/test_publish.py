"""What control planes get of the ignition server's identity."""

from typing import Any

import pytest
from cryptography import x509
from tests.unit.servers.ignition.world import a_world, scope_of

from hypershift.kit import SystemClock
from hypershift.kube import kinds
from hypershift.servers.ignition import Settings, publish
from hypershift.servers.ignition.identity import identity


async def test_each_control_plane_gets_the_certificate_and_never_the_key() -> None:
    kube = a_world()
    control_plane = await kube.get(kinds.HOSTED_CONTROL_PLANE, "demo", "clusters-demo")
    scope = publish.PublishScope(control_plane, scope_of(kube, control_plane).context, Settings())
    await publish.publish_authority(scope)
    await publish.publish_authority(scope)
    copied = await kube.get(kinds.SECRET, "ignition-server-ca-cert", "clusters-demo")
    assert set(copied["data"]) == {"tls.crt"}
    assert [verb for verb, _, key in kube.writes if key.namespace == "clusters-demo"] == ["apply"]


@pytest.mark.parametrize("mode", ["shared", "dedicated"])
@pytest.mark.parametrize(
    ("way", "address"),
    [
        ({"type": "NodePort", "nodePort": {"address": "192.0.2.7"}}, "192.0.2.7"),
        ({"type": "LoadBalancer", "loadBalancer": {"hostname": "ign.example"}}, "ign.example"),
    ],
)
async def test_the_certificate_is_good_for_the_address_that_a_user_chose(
    mode: str, way: dict[str, Any], address: str
) -> None:
    kube = a_world()
    control_plane = await kube.get(kinds.HOSTED_CONTROL_PLANE, "demo", "clusters-demo")
    services = [{"service": "Ignition", "servicePublishingStrategy": way}]
    control_plane["spec"] = control_plane.get("spec", {}) | {"services": services}
    kube.put(control_plane)
    settings = Settings(control_plane="clusters-demo" if mode == "dedicated" else "")
    if settings.shared:
        context = scope_of(kube, control_plane).context
        await publish.publish_authority(publish.PublishScope(control_plane, context, settings))
    made = await identity(kube, settings, SystemClock())
    names = x509.load_pem_x509_certificate(made.serving.certificate).extensions
    wanted = names.get_extension_for_class(x509.SubjectAlternativeName).value
    assert address in {str(one.value) for one in wanted}
