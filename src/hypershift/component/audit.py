"""What API servers write about requests: the policy by profile, the webhook, kept logs.

A log that is kept is on a claim of its own for each pod. Kubernetes makes the claim with the pod (a
generic ephemeral volume), so nothing has to stand in the way of pods; the operator lets the pod's
ReplicaSet own it as well, and it stays when the pod is gone.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from hypershift.api import annotations, decode
from hypershift.api.audit_log_persistence import AuditLogPersistenceConfigSpec
from hypershift.api.configuration.api_server import Audit
from hypershift.api.values import AuditProfile
from hypershift.component import edit
from hypershift.component.view import View
from hypershift.kit import Manifest
from hypershift.kit.documents import dumped

#: Where pods find the kubeconfig of the webhook.
WEBHOOK_PATH = "/etc/kubernetes/auditwebhook"

#: The volume of API servers that holds their log.
LOG_VOLUME = "logs"

_CHANGES = ["create", "update", "patch", "delete", "deletecollection"]


def profile(view: View) -> str:
    """The profile that the cluster asks for."""
    return (view.api_server.audit or Audit()).profile or AuditProfile.DEFAULT.value


def webhook(view: View) -> str:
    """The Secret with the kubeconfig of an audit webhook; empty when there is none."""
    return view.spec.audit_webhook.name if view.spec.audit_webhook else ""


def webhook_options(view: View) -> Iterator[tuple[str, str]]:
    """Yield the options of an API server that sends its audit log to a webhook."""
    if webhook(view):
        yield "audit-webhook-config-file", f"{WEBHOOK_PATH}/webhook-kubeconfig"
        yield "audit-webhook-mode", "batch"
        yield "audit-webhook-initial-backoff", "5s"


def with_auditing(view: View, manifest: Manifest, container: str, volume: str) -> Manifest:
    """Mount the webhook's kubeconfig, and drop the reader of a log that is not written."""
    if profile(view) == AuditProfile.NONE:
        manifest = edit.drop_containers(manifest, "audit-logs")
    if not webhook(view):
        return manifest
    manifest = edit.add_volumes(manifest, edit.secret_volume(volume, webhook(view)))
    return edit.mount(manifest, container, {volume: WEBHOOK_PATH})


def kept(view: View) -> AuditLogPersistenceConfigSpec | None:
    """How the management cluster keeps this log; None where it goes with its pod."""
    said = view.annotation(annotations.AUDIT_LOG_PERSISTENCE)
    if not said or profile(view) == AuditProfile.NONE:
        return None
    return decode(AuditLogPersistenceConfigSpec, said)


def rotation(view: View) -> dict[str, str]:
    """The options by which a log that is kept is rotated; none for another one."""
    found = kept(view)
    if found is None or found.audit_log is None:
        return {}
    log = found.audit_log
    values = {"audit-log-maxbackup": log.max_backup, "audit-log-maxsize": log.max_size}
    return {name: str(value) for name, value in values.items() if value is not None}


def with_kept_log(view: View, manifest: Manifest) -> Manifest:
    """Write the log to a claim that is made with the pod."""
    found = kept(view)
    if found is None or found.storage is None:
        return manifest
    claim: Manifest = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": found.storage.size}},
    }
    if found.storage.storage_class_name:
        claim["storageClassName"] = found.storage.storage_class_name
    labels = {"app": manifest["metadata"]["name"]}
    template = {"metadata": {"labels": labels}, "spec": claim}
    return edit.replace_volume(
        manifest, {"name": LOG_VOLUME, "ephemeral": {"volumeClaimTemplate": template}}
    )


def audit_config(view: View, manifest: Manifest) -> Manifest:
    chosen = profile(view)
    text = _text(json.dumps(policy(view, chosen)))
    return edit.set_data(manifest, {"policy.yaml": text, "profile": chosen})


@lru_cache(maxsize=64)
def _text(policy: str) -> str:
    """The policy as YAML; most clusters share one, and writing YAML is slow."""
    return dumped(json.loads(policy))


def policy(view: View, chosen: str) -> dict[str, Any]:
    """The audit policy: quiet about health checks, discreet about secrets."""
    section = view.api_server.audit or Audit()
    # The API server fills in a profile; a cluster without one has no rules of its own either.
    custom = section.custom_rules if section.profile else ()
    rules = [
        *_quiet(openshift=view.openshift),
        *(
            {**rule, "userGroups": [item.group]}
            for item in custom
            for rule in _recorded(item.profile, openshift=view.openshift)
        ),
        *_recorded(chosen, openshift=view.openshift),
    ]
    return {
        "apiVersion": "audit.k8s.io/v1",
        "kind": "Policy",
        "metadata": {"name": "policy"},
        "omitManagedFields": True,
        "omitStages": ["RequestReceived"],
        "rules": rules,
    }


def _quiet(*, openshift: bool) -> list[Manifest]:
    """Requests that are not audited: discovery, health, and OpenShift's request counters."""
    rules: list[Manifest] = [
        {
            "level": "None",
            "nonResourceURLs": ["/api*", "/version", "/healthz", "/readyz", "/livez"],
            "userGroups": ["system:authenticated", "system:unauthenticated"],
        }
    ]
    if openshift:
        counters = ["apirequestcounts", "apirequestcounts/*"]
        rules.append(
            {
                "level": "None",
                "namespaces": [""],
                "resources": [{"group": "apiserver.openshift.io", "resources": counters}],
                "users": ["system:apiserver"],
            }
        )
    return rules


def _recorded(chosen: str, *, openshift: bool) -> list[Manifest]:
    """The rules of a profile; the last one takes every request."""
    match chosen:
        case AuditProfile.NONE:
            return [{"level": "None"}]
        case AuditProfile.WRITE_REQUEST_BODIES:
            bodies = {"level": "RequestResponse", "verbs": list(_CHANGES)}
            return [*_discreet(openshift=openshift), bodies, _metadata()]
        case AuditProfile.ALL_REQUEST_BODIES:
            return [*_discreet(openshift=openshift), {"level": "RequestResponse"}]
        case _:
            return [*(_logins() if openshift else ()), _metadata()]


def _metadata() -> Manifest:
    return {"level": "Metadata", "omitStages": ["RequestReceived"]}


def _discreet(*, openshift: bool) -> list[Manifest]:
    """Never the bodies of what holds secrets."""
    resources: list[Manifest] = [
        {"resources": ["secrets", "serviceaccounts/token"]},
        {"group": "authentication.k8s.io", "resources": ["tokenreviews", "tokenrequests"]},
    ]
    if openshift:
        resources += [
            {"group": "route.openshift.io", "resources": ["routes", "routes/status"]},
            {"group": "oauth.openshift.io", "resources": ["oauthclients", "tokenreviews"]},
            # Everything of the group: machine configurations hold files of any kind.
            {"group": "machineconfiguration.openshift.io"},
        ]
    return [{"level": "Metadata", "resources": resources}]


def _logins() -> list[Manifest]:
    """Who logs in to OpenShift, in full."""
    tokens = ["oauthaccesstokens", "oauthauthorizetokens"]
    return [
        {
            "level": "RequestResponse",
            "resources": [
                {"group": "user.openshift.io", "resources": ["identities"]},
                {"group": "oauth.openshift.io", "resources": tokens},
            ],
            "verbs": ["create", "update", "patch", "delete"],
        }
    ]
