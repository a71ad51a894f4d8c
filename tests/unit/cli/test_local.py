import json
import re
import shlex
from pathlib import Path

import pytest

from hypershift.cli.command import understand
from hypershift.cli.local.image import own_credentials
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
        (["local", "status", "-o", "xml"], "must be one of table, json, yaml"),
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


def test_the_logins_of_container_tools_are_found_where_they_keep_them(tmp_path: Path) -> None:
    (tmp_path / ".docker").mkdir()
    own = tmp_path / ".docker" / "config.json"
    assert own_credentials({"HOME": str(tmp_path)}) == ""
    own.write_text("{}")
    assert own_credentials({"HOME": str(tmp_path)}) == str(own)
    named = tmp_path / "auth.json"
    named.write_text("{}")
    both = {"HOME": str(tmp_path), "REGISTRY_AUTH_FILE": str(named)}
    assert own_credentials(both) == str(named)


def test_a_list_has_the_clusters_that_cannot_be_read_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HYPERSHIFT_STATE", str(tmp_path))
    for name, text in (("good", '{"version": 1, "name": "good", "index": 4}'), ("bad", "{")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cluster.json").write_text(text)
    assert execute(HYPERSHIFT, ["local", "list", "-o", "json"]) == 0
    found = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert found["bad"]["state"] == "broken"
    assert (found["good"]["state"], found["good"]["network"]) == ("down", "10.84.0.0/16")


@pytest.mark.parametrize(
    ("patch", "sentence"),
    [
        (("sys.platform", "darwin"), "the embedded cluster needs Linux; this is darwin\n"),
        (("os.geteuid", lambda: 1000), "run it with sudo\n"),
    ],
)
def test_a_host_that_cannot_is_told_in_one_sentence(
    patch: tuple[str, object],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("HYPERSHIFT_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(*patch)
    assert execute(HYPERSHIFT, ["local", "up"]) == 1
    told = capsys.readouterr().err
    assert told.endswith(sentence)
    assert told.count("\n") == 1
    assert not (tmp_path / "state").exists()
