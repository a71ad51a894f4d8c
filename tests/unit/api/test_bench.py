"""The budgets of the API hold."""

from tests.unit.api.bench import KIB, a_large_cluster, figures


def test_the_measured_object_has_the_size_that_the_budget_speaks_of() -> None:
    assert 20 * KIB <= len(a_large_cluster()) < 21 * KIB


def test_every_budget_holds() -> None:
    exceeded = [figure for figure in figures() if not figure.kept]
    assert not exceeded
