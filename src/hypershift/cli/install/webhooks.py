"""The webhook configurations that send our objects to the operator."""

from hypershift.api import labels
from hypershift.cli.install import audit_logs
from hypershift.cli.install.options import InstallOptions
from hypershift.kit import Manifest

NAME = "hypershift.openshift.io"
KINDS = {"hostedclusters": "hostedcluster", "nodepools": "nodepool"}
HOSTED = {labels.HOSTED_CONTROL_PLANE: "true"}


def webhooks(options: InstallOptions) -> list[Manifest]:
    """The mutating configuration, then the validating one, as flags ask for them."""
    found = []
    if options.enable_defaulting_webhook or audit_logs.has_webhooks(options):
        hooks = [_ours(plural, "mutate", ["CREATE"]) for plural in KINDS]
        if audit_logs.has_webhooks(options):
            hooks += _audit()
        found.append(_configuration(options, "MutatingWebhookConfiguration", hooks))
    if options.enable_validating_webhook:
        hooks = [
            _ours(plural, "validate", ["CREATE", "UPDATE"]) | {"failurePolicy": "Fail"}
            for plural in KINDS
        ]
        found.append(_configuration(options, "ValidatingWebhookConfiguration", hooks))
    return found


def _configuration(options: InstallOptions, kind: str, hooks: list[Manifest]) -> Manifest:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        # cluster-scoped, but the original writes a namespace that the server ignores
        "metadata": {"name": NAME, "namespace": options.namespace},
        "webhooks": hooks,
    }


def _ours(plural: str, verb: str, operations: list[str]) -> Manifest:
    path = f"/{verb}-hypershift-openshift-io-v1beta1-{KINDS[plural]}"
    return _hook(f"{plural}.{NAME}", path, _rule(NAME, "v1beta1", plural, operations))


def _rule(group: str, version: str, plural: str, operations: list[str]) -> Manifest:
    return {
        "apiGroups": [group],
        "apiVersions": [version],
        "operations": operations,
        "resources": [plural],
        "scope": "Namespaced",
    }


def _hook(name: str, path: str, rule: Manifest) -> Manifest:
    service = {"name": "operator", "namespace": "hypershift", "path": path}
    return {
        "admissionReviewVersions": ["v1"],
        "clientConfig": {"service": service},
        "name": name,
        "rules": [rule],
        "sideEffects": "None",
        "timeoutSeconds": 15,
    }


def _audit() -> list[Manifest]:
    """Pods and ConfigMaps of hosted API servers, of which audit logs are kept."""
    limits = {"failurePolicy": "Ignore", "namespaceSelector": {"matchLabels": HOSTED}}
    return [
        _hook(f"{plural}.auditlogpersistence.{NAME}", path, _rule("", "v1", plural, operations))
        | limits
        for plural, path, operations in (
            ("pods", "/mutate-kas-audit-logs", ["CREATE"]),
            ("configmaps", "/mutate-kas-audit-log-config", ["CREATE", "UPDATE"]),
        )
    ]
