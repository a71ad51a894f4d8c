"""The controller that follows a change of encryption key, and rewrites what is stored."""

from collections.abc import Iterator, Sequence

from hypershift.api.conditions import (
    Owner,
)
from hypershift.controlplane.kube_apiserver.encryption import (
    SECRET,
)
from hypershift.kit import Key, Manifest
from hypershift.kube import kinds
from hypershift.kube.cache import BY_NAMESPACE
from hypershift.operators.guest_config.deadline import GUEST_PASS
from hypershift.operators.guest_config.reencryption.follow import follow
from hypershift.operators.guest_config.reencryption.look import forget, look
from hypershift.operators.guest_config.reencryption.rewriting import Rewriter
from hypershift.operators.guest_config.reencryption.scope import MATERIAL, KeyScope
from hypershift.runtime import Controller, Phase, Watch, mapping

NAME = Owner.RE_ENCRYPTION.value


NORMAL: Sequence[Phase[KeyScope]] = (look, follow)
DELETE: Sequence[Phase[KeyScope]] = (forget,)


def beside(secret: Manifest) -> Iterator[Key]:
    """The namespace whose control plane has a Secret as its configuration or key."""
    if secret["metadata"]["name"] == SECRET or MATERIAL in (secret.get("data") or {}):
        yield from mapping.its_namespace(secret)


def controller(namespace: str = "") -> Controller[KeyScope]:
    """The controller of one control plane namespace, or of all."""
    rewriter = Rewriter()
    return Controller(
        name=NAME,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=lambda found, context: KeyScope(found, context, rewriter),
        normal=NORMAL,
        delete=DELETE,
        namespace=namespace,
        watches=(Watch(kinds.SECRET, beside, through=BY_NAMESPACE.name),),
        stop_on_error=True,
        timeout=GUEST_PASS,
    )
