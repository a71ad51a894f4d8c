"""The clouds' accounts that control planes are looked after in, and what is remembered of each."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from hypershift.kube import Client
from hypershift.kube.limits import GUEST
from hypershift.platforms import AccountSide, platform_named

Connect = Callable[[bytes], AbstractAsyncContextManager[Client]]


def hosted(kubeconfig: bytes) -> AbstractAsyncContextManager[Client]:
    """A client of a hosted cluster, which is not trusted."""
    return Client.from_secret(kubeconfig, limits=GUEST)


def made_for(platform: str) -> AccountSide | None:
    """A new memory of an account; None on clouds where nothing is done."""
    make = platform_named(platform).account
    return make() if make else None


@dataclass
class Accounts:
    """One account for each control plane, by namespace."""

    connect: Connect = hosted
    make: Callable[[str], AccountSide | None] = made_for
    _known: dict[str, AccountSide] = field(default_factory=dict)

    def of(self, namespace: str, platform: str) -> AccountSide | None:
        """The account of a control plane; None where its cloud needs nothing done."""
        if namespace not in self._known and (made := self.make(platform)):
            self._known[namespace] = made
        return self._known.get(namespace)

    def forget(self, namespace: str) -> None:
        """Forget a control plane that is gone."""
        self._known.pop(namespace, None)
