"""Phases that approve and sign the requests for break-glass certificates of a control plane."""

from base64 import b64encode
from datetime import timedelta

from hypershift.api.conditions import ConditionStatus, SigningRequestCondition
from hypershift.kit import InvalidSpec, Manifest, rfc3339
from hypershift.kube import Conflict, NotFound, kinds
from hypershift.operators.pki.rules import signing
from hypershift.operators.pki.rules.request import Pending, parsed, pending
from hypershift.operators.pki.scope import SignerScope
from hypershift.operators.pki.signers import confirm
from hypershift.runtime import Done, Outcome, Wait

APPROVAL_REASON = "ApprovalPresent"
APPROVAL_MESSAGE = "The requisite approval resource exists."
FAILURE_REASON = "SignerValidationFailure"
#: A request that changed while it was answered is looked at again.
CHANGED = Wait("RequestChanged", after=timedelta(seconds=2))


async def approve_requests(scope: SignerScope) -> Outcome:
    """Approve the requests for which an approval of the same name is in our namespace."""
    again: Outcome = Done()
    for request in await _requests(scope):
        if request.is_decided or not await _is_approved(scope, request):
            continue
        approved = _with_condition(
            scope, request, SigningRequestCondition.APPROVED, APPROVAL_REASON, APPROVAL_MESSAGE
        )
        try:
            await scope.kube.replace(approved, subresource="approval")
        except (Conflict, NotFound):  # it changed or went meanwhile
            again = CHANGED
            continue
        scope.log.info("request approved", csr=request.name, signer=request.signer.name)
    return again


async def sign_requests(scope: SignerScope) -> Outcome:
    """Sign what was approved; a request that the signer must not sign is marked as failed."""
    again: Outcome = Done()
    for request in await _requests(scope):
        if not request.waits_for_certificate:
            continue
        await confirm(scope)
        try:
            status = _signed(scope, request)
        except InvalidSpec as error:
            status = _failed(scope, request, str(error))
        if status is None or not await _patched(scope, request, status):
            again = CHANGED
    return again


async def _requests(scope: SignerScope) -> list[Pending]:
    found = await scope.kube.list(kinds.CERTIFICATE_SIGNING_REQUEST)
    return pending(found, scope.namespace)


async def _is_approved(scope: SignerScope, request: Pending) -> bool:
    resource = kinds.CERTIFICATE_SIGNING_REQUEST_APPROVAL
    found = await scope.kube.find(resource, request.name, scope.namespace)
    return found is not None and not found["metadata"].get("deletionTimestamp")


def _signed(scope: SignerScope, request: Pending) -> Manifest | None:
    csr = parsed(request)
    authority = scope.authority(request.signer.signer)
    if authority is None:
        return None
    spec = request.manifest["spec"]
    life = signing.lifetime(spec.get("expirationSeconds"), scope.environment.lifetimes.client)
    pem = signing.certificate(csr, authority, scope.clock.now(), life, spec.get("usages") or ())
    scope.log.info("request signed", csr=request.name, signer=request.signer.name)
    return {"certificate": b64encode(pem).decode()}


def _failed(scope: SignerScope, request: Pending, why: str) -> Manifest:
    scope.log.warning("request refused", csr=request.name, reason=why)
    marked = _with_condition(scope, request, SigningRequestCondition.FAILED, FAILURE_REASON, why)
    return {"conditions": marked["status"]["conditions"]}


async def _patched(scope: SignerScope, request: Pending, status: Manifest) -> bool:
    """Patch the status of the very version that was looked at; False if there is another."""
    version = request.manifest["metadata"]["resourceVersion"]
    patch = {"metadata": {"resourceVersion": version}, "status": status}
    resource = kinds.CERTIFICATE_SIGNING_REQUEST
    try:
        await scope.kube.patch(resource, request.name, patch, subresource="status")
    except (Conflict, NotFound):
        return False
    return True


def _with_condition(
    scope: SignerScope, request: Pending, kind: SigningRequestCondition, reason: str, text: str
) -> Manifest:
    status = request.manifest.get("status") or {}
    now = rfc3339(scope.clock.now())
    condition = {
        "type": kind.value,
        "status": ConditionStatus.TRUE.value,
        "reason": reason,
        "message": text,
        "lastUpdateTime": now,
        "lastTransitionTime": now,
    }
    conditions = [*(status.get("conditions") or ()), condition]
    return request.manifest | {"status": status | {"conditions": conditions}}
