"""`create cluster openstack`: servers of an OpenStack cloud."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.cluster.platform import (
    ClusterPlatform,
    PoolMaker,
    published_by_ingress,
    secret,
)
from hypershift.cli.files import read_file
from hypershift.cli.flags import STRINGS, Flag
from hypershift.cli.nodepool import openstack
from hypershift.kit import Manifest, UsageError

CLOUD = "openstack"
MACHINE_NETWORK = "10.0.0.0/16"
FAILING = "failed to read OpenStack credentials file"
TAGS = {str: "str", bool: "bool", int: "int", float: "float"}
#: Longer values are cut where they are shown.
LONGEST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenStackOptions(ClusterOptions):
    """What `create cluster openstack` is given."""

    machine: openstack.OpenStackMachine
    openstack_ca_cert_file: str
    openstack_cloud: str
    openstack_credentials_file: str
    openstack_dns_nameservers: tuple[str, ...]
    openstack_external_network_id: str
    openstack_ingress_floating_ip: str


def check(options: OpenStackOptions) -> None:
    _cloud(options)
    if options.external_dns_domain:
        raise UsageError("--external-dns-domain is not supported on OpenStack")
    openstack.check(options.machine)


def _credentials_file(options: OpenStackOptions) -> str:
    given = str(options.openstack_credentials_file)
    if given:
        try:
            Path(given).stat()
        except OSError as error:
            reason = (error.strerror or "").lower()
            raise UsageError(
                f"OpenStack credentials file does not exist: stat {given}: {reason}"
            ) from None
        return given
    places = (
        os.environ.get("OS_CLIENT_CONFIG_FILE", ""),
        "clouds.yaml",
        str(Path.home() / ".config" / "openstack" / "clouds.yaml"),
        "/etc/openstack/clouds.yaml",
    )
    for place in places:
        if place and Path(place).exists():
            return place
    raise UsageError("failed to find clouds.yaml file")


def _cloud(options: OpenStackOptions) -> dict[str, bytes]:
    """The one cloud out of clouds.yaml under the name that components know, and its CA."""
    path = _credentials_file(options)
    name = options.openstack_cloud or os.environ.get("OS_CLOUD") or CLOUD
    try:
        cloud = _listed(path, name)
        authority = options.openstack_ca_cert_file or cloud.get("cacert", "")
        # components take the CA from the Secret, so a path of this machine would only confuse
        cloud.pop("cacert", None)
        found = {"clouds.yaml": yaml.safe_dump({"clouds": {CLOUD: cloud}}, indent=4).encode()}
        if authority:
            found["cacert"] = read_file(authority, "failed to read CA cert")
    except UsageError as error:
        raise UsageError(f"{FAILING}: {error}") from None
    return found


def _listed(path: str, name: str) -> dict[str, Any]:
    try:
        content = yaml.safe_load(read_file(path, FAILING))
    except yaml.YAMLError as error:
        raise UsageError(f"failed to parse OpenStack credentials file: {error}") from None
    if content is not None and not isinstance(content, dict):
        raise UsageError(f"failed to parse OpenStack credentials file: {_unfit(content)}")
    if not content or "clouds" not in content:
        raise UsageError("'clouds' key not found in credentials file")
    clouds = content["clouds"] or {}
    if name not in clouds:
        raise UsageError(f"'{name}' cloud not found in credentials file")
    return dict(clouds[name])


def _unfit(content: Any) -> str:
    """The original's message about a YAML file that is no map."""
    text = str(content).lower() if isinstance(content, bool) else str(content)
    shown = f" `{text if len(text) <= LONGEST else f'{text[:7]}...'}`"
    tag = TAGS.get(type(content), "seq")
    what = f"!!{tag}{shown if type(content) in TAGS else ''}"
    return (
        f"yaml: unmarshal errors:\n  line 1: cannot unmarshal {what} into map[string]interface {{}}"
    )


def specialize(options: OpenStackOptions, _completed: Any, cluster: Manifest) -> Manifest:
    spec = cluster["spec"]
    platform: Manifest = {"identityRef": {"name": _credentials(options), "cloudName": CLOUD}}
    if options.openstack_external_network_id:
        platform["externalNetwork"] = {"id": options.openstack_external_network_id}
    if options.openstack_ingress_floating_ip:
        platform["ingressFloatingIP"] = options.openstack_ingress_floating_ip
    if options.openstack_dns_nameservers:
        servers = list(options.openstack_dns_nameservers)
        platform["managedSubnets"] = [{"dnsNameservers": servers}]
    spec["platform"]["openstack"] = platform
    spec["services"] = published_by_ingress()
    spec["networking"].setdefault("machineNetwork", [{"cidr": MACHINE_NETWORK}])
    return cluster


def pools(options: OpenStackOptions, _completed: Any, pool: PoolMaker) -> list[Manifest]:
    manifest = pool(options.name)
    manifest["spec"]["platform"]["openstack"] = openstack.section(options.machine)
    return [manifest]


def extras(options: OpenStackOptions, _completed: Any) -> list[Manifest]:
    return [secret(options, _credentials(options), _cloud(options), "Opaque")]


def _credentials(options: OpenStackOptions) -> str:
    return f"{options.name}-cloud-credentials"


PLATFORM = ClusterPlatform(
    name="openstack",
    type="OpenStack",
    upgrade_type="Replace",
    options=OpenStackOptions,
    flags=(
        Flag("openstack-ca-cert-file", "File with the CA of the cloud's API"),
        Flag("openstack-cloud", "Cloud in clouds.yaml ($OS_CLOUD, else 'openstack')"),
        Flag("openstack-credentials-file", "The clouds.yaml file"),
        Flag("openstack-dns-nameservers", "DNS servers of the nodes' subnet", STRINGS),
        Flag("openstack-external-network-id", "Network of floating addresses"),
        Flag("openstack-ingress-floating-ip", "Floating address of the ingress"),
        *openstack.FLAGS,
    ),
    check=check,
    specialize=specialize,
    pools=pools,
    extras=extras,
)
