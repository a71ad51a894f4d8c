"""Mint tokens of a ServiceAccount in the hosted cluster into a file, and renew them in time."""

import argparse
import asyncio
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from pathlib import Path

from hypershift.helpers.log_line import log_line
from hypershift.helpers.switch import add_switch
from hypershift.kit import HypershiftError, Manifest, data_of, from_rfc3339, replace_file
from hypershift.kube import Client, kinds
from hypershift.kube.limits import GUEST
from hypershift.kube.tokens import mint

RETRY = 10.0
#: The share of a token's life after which it is renewed.
SHARE = 0.8


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags that pods pass."""
    parser.add_argument("--service-account-namespace", default="kube-system")
    parser.add_argument("--service-account-name", required=True)
    parser.add_argument("--token-audience", default="openshift")
    parser.add_argument("--token-file", type=Path, required=True)
    parser.add_argument("--kubeconfig", type=Path, help="Kubeconfig of the hosted cluster")
    parser.add_argument("--kubeconfig-secret-namespace", default="")
    parser.add_argument("--kubeconfig-secret-name", default="", help="Secret with that kubeconfig")
    add_switch(parser, "--oneshot", "End after the first token")


async def run(options: argparse.Namespace) -> int:
    """Keep the file fresh; the first token of `--oneshot` ends the program."""
    while True:
        try:
            rest = await renew(options)
        except (HypershiftError, OSError) as error:
            log_line("no token", account=options.service_account_name, error=error)
            rest = RETRY
        else:
            if options.oneshot:
                return 0
        await asyncio.sleep(rest)


async def renew(options: argparse.Namespace) -> float:
    """Write a new token; the seconds until the next one."""
    async with await _hosted(options) as client:
        status = await mint(
            client,
            options.service_account_namespace,
            options.service_account_name,
            options.token_audience,
        )
    replace_file(options.token_file, status["token"].encode(), mode=0o600)
    return rest_of(status, datetime.now(UTC))


def rest_of(status: Manifest, now: datetime) -> float:
    """Seconds until a token shall be renewed."""
    life = (from_rfc3339(status["expirationTimestamp"]) - now).total_seconds()
    return max(life * SHARE, RETRY)


async def _hosted(options: argparse.Namespace) -> AbstractAsyncContextManager[Client]:
    """The hosted API server: by a file, or by a Secret that the pod's own account may read."""
    if not options.kubeconfig_secret_name:
        return Client.connect(options.kubeconfig)
    async with Client.connect() as management:
        secret = await management.get(
            kinds.SECRET, options.kubeconfig_secret_name, options.kubeconfig_secret_namespace
        )
    return Client.from_secret(data_of(secret, "kubeconfig"), limits=GUEST)
