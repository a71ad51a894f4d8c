"""Flags that are taken, because the original has them, and change nothing that runs here."""

import sys
from collections.abc import Iterator

from hypershift.cli.flags import Values
from hypershift.cli.install import audit_logs

_HOOKS = (
    "this operator serves no admission webhooks: the definitions' own rules check and fill in "
    "objects; the API refuses every HostedCluster and NodePool while nobody answers"
)
_CLOUD = "the operator does no work in that cloud yet"
#: Values by which a flag does something.
_WORKS = {"private-platform": "AWS"}
#: Why a flag has no effect, by its name.
REASONS = {
    "enable-defaulting-webhook": _HOOKS,
    "enable-validating-webhook": _HOOKS,
    "private-platform": _CLOUD,
    "scale-from-zero-provider": _CLOUD,
    "managed-service": _CLOUD,
    "cert-rotation-scale": "certificates are renewed at fixed parts of their lives",
    "enable-cpo-overrides": "control plane operators come from releases or from this program",
    "enable-etcd-recovery": "lost members of etcd are always replaced",
    "enable-size-tagging": "clusters are not sized",
    "enable-standalone-karpenter-operator": "there is no Karpenter operator yet",
    "enable-uwm-telemetry-remote-write": "telemetry is not sent",
    "monitoring-dashboards": "the operator makes no dashboards; docs/observability has one",
    "cvo-prometheus-url": "no cluster version operator is run",
}


def idle(values: Values) -> Iterator[str]:
    """A sentence for every such flag that was given another value than nothing."""
    for flag, reason in REASONS.items():
        if values.has(flag) and values[flag] not in ("", "None", _WORKS.get(flag)):
            yield f"--{flag} has no effect: {reason}"


def warn(values: Values) -> None:
    """Print a warning for each of them on standard error."""
    for said in idle(values):
        sys.stderr.write(f"WARNING: {said}\n")


def warn_of_objects(values: Values) -> None:
    """Print the warnings about objects that are printed and not installed."""
    warn(values)
    if audit_logs.has_webhooks(values):
        sys.stderr.write(f"WARNING: {audit_logs.PRINTED}\n")
