"""Seeds: node pools converge within their limits, rest, and leave nothing behind."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.lib.seeds import seeds
from tests.lib.sim.pools import schedule

from hypershift.operators.hypershift.node_pool import deletion, templates, token
from hypershift.operators.hypershift.node_pool.janitor import secrets
from hypershift.operators.hypershift.node_pool.rules import autoscaling

#: So many stories at most until a mutant shows.
ENOUGH = 16


# A story of pools costs as much as ten of the sample operator.
@pytest.mark.parametrize("seed", seeds(10, least=4))
def test_every_seed_converges(seed: int) -> None:
    result = schedule.run(seed)
    assert result.passed, schedule.explain(result)


async def _nothing(*_: Any, **__: Any) -> bool:
    return False


def _one_more(pool: Any, *_: Any, **__: Any) -> int:
    return (pool.spec.replicas or 0) + 1


MUTANTS: dict[str, tuple[Any, str, Callable[..., Any], str]] = {
    "a machine too many": (autoscaling, "replicas", _one_more, "nobody asked for"),
    "no janitor": (secrets, "_retire", _nothing, "of the past"),
    "templates are left": (templates, "delete_templates", _nothing, "is left of pool"),
    "tokens never expire": (token, "expire", _nothing, "never expires"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_controller_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, attribute, replacement, complaint = MUTANTS[name]
    monkeypatch.setattr(module, attribute, replacement)
    for holder in (deletion, secrets, templates):
        if hasattr(holder, attribute):
            monkeypatch.setattr(holder, attribute, replacement)
    told = (text for seed in range(ENOUGH) for text in schedule.run(seed).complaints)
    assert any(complaint in text for text in told)
