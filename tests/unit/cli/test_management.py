from pathlib import Path

import pytest

from hypershift.cli.management import NO_CONFIGURATION, kubeconfig_path, management, node_address
from hypershift.kit import UsageError


def test_the_flag_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KUBECONFIG", "/other")
    mine = tmp_path / "mine"
    mine.touch()
    assert kubeconfig_path(str(mine)) == mine


def test_the_first_file_of_a_list_that_exists_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    there = tmp_path / "config"
    there.touch()
    monkeypatch.setenv("KUBECONFIG", f"/nonexistent/config:{there}")
    assert kubeconfig_path("") == there


def test_a_variable_that_names_no_file_means_no_configuration(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody who names a cluster wants to end up at another one."""
    (tmp_path / ".kube").mkdir()
    (tmp_path / ".kube" / "config").touch()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("KUBECONFIG", "/nonexistent/config")
    with pytest.raises(UsageError, match=NO_CONFIGURATION):
        kubeconfig_path("")


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", "/nonexistent/config")


@pytest.mark.usefixtures("nowhere")
async def test_without_a_configuration_there_is_no_client() -> None:
    with pytest.raises(UsageError) as error:
        async with management():
            pass
    assert str(error.value) == f"unable to get kubernetes config: {NO_CONFIGURATION}"


@pytest.mark.usefixtures("nowhere")
def test_the_address_of_a_node_complains_as_the_original_does() -> None:
    with pytest.raises(UsageError) as error:
        node_address("")
    assert str(error.value) == NO_CONFIGURATION
