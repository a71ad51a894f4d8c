"""Ways to make a credential wrong."""

import base64
import dataclasses
from typing import Any

from tests.lib.sim import sample
from tests.lib.sim.mutants.registry import mutant, with_phase
from tests.lib.sim.sample import ShopScope

from hypershift.kube import kinds
from hypershift.runtime import Controller, Done, Outcome


@mutant
def credential_each_pass() -> Controller[Any]:
    """A new credential is made in every pass."""

    async def publish_credential(scope: ShopScope) -> Outcome:
        scope.word = f"{scope.context.rng.getrandbits(64):016x}"
        data = {"word": base64.b64encode(scope.word.encode()).decode()}
        name = f"{scope.key.name}-credential"
        await scope.kube.apply(scope.child(kinds.SECRET, name, data=data))
        return Done()

    return with_phase(sample.publish_credential, publish_credential)


@mutant
def credential_of_a_stale_read() -> Controller[Any]:
    """What the cache does not show is made again, over what is there."""

    async def publish_credential(scope: ShopScope) -> Outcome:
        name = f"{scope.key.name}-credential"
        found = await scope.kube.find(kinds.SECRET, name, scope.key.namespace)
        if found is None:
            word = base64.b64encode(f"{scope.context.rng.getrandbits(64):016x}".encode()).decode()
            child = scope.child(kinds.SECRET, name, data={"word": word})
            found = await scope.kube.apply(child)
        scope.word = base64.b64decode(found["data"]["word"]).decode()
        return Done()

    return with_phase(sample.publish_credential, publish_credential)


@mutant
def credential_unread() -> Controller[Any]:
    """Settings go with an empty word when the credential was just made."""

    async def publish_credential(scope: ShopScope) -> Outcome:
        name = f"{scope.key.name}-credential"
        found = await scope.kube.find(kinds.SECRET, name, scope.key.namespace)
        if found is None:
            await sample.make_credential(scope, name)
            return Done()
        scope.word = base64.b64decode(found["data"]["word"]).decode()
        return Done()

    async def publish_settings(scope: ShopScope) -> Outcome:
        if scope.status.get("marked"):
            return Done()
        scope.status["marked"] = True
        return await sample.publish_settings(scope)

    whole = with_phase(sample.publish_credential, publish_credential)
    steps = (publish_settings if one is sample.publish_settings else one for one in whole.normal)
    return dataclasses.replace(whole, normal=tuple(steps))
