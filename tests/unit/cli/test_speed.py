"""What keeps commands quick: they import what they use; how quick they are, the bench measures."""

import subprocess
import sys

import pytest

LARGE = ("aiohttp", "cryptography", "prometheus_client", "structlog", "hypershift.controlplane")


@pytest.mark.parametrize(
    ("module", "also"),
    [
        ("hypershift.cli.main", ("yaml", "msgspec", "hypershift.kube")),
        ("hypershift.cli.create", ("hypershift.oci", "hypershift.release")),
        ("hypershift.cli.get", ("hypershift.oci", "hypershift.payload")),
        ("hypershift.cli.completion", ("yaml",)),
    ],
)
def test_a_command_starts_without_what_it_may_never_need(
    module: str, also: tuple[str, ...]
) -> None:
    program = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) & {*LARGE, *also} == set()
