"""Every command line that a rendered pod runs in our image is one that our programs read."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from hypershift import helpers
from hypershift.controlplane import UNDEPLOYED
from hypershift.ignition import api_proxy

PROGRAM = "control-plane-operator"
GOLDEN = Path(__file__).parents[2] / "golden"
#: Other roles of the original's program, which our own manifests start as `hypershift ROLE run`.
ROLES = {
    "run",
    "hosted-cluster-config-operator",
    "ignition-server",
    "endpoint-resolver",
    "metrics-proxy",
}


def containers(document: Any) -> Iterator[dict[str, Any]]:
    """Every container in a document, wherever its pod stands."""
    if isinstance(document, dict):
        for group in ("containers", "initContainers"):
            yield from (one for one in document.get(group) or () if isinstance(one, dict))
        for value in document.values():
            yield from containers(value)
    elif isinstance(document, list):
        for value in document:
            yield from containers(value)


def words_of(container: dict[str, Any]) -> list[str]:
    """The words after the program's name, also behind a shell; none if it is another program."""
    words = [*(container.get("command") or ()), *(container.get("args") or ())]
    if len(words) > 2 and words[1] == "-c":
        lines = words[2].replace("\\\n", " ").splitlines()
        called = [line for line in lines if f"{PROGRAM} " in line and "#" not in line]
        words = shlex.split(called[0].partition("exec ")[2] or called[0]) if called else words
    if not words or Path(words[0]).name != PROGRAM:
        return []
    return words[1:]


def command_lines(root: Path) -> list[tuple[str, ...]]:
    found = set()
    for path in root.rglob("*.yaml"):
        if PROGRAM not in (text := path.read_text()):
            continue
        for document in yaml.load_all(text, yaml.CSafeLoader):
            found |= {tuple(words_of(one)) for one in containers(document)}
    return sorted(found - {()})


def static_pod() -> tuple[str, ...]:
    proxy = api_proxy.ApiProxy(
        "172.20.0.1", 6443, "api.example.org", 6443, "i", forward_proxy="u:p@proxy:3128"
    )
    pod = api_proxy._connect_pod(proxy)  # noqa: SLF001 - the pod without its MachineConfig
    return tuple(words_of(pod["spec"]["containers"][0]))


#: What nothing deploys calls roles that the operator plays here itself.
DEPLOYED = [
    path
    for path in sorted(GOLDEN.iterdir())
    if path.name not in {component.name for component in UNDEPLOYED}
]
OURS = sorted({words for path in DEPLOYED for words in command_lines(path)} | {static_pod()})
REFERENCE = Path(os.environ.get("HYPERSHIFT_REFERENCE", "/nonexistent")) / "components"
THEIRS = command_lines(REFERENCE)


@pytest.mark.parametrize("words", OURS, ids=" ".join)
def test_what_our_pods_call_is_a_program_that_takes_these_flags(words: tuple[str, ...]) -> None:
    helpers.parse(words)


def test_pods_call_helpers_at_all() -> None:
    assert {words[0] for words in OURS} >= {"availability-prober", "kubernetes-default-proxy"}


@pytest.mark.skipif(not THEIRS, reason="needs $HYPERSHIFT_REFERENCE")
def test_what_pods_of_the_original_call_is_read_too() -> None:
    for words in THEIRS:
        if words[0] not in ROLES:
            helpers.parse(words)


@pytest.mark.parametrize("name", helpers.PROGRAMS)
def test_each_program_tells_its_flags(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        helpers.parse((name, "--help"))
    assert ended.value.code == 0
    assert name in capsys.readouterr().out


def test_a_wrong_flag_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        helpers.parse(("token-minter", "--service-account-nam=x"))
    assert ended.value.code == 2
    assert "--service-account-nam" in capsys.readouterr().err
