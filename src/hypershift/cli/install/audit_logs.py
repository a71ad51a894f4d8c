"""Kept audit logs: the original's webhooks and rights where its objects are printed, else ours.

The original keeps logs by webhooks; this operator serves none and keeps them by rights of its own.
`install render` prints the original's objects, so that they can be compared; an installation gets
what works.
"""

from collections.abc import Iterator

from hypershift.cli.flags import Values
from hypershift.cli.install.assets import load
from hypershift.kit import Manifest

PRINTED = (
    "--enable-audit-log-persistence prints the original's webhooks and rights, which keep no log "
    "here: use `hypershift install`, or add --least-privilege"
)
_MUTATING = "MutatingWebhookConfiguration"


def is_ours(values: Values) -> bool:
    """Whether this operator's own rights are asked for instead of the original's."""
    return bool(values["shared"] or values["least-privilege"])


def has_webhooks(values: Values) -> bool:
    """Whether the original's webhooks for audit logs are among the objects."""
    return bool(values["enable-audit-log-persistence"]) and not is_ours(values)


def rules(values: Values, asset: str = "") -> list[Manifest]:
    """What the operator may do beside its other rights."""
    if not values["enable-audit-log-persistence"]:
        return []
    chosen = asset or ("audit-log-rules-least.yaml" if is_ours(values) else "audit-log-rules.yaml")
    (found,) = load(chosen, values["namespace"])
    made: list[Manifest] = found["rules"]
    return made


def installed(values: Values, objects: list[Manifest]) -> list[Manifest]:
    """The objects as a cluster gets them: without a webhook that nothing serves, with our rights.

    The original's mutating webhooks come together, so those of clusters and pools go as well.
    """
    return list(_installed(values, objects)) if has_webhooks(values) else objects


def _installed(values: Values, objects: list[Manifest]) -> Iterator[Manifest]:
    for one in objects:
        if one["kind"] == "ClusterRole" and one["metadata"]["name"] == "hypershift-operator":
            yield one | {"rules": [*one["rules"], *rules(values, "audit-log-rules-least.yaml")]}
        elif one["kind"] != _MUTATING:
            yield one
