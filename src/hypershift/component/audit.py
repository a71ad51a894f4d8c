"""What API servers write about requests: the audit policy by profile, and the webhook."""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from hypershift.api.configuration.api_server import Audit
from hypershift.api.values import AuditProfile
from hypershift.component import edit
from hypershift.component.view import View
from hypershift.kit import Manifest
from hypershift.kit.documents import dumped

#: Where pods find the kubeconfig of the webhook.
WEBHOOK_PATH = "/etc/kubernetes/auditwebhook"

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
