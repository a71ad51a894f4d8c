"""A suite that would not notice a wrong simulator proves nothing: break it, and look."""

import functools
import importlib.util
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.lib import virtual
from tests.lib.contract import mutations
from tests.lib.contract.api import WIDGETS, Api
from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport

from hypershift.kube import Client

Case = tuple[str, Callable[[Api], Any]]


def cases() -> Iterator[Case]:
    """Every case of the suite, with its parameters filled in."""
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        if path.name == Path(__file__).name:
            continue
        spec = importlib.util.spec_from_file_location(f"contract_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, function in inspect.getmembers(module, inspect.iscoroutinefunction):
            if name.startswith("test_"):
                yield from _filled(f"{path.stem}.{name}", function)


def _filled(name: str, function: Callable[..., Any]) -> Iterator[Case]:
    marks = getattr(function, "pytestmark", ())
    parameters = next((one for one in marks if one.name == "parametrize"), None)
    if parameters is None:
        yield name, function
        return
    names, rows = parameters.args[0], parameters.args[1]
    for row in rows:
        values = dict(zip(names, row, strict=True)) if isinstance(names, tuple) else {names: row}
        yield f"{name}{values}", functools.partial(function, **values)


async def ask(case: Callable[[Api], Any]) -> None:
    server = SimServer()
    api = Api(lambda manager: Client(SimTransport(server), manager=manager), server)
    api.namespace = "contract"
    await api.client().apply(WIDGETS)
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": api.namespace}}
    await api.client().create(namespace)
    await case(api)


CASES = list(cases())


def first_failure() -> str | None:
    """The first case that does not hold."""
    for name, case in CASES:
        try:
            virtual.run(ask(case))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            return name
    return None


def test_the_whole_simulator_holds() -> None:
    assert len(CASES) >= 120
    assert first_failure() is None


@pytest.mark.parametrize("name", mutations.MUTATIONS)
def test_a_broken_simulator_is_noticed(name: str) -> None:
    with mutations.broken(name):
        assert first_failure() is not None
