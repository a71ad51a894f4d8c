"""Kept audit logs: the original's webhooks and rights where its objects are printed, else ours.

The original keeps logs by webhooks; this operator serves none and keeps them by rights of its own.
`install render` prints the original's objects, so that they can be compared; an installation gets
what works.
"""

from collections.abc import Iterator

from hypershift.cli.install.assets import load
from hypershift.cli.install.options import InstallOptions
from hypershift.kit import Manifest

PRINTED = (
    "--enable-audit-log-persistence prints the original's webhooks and rights, which keep no log "
    "here: use `hypershift install`, or add --least-privilege"
)
_MUTATING = "MutatingWebhookConfiguration"


def is_ours(options: InstallOptions) -> bool:
    """Whether this operator's own rights are asked for instead of the original's."""
    return bool(options.shared or options.least_privilege)


def has_webhooks(options: InstallOptions) -> bool:
    """Whether the original's webhooks for audit logs are among the objects."""
    return bool(options.enable_audit_log_persistence) and not is_ours(options)


def rules(options: InstallOptions, asset: str = "") -> list[Manifest]:
    """What the operator may do beside its other rights."""
    if not options.enable_audit_log_persistence:
        return []
    chosen = asset or ("audit-log-rules-least.yaml" if is_ours(options) else "audit-log-rules.yaml")
    (found,) = load(chosen, options.namespace)
    made: list[Manifest] = found["rules"]
    return made


def installed(options: InstallOptions, objects: list[Manifest]) -> list[Manifest]:
    """The objects as a cluster gets them: without a webhook that nothing serves, with our rights.

    The original's mutating webhooks come together, so those of clusters and pools go as well.
    """
    return list(_installed(options, objects)) if has_webhooks(options) else objects


def _installed(options: InstallOptions, objects: list[Manifest]) -> Iterator[Manifest]:
    for one in objects:
        if one["kind"] == "ClusterRole" and one["metadata"]["name"] == "hypershift-operator":
            yield one | {"rules": [*one["rules"], *rules(options, "audit-log-rules-least.yaml")]}
        elif one["kind"] != _MUTATING:
            yield one
