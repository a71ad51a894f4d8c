"""Golden files: rewritten on request, compared otherwise."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="rewrite the golden files")


@pytest.fixture(scope="session")
def rewrite(request: pytest.FixtureRequest) -> bool:
    """Whether to write the files instead of comparing."""
    return bool(request.config.getoption("--golden", default=False))
