"""Flags that are taken, because the original has them, and change nothing that runs here."""

import sys
from collections.abc import Iterator

from hypershift.cli.install import audit_logs
from hypershift.cli.install.options import InstallOptions

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
    "enable-standalone-karpenter-operator": "Karpenter's operator is a role of this program",
    "enable-uwm-telemetry-remote-write": "telemetry is not sent",
    "monitoring-dashboards": "the operator makes no dashboards; docs/observability has one",
    "cvo-prometheus-url": "no cluster version operator is run",
}


def idle(options: InstallOptions) -> Iterator[str]:
    """A sentence for every such flag that was given another value than nothing."""
    for flag, value in _typed(options).items():
        if flag in options.given and value not in ("", "None", _WORKS.get(flag)):
            yield f"--{flag} has no effect: {REASONS[flag]}"


def _typed(options: InstallOptions) -> dict[str, object]:
    return {
        "enable-defaulting-webhook": options.enable_defaulting_webhook,
        "enable-validating-webhook": options.enable_validating_webhook,
        "private-platform": options.private_platform,
        "scale-from-zero-provider": options.scale_from_zero_provider,
        "managed-service": options.managed_service,
        "cert-rotation-scale": options.cert_rotation_scale,
        "enable-cpo-overrides": options.enable_cpo_overrides,
        "enable-etcd-recovery": options.enable_etcd_recovery,
        "enable-size-tagging": options.enable_size_tagging,
        "enable-standalone-karpenter-operator": options.enable_standalone_karpenter_operator,
        "enable-uwm-telemetry-remote-write": options.enable_uwm_telemetry_remote_write,
        "monitoring-dashboards": options.monitoring_dashboards,
        "cvo-prometheus-url": options.cvo_prometheus_url,
    }


def warn(options: InstallOptions) -> None:
    """Print a warning for each of them on standard error."""
    for said in idle(options):
        sys.stderr.write(f"WARNING: {said}\n")


def warn_of_objects(options: InstallOptions) -> None:
    """Print the warnings about objects that are printed and not installed."""
    warn(options)
    if audit_logs.has_webhooks(options):
        sys.stderr.write(f"WARNING: {audit_logs.PRINTED}\n")
