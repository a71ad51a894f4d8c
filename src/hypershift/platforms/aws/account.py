"""The AWS account of one control plane: does AWS trust its tokens, and nodes' security group.

token of the hosted cluster -> role of the control plane operator -> identity provider is valid
                                                                  -> default security group
Both are looked at again after five minutes when they are well, and with each pass otherwise.
The key service is looked at by itself: it fails without the others, and they without it.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

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
from hypershift.api.platforms.aws import AWSPlatform
from hypershift.cloud.aws import AwsRefusal, Query, endpoint
from hypershift.cloud.stores import Keys, StoreFailed, lend
from hypershift.kit import HypershiftError, Secret, TransientError, data_of
from hypershift.platforms.account import AccountFacts, Cleaned, Kept
from hypershift.platforms.aws import security_group
from hypershift.platforms.aws.credentials import KEY, role_in
from hypershift.platforms.aws.key_service import KeyService
from hypershift.platforms.aws.security_group import Group

IDENTITY = ControlPlaneCondition.VALID_AWS_IDENTITY_PROVIDER
CREATED = ControlPlaneCondition.AWS_SECURITY_GROUP_CREATED
DELETED = ControlPlaneCondition.AWS_SECURITY_GROUP_DELETED
#: The account of the hosted cluster that the control plane operator's role trusts.
ACCOUNT, AUDIENCE = ("kube-system", "control-plane-operator"), "openshift"
SESSION = "control-plane-operator"
EVERY = timedelta(minutes=5)
#: AWS lends keys for an hour.
LENT = timedelta(minutes=50)
#: Answers of AWS by which a token is not trusted, or the role not lent.
_DISTRUST = {"InvalidIdentityToken", "AccessDenied", "ValidationError", "ExpiredTokenException"}
#: Answers that let a control plane go with its group still there: its owner removes it.
_TOLERATED = {"UnauthorizedOperation", "AuthFailure", "AccessDenied", "InvalidIdentityToken"}
_IN_USE = "DependencyViolation"

Ec2 = Callable[..., dict[str, Any]]
Lend = Callable[[str, Secret[str], str], Ec2]


def lent(role: str, token: Secret[str], region: str) -> Ec2:
    """Calls of AWS as the role that a token lends."""
    keys: Keys = lend(role, token, region, SESSION, endpoint("sts", region))
    return Query(region, keys)


@dataclass
class AwsAccount:
    """What is remembered of one control plane's account between two looks."""

    lend: Lend = lent
    key_service: KeyService = field(default_factory=KeyService)
    _ec2: Ec2 | None = field(default=None, repr=False)
    _since: datetime | None = None
    _role: str = ""
    _kept: Kept | None = None
    _looked: datetime | None = None

    async def keep(self, facts: AccountFacts) -> Kept:
        """Say whether AWS trusts the cluster and its key works, and make the group of its nodes."""
        kept = await self._keep(facts)
        keys = await self.key_service.look(facts)
        return replace(kept, conditions=(*kept.conditions, *keys))

    async def _keep(self, facts: AccountFacts) -> Kept:
        if self._kept and self._looked and facts.now - self._looked < EVERY:
            return self._kept
        if not facts.serves:
            text = "Cannot validate AWS identity provider while the API server is not available"
            return Kept((unknown(IDENTITY, Reason.STATUS_UNKNOWN, text),))
        try:
            ec2 = await self._login(facts)
            await asyncio.to_thread(ec2, "ec2", "DescribeVpcEndpoints", MaxResults=5)
        except HypershiftError as error:
            self._ec2 = None
            return Kept((_identity(error),))
        kept = await self._with_group(facts, ec2)
        if all(each.is_true for each in kept.conditions):
            self._kept, self._looked = kept, facts.now
        return kept

    async def _with_group(self, facts: AccountFacts, ec2: Ec2) -> Kept:
        valid = true(IDENTITY, ALL_IS_WELL, Reason.AS_EXPECTED)
        try:
            group = await asyncio.to_thread(security_group.ensure, ec2, _group(facts))
        except HypershiftError as error:
            failed = false(CREATED, Reason.AWS_ERROR, _brief(error))
            return Kept((valid, failed))
        made = true(CREATED, ALL_IS_WELL, Reason.AS_EXPECTED)
        return Kept((valid, made), {"aws": {"defaultWorkerSecurityGroupID": group}})

    async def clean(self, facts: AccountFacts) -> Cleaned:
        """Delete the group of nodes; one that may not be deleted is left to its owner."""
        try:
            ec2 = await self._login(facts)
            await asyncio.to_thread(security_group.remove, ec2, _group(facts))
        except AwsRefusal as error:
            text = _brief(error)
            waiting = text if error.code == _IN_USE else ""
            return Cleaned((false(DELETED, Reason.AWS_ERROR, text),), waiting)
        except HypershiftError as error:
            text = _brief(error)
            waiting = "" if _code(error) in _TOLERATED else text
            return Cleaned((false(DELETED, Reason.AWS_ERROR, text),), waiting)
        return Cleaned((true(DELETED, ALL_IS_WELL, Reason.AS_EXPECTED),))

    async def _login(self, facts: AccountFacts) -> Ec2:
        role = role_in(data_of(facts.credentials, KEY).decode(errors="replace"))
        if not role:
            raise TransientError("the credentials of the control plane operator name no role yet")
        fresh = self._since is not None and facts.now - self._since < LENT
        if self._ec2 is None or role != self._role or not fresh:
            token = await facts.tokens(*ACCOUNT, AUDIENCE)
            self._ec2 = await asyncio.to_thread(self.lend, role, token, _section(facts).region)
            self._role, self._since = role, facts.now
        return self._ec2


def _section(facts: AccountFacts) -> AWSPlatform:
    section = facts.plane.spec.platform.aws
    if section is None:
        raise TransientError("the control plane has no spec.platform.aws")
    return section


def _group(facts: AccountFacts) -> Group:
    section, spec = _section(facts), facts.plane.spec
    network = section.cloud_provider_config
    if network is None:
        raise TransientError("spec.platform.aws.cloudProviderConfig names no VPC")
    machines = spec.networking.machine_network if spec.networking else ()
    return Group(
        infra_id=spec.infra_id,
        vpc=network.vpc,
        tags={tag.key: tag.value for tag in section.resource_tags},
        machines=tuple(each.cidr for each in machines or ()),
        routes_pods=not facts.openshift,
    )


def _identity(error: HypershiftError) -> Condition:
    code = _code(error)
    if code in _DISTRUST:
        text = f"AWS does not lend the control plane operator its role: {code}"
        return false(IDENTITY, ControlPlaneReason.INVALID_IDENTITY_PROVIDER, text)
    return unknown(IDENTITY, Reason.AWS_ERROR, _brief(error))


def _code(error: HypershiftError) -> str:
    return error.code if isinstance(error, AwsRefusal | StoreFailed) else ""


def _brief(error: HypershiftError) -> str:
    """What went wrong, without what is another text with each request."""
    if isinstance(error, StoreFailed):
        return f"AWS refuses tokens of the cluster: {error.code or error.status or 'no answer'}"
    return str(error)
