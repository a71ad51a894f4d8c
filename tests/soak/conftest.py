"""The long runs use the clusters of the e2e tests: one embedded, one hosted."""

from tests.e2e.conftest import cluster, hosted

__all__ = ["cluster", "hosted"]
