"""Whether kubeconfigs of users' webhooks hold values only: the API server reads them in a pod."""

from collections.abc import Iterator, Mapping

from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.secret_keys import AUDIT_WEBHOOK_KEY
from hypershift.kit import Manifest, data_of
from hypershift.kube import KubeconfigError, inline
from hypershift.operators.hypershift.hosted_cluster.rules.copies import TOKEN_WEBHOOK_KEY

Receiver = tuple[str, str, str]  # the field, the Secret's name, the key in it


def receivers(spec: HostedClusterSpec) -> tuple[Receiver, ...]:
    """Where a spec refers to a kubeconfig of the user's."""
    return tuple(_receivers(spec))


def _receivers(spec: HostedClusterSpec) -> Iterator[Receiver]:
    if spec.audit_webhook and spec.audit_webhook.name:
        yield "spec.auditWebhook", spec.audit_webhook.name, AUDIT_WEBHOOK_KEY
    section = spec.configuration.authentication if spec.configuration else None
    if section is None:
        return
    for one in (section.webhook_token_authenticator, *section.webhook_token_authenticators):
        if one and one.kube_config and (name := one.kube_config.name):
            place = "spec.configuration.authentication.webhookTokenAuthenticator"
            yield place, name, TOKEN_WEBHOOK_KEY


def receiver_problems(
    spec: HostedClusterSpec, secrets: Mapping[str, Manifest | None]
) -> Iterator[str]:
    """Yield which of them name files or programs; a missing one is reported when it is copied."""
    for field, name, key in receivers(spec):
        if content := data_of(secrets.get(name), key):
            try:
                inline.check_receiver(content, source=f'{field}: Secret "{name}", key {key}')
            except KubeconfigError as error:
                yield str(error)
