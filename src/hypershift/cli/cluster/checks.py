"""What `create cluster` refuses, in the original's order and words."""

import ipaddress
import re

from hypershift.cli.flags import Values
from hypershift.kit import UsageError, from_rfc3339

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


def check_common(values: Values, *, needs_pull_secret: bool = True) -> None:
    """Refuse what no platform can accept; the first violated rule speaks."""
    if not values["name"]:
        raise UsageError("--name is required")
    if needs_pull_secret and not values["pull-secret"]:
        raise UsageError("--pull-secret is required")
    if values["wait"] and values["node-pool-replicas"] < 1:
        raise UsageError("--wait requires --node-pool-replicas > 0")
    _check_name(values["name"])
    if values["arch"] not in ARCHITECTURES:
        raise UsageError(f'specified arch "{values["arch"]}" is not supported')
    if values["feature-set"] not in FEATURE_SETS:
        raise UsageError(f'specified feature set "{values["feature-set"]}" is not supported')
    _check_capabilities(values)
    _check_kas_name(values["kas-dns-name"])
    _check_network(values)


def _check_name(name: str) -> None:
    if len(name) > MAX_LABEL or not re.fullmatch(_LABEL, name):
        raise UsageError(f"HostedCluster name failed RFC1123 validation: {_LABEL_RULE}")


def _check_capabilities(values: Values) -> None:
    disabled, enabled = (values[f"{verb}-cluster-capabilities"] for verb in ("disable", "enable"))
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
    if name and not re.fullmatch(_SUBDOMAIN, name):
        raise UsageError(f"KubeAPIServerDNSName failed DNS validation: {_SUBDOMAIN_RULE}")


def _check_network(values: Values) -> None:
    network, mtu = values["network-type"], values["ovn-kubernetes-mtu"]
    for flag in ("disable-multi-network", "allocate-node-cidrs"):
        if values[flag] and network != "Other":
            raise UsageError(
                f"--{flag} is only allowed when --network-type is 'Other' (got '{network}')"
            )
    if mtu and network != "OVNKubernetes":
        raise UsageError(
            "--ovn-kubernetes-mtu is only valid when --network-type is OVNKubernetes "
            f"(got '{network}')"
        )
    if mtu and mtu not in MTU:
        raise UsageError(f"--ovn-kubernetes-mtu must be between 576 and 9216 (got {mtu})")


def check_paused_until(text: str) -> None:
    """Accept `true`, or a moment in RFC 3339."""
    if not text or text == "true":
        return
    try:
        moment = from_rfc3339(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise UsageError(
            'invalid pausedUntil value, should be "true" or a valid RFC3339 date format: '
            f'parsing time "{text}" as "2006-01-02T15:04:05Z07:00": '
            f'cannot parse "{text}" as "2006"'
        )


def check_cidr(text: str, name: str) -> str:
    """The range itself, or a refusal that names the network it was meant for."""
    if not is_cidr(text):
        raise UsageError(f"parsing {name} ({text}): invalid CIDR address: {text}")
    return text


def is_cidr(text: str) -> bool:
    """Whether a text is an address range as Kubernetes writes one."""
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return "/" in text
