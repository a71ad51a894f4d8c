"""What may not stand together on the command line of `create cluster azure`."""

from hypershift.cli.cluster.azure.resource import resource_type
from hypershift.cli.flags import Values
from hypershift.cli.nodepool import azure
from hypershift.kit import UsageError

ACCESS = ("Public", "PublicAndPrivate", "Private")
NAT_SUBNET = "endpoint-access-private-nat-subnet-id"


def check(values: Values) -> None:
    if values["network-security-group-id"] and not values["resource-group-name"]:
        raise UsageError(
            "flag --resource-group-name is required when using --network-security-group-id"
        )
    _check_roles(values)
    _check_identities(values)
    if values["endpoint-access"] not in ("", *ACCESS):
        raise UsageError("--endpoint-access must be one of: Public, PublicAndPrivate, Private")
    _check_oauth(values)
    _check_nat_subnet(values[NAT_SUBNET])
    _check_external_domain(values)
    for zone in values["availability-zones"]:
        if zone not in azure.ZONES:
            raise UsageError(f"invalid value for --availability-zone: {zone}")
    azure.check(values)


def _check_roles(values: Values) -> None:
    flags = ("assign-service-principal-roles", "assign-custom-hcp-roles", "auto-assign-roles")
    if not any(values.get(flag, default=False) for flag in flags):
        return
    if values["infra-json"]:
        raise UsageError(
            "role assignment flags cannot be used with --infra-json; "
            "use --assign-identity-roles on 'create infra azure' instead"
        )
    if not values["dns-zone-rg-name"].strip():
        raise UsageError(
            "--dns-zone-rg-name is required when --assign-service-principal-roles or "
            "--assign-custom-hcp-roles is set"
        )


def _check_identities(values: Values) -> None:
    workload, managed, data_plane = (
        values.get(f"{kind}-identities-file") for kind in ("workload", "managed", "data-plane")
    )
    for name, given in (("managed", managed), ("data-plane", data_plane)):
        if workload and given:
            raise UsageError(
                f"flags --workload-identities-file and --{name}-identities-file are mutually "
                "exclusive"
            )
    if data_plane and not managed:
        raise UsageError("--data-plane-identities-file requires --managed-identities-file")
    if managed and not data_plane:
        raise UsageError("--managed-identities-file requires --data-plane-identities-file")


def _check_oauth(values: Values) -> None:
    strategy = values["oauth-publishing-strategy"]
    if strategy == "LoadBalancer" and values.get("managed-identities-file"):
        raise UsageError(
            "--oauth-publishing-strategy LoadBalancer is not supported for ARO HCP "
            "(managed identities) clusters"
        )
    if strategy not in ("", "Route", "LoadBalancer"):
        raise UsageError("--oauth-publishing-strategy must be either Route or LoadBalancer")


def _check_nat_subnet(identifier: str) -> None:
    if not identifier:
        return
    try:
        kind = resource_type(identifier)
    except ValueError as error:
        raise UsageError(f"--{NAT_SUBNET} is not a valid Azure resource ID: {error}") from None
    if kind.partition("/")[2].lower() != "virtualnetworks/subnets":
        raise UsageError(
            f"--{NAT_SUBNET} must be a subnet resource ID "
            f'(Microsoft.Network/virtualNetworks/subnets), got "{kind}"'
        )


def _check_external_domain(values: Values) -> None:
    """Refuse a domain whose private zone would hide the names of the cluster's applications."""
    domain, base = values["external-dns-domain"], values["base-domain"]
    if not domain or not base:
        return
    cluster = f"{values['name']}.{base}"
    ours, theirs = domain.lower().rstrip("."), cluster.lower().rstrip(".")
    if ours == theirs or theirs.endswith(f".{ours}"):
        raise UsageError(
            f'external DNS domain "{domain}" conflicts with cluster domain "{cluster}": this would '
            "create an Azure Private DNS zone that shadows *.apps DNS resolution. "
            "Use a different --external-dns-domain value"
        )
