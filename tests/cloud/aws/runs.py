"""Create and destroy against the test cloud, with time that passes at once."""

import asyncio
import os
import time
from asyncio import run
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from tests.cloud.aws.faults import Faults
from tests.cloud.aws.server import Cloud

from hypershift.cloud.aws import Account, Login
from hypershift.infra.aws import (
    Accounts,
    Network,
    Teardown,
    Wanted,
    create_network,
    destroy_network,
    planned,
)
from hypershift.infra.aws.roles import (
    WantedRoles,
    create_roles,
    destroy_roles,
    issuer_of_bucket,
    planned_roles,
)
from hypershift.kit import HypershiftError, SystemClock

REGION, DOMAIN = "us-east-1", "example.com"
ZONES = ("us-east-1a", "us-east-1b", "us-east-1c")
WANTED = Wanted("demo-abcde", "demo", REGION, DOMAIN, ZONES[:1])


ISSUER = issuer_of_bucket("docs", REGION, "demo-abcde")
ROLES = WantedRoles("demo-abcde", REGION, ISSUER, "ZPUBLIC", "ZPRIVATE", "ZLOCAL")


class Hasty(SystemClock):
    """Pauses take no time but count."""

    def __init__(self) -> None:
        self.slept = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.slept

    async def sleep(self, seconds: float) -> None:
        self.slept += seconds
        await asyncio.sleep(0)


def quiet(_message: str, /, **_values: str) -> None:
    """Say nothing."""


def accounts(attempts: int = 11) -> Accounts:
    own = Account(Login(), "test", REGION, attempts=attempts)
    return Accounts(own, own)


@cache
def once_each(endpoint: str) -> Accounts:
    """Accounts whose calls are sent once, so that a fault is the run's affair; clients are shared.

    Each schedule with clients of its own would read the description of EC2 twice: 60 MB that are
    collected late.
    """
    assert endpoint == os.environ["AWS_ENDPOINT_URL"]
    return accounts(attempts=1)


def create(wanted: Wanted, both: Accounts, **more: Any) -> Network:
    return run(create_network(both, wanted, log=quiet, clock=Hasty(), **more))


def missing(wanted: Wanted, both: Accounts) -> list[str]:
    return list(planned(both, wanted)[2].lines())


def destroy(wanted: Wanted, both: Accounts, grace: float = 0.0) -> None:
    gone = Teardown(
        wanted.infra_id,
        wanted.name,
        wanted.region,
        wanted.base_domain,
        wanted.base_domain_prefix,
        wanted.zones_in_cluster_account,
    )
    run(destroy_network(both, gone, log=quiet, clock=Hasty(), grace=grace))


def with_domain(cloud: Cloud, account: str = "test") -> None:
    cloud.client("route53", account).create_hosted_zone(Name=DOMAIN, CallerReference="base")


def survive(cloud: Cloud, seed: int) -> None:
    """One schedule of faults over create and destroy: each is resumed until it ends well."""
    cloud.reset()
    with_domain(cloud)
    before = cloud.inventory()
    wanted = replace(WANTED, zones=ZONES[: 1 + seed % 3], single_nat=bool(seed % 2))
    both = once_each(cloud.endpoint)
    insist(cloud, seed, lambda: create(wanted, both))
    assert missing(wanted, both) == [], seed
    insist(cloud, seed + 1_000_000, lambda: destroy(wanted, both, grace=300))
    assert cloud.inventory() == before, seed


def survive_with_roles(cloud: Cloud, seed: int) -> None:
    """The same for roles, provider and profile."""
    cloud.reset()
    both, clock = once_each(cloud.endpoint), Hasty()
    insist(cloud, seed, lambda: run(create_roles(both, ROLES, log=quiet, clock=clock)))
    assert planned_roles(both, ROLES).steps == (), seed
    infra_id = ROLES.infra_id
    insist(
        cloud,
        seed + 1_000_000,
        lambda: run(destroy_roles(both, infra_id, log=quiet, clock=clock)),
    )
    assert identities(cloud) == (0, 0, 0), seed


def identities(cloud: Cloud) -> tuple[int, int, int]:
    """How many roles, OIDC providers and instance profiles there are."""
    iam = cloud.client("iam")
    return (
        len(iam.list_roles()["Roles"]),
        len(iam.list_open_id_connect_providers()["OpenIDConnectProviderList"]),
        len(iam.list_instance_profiles()["InstanceProfiles"]),
    )


def insist(cloud: Cloud, seed: int, step: Callable[[], object]) -> None:
    """Run again after each failure, first under faults, in the end without."""
    for attempt in range(4):
        cloud.faults = Faults.of(seed * 10 + attempt) if attempt < 3 else Faults.none()
        try:
            step()
        except HypershiftError as error:
            problem = error
            continue
        finally:
            cloud.faults = Faults.none()
        return
    raise AssertionError(f"seed {seed} never ended: {problem}")
