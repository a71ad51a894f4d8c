"""Find a helper program by its name, read its flags and run it."""

import argparse
import asyncio
import importlib
import signal
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType

from hypershift.helpers.log_line import log_line
from hypershift.helpers.switch import spelled_out

#: Module by name; a module has `flags(parser)` and `async run(options) -> int`.
PROGRAMS: Mapping[str, str] = {
    "availability-prober": "availability_prober",
    "etcd-defrag-controller": "etcd_defrag",
    "kas-bootstrap": "kas_bootstrap",
    "konnectivity-https-proxy": "konnectivity.https_proxy",
    "konnectivity-socks5-proxy": "konnectivity.socks5_proxy",
    "kubernetes-default-proxy": "kubernetes_default_proxy",
    "resolve-dns": "resolve_dns",
    "sharedingress-config-loader": "sharedingress_config",
    "sync-fg-configmap": "sync_fg_configmap",
    "sync-global-pullsecret": "node.pull_secret",
    "sync-node-authorities": "node.authorities",
    "token-minter": "token_minter",
}


def main(words: Sequence[str]) -> int:
    """Run `NAME FLAGS...` and return its exit code."""
    module, options = parse(words)
    try:
        return asyncio.run(_until_signal(module, options))
    except (OSError, ValueError) as error:
        log_line("failed", error=error)
        return 1


def parse(words: Sequence[str]) -> tuple[ModuleType, argparse.Namespace]:
    """The module of a program and its flags; exits with a message on a wrong command line."""
    if not words or words[0] not in PROGRAMS:
        names = ", ".join(PROGRAMS)
        sys.exit(f"control-plane-operator: expected one of: {names}")
    module = importlib.import_module(f"hypershift.helpers.{PROGRAMS[words[0]]}")
    parser = argparse.ArgumentParser(
        f"control-plane-operator {words[0]}", description=module.__doc__, allow_abbrev=False
    )
    module.flags(parser)
    return module, parser.parse_args(spelled_out(parser, words[1:]))


async def _until_signal(module: ModuleType, options: argparse.Namespace) -> int:
    """Run a program; SIGTERM cancels it, which is a good end for a program that stays."""
    task = asyncio.ensure_future(module.run(options))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        return int(await task)
    except asyncio.CancelledError:
        return 0
