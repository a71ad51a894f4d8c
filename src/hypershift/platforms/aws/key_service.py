"""Whether AWS' key service encrypts for one control plane: `ValidAWSKMSConfig`.

token of the hosted cluster -> role of the key service -> one word encrypted with the active key
A key that works is tried again after a minute, one that does not with each pass.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hypershift.api.conditions import (
    ALL_IS_WELL,
    Condition,
    ControlPlaneCondition,
    ControlPlaneReason,
    Reason,
    false,
    true,
    unknown,
)
from hypershift.api.encryption import AWSKMS
from hypershift.cloud.aws import AwsRefusal, encrypt, endpoint
from hypershift.cloud.stores import Keys, StoreFailed, lend
from hypershift.kit import HypershiftError, Secret
from hypershift.platforms.account import AccountFacts

VALID = ControlPlaneCondition.VALID_AWS_KMS
#: The account of the hosted cluster that the role trusts: the one of the key service's plugin.
ACCOUNT, AUDIENCE = ("kube-system", "kms-provider"), "openshift"
SESSION = "control-plane-operator"
EVERY = timedelta(minutes=1)
#: AWS lends keys for an hour.
LENT = timedelta(minutes=50)

Lend = Callable[[str, Secret[str], str], Keys]
Encrypt = Callable[[str, Keys, str], None]


def lent(role: str, token: Secret[str], region: str) -> Keys:
    """Keys of the role that a token lends."""
    return lend(role, token, region, SESSION, endpoint("sts", region))


@dataclass
class KeyService:
    """What is remembered of one control plane's key service between two looks."""

    lend: Lend = lent
    encrypt: Encrypt = encrypt
    _keys: Keys | None = field(default=None, repr=False)
    _of: AWSKMS | None = None
    _since: datetime | None = None
    _worked: datetime | None = None

    async def look(self, facts: AccountFacts) -> tuple[Condition, ...]:
        """Say whether the active key encrypts; nothing while the cluster can make no token."""
        wanted = settings(facts)
        if wanted is None:
            return (unknown(VALID, Reason.STATUS_UNKNOWN, "AWS KMS is not configured"),)
        if wanted != self._of:
            self._keys = self._worked = None
            self._of = wanted
        if not facts.serves:
            return ()
        if self._worked is None or facts.now - self._worked >= EVERY:
            self._worked = None
            if problem := await self._try(facts, wanted):
                return (problem,)
            self._worked = facts.now
        return (true(VALID, ALL_IS_WELL, Reason.AS_EXPECTED),)

    async def _try(self, facts: AccountFacts, wanted: AWSKMS) -> Condition | None:
        role, key = wanted.auth.aws_kms, wanted.active_key.arn
        if self._keys is None or self._since is None or facts.now - self._since >= LENT:
            self._keys = None
            try:
                token = await facts.tokens(*ACCOUNT, AUDIENCE)
            except HypershiftError as error:
                text = f"failed to create token for KMS provider service account: {error}"
                return unknown(VALID, Reason.STATUS_UNKNOWN, text)
            try:
                self._keys = await asyncio.to_thread(self.lend, role, token, wanted.region)
            except HypershiftError as error:
                text = f"failed to assume role web identity ({role}), code: {_code(error)}"
                return false(VALID, ControlPlaneReason.INVALID_IAM_ROLE, text)
            self._since = facts.now
        try:
            await asyncio.to_thread(self.encrypt, wanted.region, self._keys, key)
        except HypershiftError as error:
            self._keys = None
            text = f"failed to encrypt data using KMS (key: {key}), code: {_code(error)}"
            return false(VALID, Reason.AWS_ERROR, text)
        return None


def settings(facts: AccountFacts) -> AWSKMS | None:
    """The settings of AWS' key service, where the cluster uses it."""
    encryption = facts.plane.spec.secret_encryption
    return encryption.kms.aws if encryption and encryption.kms else None


def _code(error: HypershiftError) -> str:
    """AWS' own word, without what is another text with each request."""
    known = error.code if isinstance(error, AwsRefusal | StoreFailed) else ""
    return known or "no answer"
