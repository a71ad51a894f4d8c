"""What may not stand together on the command line of `create cluster azure`."""

from hypershift.cli.cluster.azure.options import AzureOptions
from hypershift.cli.cluster.azure.resource import resource_type
from hypershift.cli.nodepool import azure
from hypershift.kit import UsageError

ACCESS = ("Public", "PublicAndPrivate", "Private")
NAT_SUBNET = "endpoint-access-private-nat-subnet-id"


def check(options: AzureOptions) -> None:
    if options.network_security_group_id and not options.resource_group_name:
        raise UsageError(
            "flag --resource-group-name is required when using --network-security-group-id"
        )
    _check_roles(options)
    _check_identities(options)
    if options.endpoint_access not in ("", *ACCESS):
        raise UsageError("--endpoint-access must be one of: Public, PublicAndPrivate, Private")
    _check_oauth(options)
    _check_nat_subnet(options.endpoint_access_private_nat_subnet_id)
    _check_external_domain(options)
    for zone in options.availability_zones:
        if zone not in azure.ZONES:
            raise UsageError(f"invalid value for --availability-zone: {zone}")
    azure.check(options.machine)


def _check_roles(options: AzureOptions) -> None:
    if not (
        options.assign_service_principal_roles
        or options.assign_custom_hcp_roles
        or options.auto_assign_roles
    ):
        return
    if options.infra_json:
        raise UsageError(
            "role assignment flags cannot be used with --infra-json; "
            "use --assign-identity-roles on 'create infra azure' instead"
        )
    if not options.dns_zone_rg_name.strip():
        raise UsageError(
            "--dns-zone-rg-name is required when --assign-service-principal-roles or "
            "--assign-custom-hcp-roles is set"
        )


def _check_identities(options: AzureOptions) -> None:
    workload, managed = options.workload_identities_file, options.managed_identities_file
    data_plane = options.data_plane_identities_file
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


def _check_oauth(options: AzureOptions) -> None:
    strategy = options.oauth_publishing_strategy
    if strategy == "LoadBalancer" and options.managed_identities_file:
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


def _check_external_domain(options: AzureOptions) -> None:
    """Refuse a domain whose private zone would hide the names of the cluster's applications."""
    domain, base = options.external_dns_domain, options.base_domain
    if not domain or not base:
        return
    cluster = f"{options.name}.{base}"
    ours, theirs = domain.lower().removesuffix("."), cluster.lower().removesuffix(".")
    if ours == theirs or theirs.endswith(f".{ours}"):
        raise UsageError(
            f'external DNS domain "{domain}" conflicts with cluster domain "{cluster}": this would '
            "create an Azure Private DNS zone that shadows *.apps DNS resolution. "
            "Use a different --external-dns-domain value"
        )
