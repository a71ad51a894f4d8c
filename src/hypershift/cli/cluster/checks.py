"""What `create cluster` refuses, in the original's order and with its messages."""

import re

from hypershift.cli import address
from hypershift.cli.cluster.infra import pretends, require_management
from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.moment import check_moment
from hypershift.kit import UsageError

ARCHITECTURES = ("amd64", "arm64", "ppc64le", "s390x")
FEATURE_SETS = ("", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade")
CAPABILITIES = (
    "Console",
    "ImageRegistry",
    "Ingress",
    "Insights",
    "NodeTuning",
    "baremetal",
    "openshift-samples",
)
MTU = range(576, 9217)

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_LABEL_RULE = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    f"for validation is '{_LABEL}')"
)
_SUBDOMAIN_RULE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    f"for validation is '{_SUBDOMAIN}')"
)
MAX_LABEL = 63
MAX_SUBDOMAIN = 253


def subdomain_problem(name: str) -> str:
    """Return why a name is no DNS subdomain; empty if it is one."""
    return "" if re.fullmatch(_SUBDOMAIN, name) else _SUBDOMAIN_RULE


def check_common(options: ClusterOptions, *, needs_pull_secret: bool = True) -> None:
    """Refuse what no platform can accept; the first violated rule speaks."""
    if not options.name:
        raise UsageError("--name is required")
    if needs_pull_secret and not options.pull_secret:
        raise UsageError("--pull-secret is required")
    _check_version(options)
    if options.wait and options.node_pool_replicas < 1:
        raise UsageError("--wait requires --node-pool-replicas > 0")
    _check_name(options.name)
    if not options.render and not options.render_into:
        require_management(options.kubeconfig)
    _check_choices(options)
    _check_capabilities(options)
    _check_kas_name(options.kas_dns_name)
    _check_network(options)


def _check_version(options: ClusterOptions) -> None:
    """Only a management cluster knows the version of its operator."""
    if not options.version_check:
        return
    try:
        require_management(options.kubeconfig)
    except UsageError as error:
        raise UsageError(f"failed to get client: {error}") from None
    if pretends():
        raise UsageError(
            "version validation failed: failed to get supported OCP versions: failed to find "
            'supported versions on the server: configmaps "supported-versions" not found'
        )


def _check_name(name: str) -> None:
    found = [f"must be no more than {MAX_LABEL} characters"] if len(name) > MAX_LABEL else []
    if not re.fullmatch(_LABEL, name):
        found.append("must not contain dots" if re.fullmatch(_SUBDOMAIN, name) else _LABEL_RULE)
    if found:
        raise UsageError(f"HostedCluster name failed RFC1123 validation: {' '.join(found)}")


def _check_choices(options: ClusterOptions) -> None:
    if options.arch.lower() not in ARCHITECTURES:
        raise UsageError(f'specified arch "{options.arch}" is not supported')
    if options.feature_set == "CustomNoUpgrade":
        raise UsageError("only a predefined feature set is supported by the feature-set flag")
    if options.feature_set not in FEATURE_SETS:
        raise UsageError(f'specified feature set "{options.feature_set}" is not supported')


def _check_capabilities(options: ClusterOptions) -> None:
    disabled, enabled = options.disable_cluster_capabilities, options.enable_cluster_capabilities
    for verb, names in (("disabled", disabled), ("enabled", enabled)):
        for name in names:
            if name not in CAPABILITIES:
                accepted = " ".join(CAPABILITIES)
                raise UsageError(
                    f"unknown {verb} capability: {name}, accepted values are: [{accepted}]"
                )
    if "Ingress" in disabled and "Console" not in disabled:
        raise UsageError(
            "ingress capability can only be disabled if Console capability is also disabled"
        )


def _check_kas_name(name: str) -> None:
    too_long = f"must be no more than {MAX_SUBDOMAIN} characters"
    found = [too_long] if len(name) > MAX_SUBDOMAIN else []
    if name and not re.fullmatch(_SUBDOMAIN, name):
        found.append(_SUBDOMAIN_RULE)
    if found:
        raise UsageError(f"KubeAPIServerDNSName failed DNS validation: {' '.join(found)}")


def _check_network(options: ClusterOptions) -> None:
    network, mtu = options.network_type, options.ovn_kubernetes_mtu
    _check_other_network("disableMultiNetwork", network, asked=options.disable_multi_network)
    if mtu and network != "OVNKubernetes":
        raise UsageError(
            "--ovn-kubernetes-mtu is only valid when --network-type is OVNKubernetes "
            f"(got '{network}')"
        )
    if mtu and mtu not in MTU:
        raise UsageError(f"--ovn-kubernetes-mtu must be between 576 and 9216 (got {mtu})")
    _check_other_network("allocateNodeCIDRs", network, asked=options.allocate_node_cidrs)


def _check_other_network(name: str, network: str, *, asked: bool) -> None:
    if asked and network != "Other":
        raise UsageError(f"{name} is only allowed when networkType is 'Other' (got '{network}')")


def check_paused_until(text: str) -> None:
    """Accept `true`, or a moment in RFC 3339."""
    if not text or text == "true":
        return
    try:
        check_moment(text)
    except ValueError as error:
        raise UsageError(
            f'invalid pausedUntil value, should be "true" or a valid RFC3339 date format: {error}'
        ) from None


def check_cidr(text: str, name: str) -> str:
    """The range as it is printed, or a refusal that names the network it was meant for."""
    try:
        return address.cidr(text)
    except ValueError as error:
        raise UsageError(f"parsing {name} ({text}): {error}") from None
