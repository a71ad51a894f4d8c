import re
import shlex
from pathlib import Path

import pytest

from hypershift.cli.command import understand
from hypershift.cli.main import HYPERSHIFT, execute

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "local.md"


def documented() -> list[list[str]]:
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text(), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [shlex.split(line.removeprefix("sudo "))[1:] for line in lines]


@pytest.mark.parametrize("words", documented(), ids=" ".join)
def test_every_documented_command_is_understood(words: list[str]) -> None:
    line = understand(HYPERSHIFT, words)
    assert line.command.run is not None


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["local", "up", "--nodes", "many"], "invalid argument"),
        (["local", "up", "--nodes", "0"], "1 to"),
        (["local", "up", "--name", "Not/A/Name"], "lower-case"),
        (["local", "status", "--name", "nobody"], "there is no cluster nobody"),
        (["local", "down", "--name", "nobody"], "there is no cluster nobody"),
        (["local", "reset", "--name", "nobody", "--yes"], "there is no cluster nobody"),
        (["local", "status", "-o", "xml"], "no output format"),
        (["local", "machine", "kill", "--name", "nobody"], "there is no cluster nobody"),
    ],
)
def test_bad_input_is_named_and_nothing_is_made(
    words: list[str],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("HYPERSHIFT_STATE", str(tmp_path / "state"))
    code = execute(HYPERSHIFT, words)
    told = capsys.readouterr()
    assert code != 0
    assert complaint in told.err
    assert not list(tmp_path.glob("state/*"))


def test_a_state_of_a_newer_version_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HYPERSHIFT_STATE", str(tmp_path))
    (tmp_path / "local").mkdir()
    spec = tmp_path / "local" / "cluster.json"
    spec.write_text('{"version": 99, "name": "local", "index": 0}')
    for words in (["local", "up"], ["local", "down"], ["local", "reset", "--yes"]):
        assert execute(HYPERSHIFT, words) == 1
    assert "newer hypershift" in capsys.readouterr().err
    assert spec.exists()
