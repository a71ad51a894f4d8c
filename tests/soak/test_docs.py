"""A new user's walk: README, quickstart, tour and how-to pages, every command typed as written.

The user has a home of their own, in which nothing is, and the parts that are cached. Run alone,
`-k` chooses pages; the README's comes first, because it makes the demo.
"""

import json
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.e2e import embedded
from tests.soak.terminal import Terminal, commands

from hypershift import parts
from hypershift.parts.settings import cache_directory

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]

ROOT = Path(__file__).parents[2]
#: What a clone has that the pages speak of.
CLONE = ("Makefile", "docs", "pyproject.toml", "src", "uv.lock", ".venv")
#: For how long one looks again until one sees what the page says.
PATIENCE = 300.0
PAGES = (
    "README.md",
    "docs/quickstart.md",
    "docs/tour.md",
    "docs/how-to/sample-workload.md",
    "docs/how-to/two-teams.md",
    "docs/how-to/kubectl-and-helm.md",
    "docs/how-to/explain-and-dump.md",
    "docs/how-to/upgrade.md",
    "docs/how-to/restrict-the-api.md",
    "docs/how-to/create-and-destroy.md",
    "docs/observability/README.md",
    "docs/troubleshooting.md",
    "docs/how-to/node-pools.md",
)
#: Pages that cannot be typed here as they stand, and why.
LEFT_OUT = {
    "docs/how-to/install.md": "pushes to a registry of the reader's; test_install does its steps",
    "docs/how-to/build-and-push-images.md": "pushes to a registry of the reader's",
    "docs/how-to/bring-your-own-machines.md": "needs machines of the reader's",
    "docs/how-to/change-the-encryption-key.md": "its kubectl is told by the reader's kubeconfig",
    "docs/how-to/run-the-operator-outside.md": "its commands do not end",
    "docs/reference/cli.md": "examples of single commands, with names to fill in",
}


@dataclass(frozen=True)
class Sight:
    """What a page says of a command: how it may end, and what one sees, perhaps later."""

    command: str
    codes: tuple[int, ...] = (0,)
    text: str = ""


#: Ctrl-C ends a watch: 124 is what `timeout` makes of it, 130 what a shell shows.
SIGHTS = (
    Sight("--watch", (0, 124, 130)),
    Sight("hypershift explain", (0, 3)),
    Sight("{.type}={.status}", text="ValidReleaseImage=False InvalidImage"),
    Sight("delete daemonset kube-proxy", (1,), "managed by the hosted cluster's provider"),
    Sight("get machines,localmachines", text="MachineFell"),
    Sight("kubectl demo -- exec deployment/hello", text="hello-"),
    Sight("auth can-i create hostedclusters", text="yes"),
    Sight("auth can-i get pods", text="no"),
    Sight("auth can-i list hostedclusters", text="no"),
    Sight("services/operator:metrics/proxy/metrics", text='hypershift_hostedclusters{platform="'),
)
#: The tests are what runs this; `make test` would run them in themselves.
NOT_TYPED = ("make test",)
CHART = {
    "Chart.yaml": "apiVersion: v2\nname: my-chart\nversion: 0.1.0\n",
    "templates/map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: my-chart}\n",
}


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """A terminal in a clone, which is left as one leaves it: by `make demo-down`."""
    embedded.needs_root()
    home = tmp_path_factory.mktemp("user")
    clone, programs = home / "clone", home / "bin"
    for directory in (clone, programs):
        directory.mkdir()
    for name in CLONE:
        (clone / name).symlink_to(ROOT / name)
    for name, content in CHART.items():
        target = clone / "my-chart" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
    (programs / "sudo").write_text('#!/bin/sh\nexec "$@"\n')  # root may do it without
    (programs / "sudo").chmod(0o755)
    (programs / "kubectl").symlink_to(parts.path("kubectl"))
    kept = {name: os.environ[name] for name in os.environ if not name.startswith(("XDG_", "KUBE"))}
    environment = {
        **{name: value for name, value in kept.items() if not name.startswith("HYPERSHIFT_")},
        "HOME": str(home),
        "HYPERSHIFT_CACHE": str(cache_directory(os.environ)),
        "PATH": f"{programs}:{os.environ['PATH']}",
    }
    made = Terminal(clone, environment)
    try:
        yield made
    finally:
        made.type("make demo-down")
        code, left = made.type("hypershift local list -o json")
        made.close()
        if keep := os.environ.get("HYPERSHIFT_SOAK_OUTPUT"):
            Path(keep).write_text("\n".join(made.typed))
    assert (code, json.loads(left)) == (0, [])


def adapted(terminal: Terminal, command: str) -> str:
    """The command for the cluster of this reader, as the pages tell: addresses, a machine."""
    if "10.80.0." in command:
        _, said = terminal.type("hypershift local list -o json")
        prefix = ".".join(json.loads(said)[0]["network"].split(".")[:2])
        command = command.replace("10.80.0.", f"{prefix}.0.")
    if "MACHINE" in command:
        _, said = terminal.type("hypershift local machine list -o json")
        names = sorted(each["name"] for each in json.loads(said))
        command = re.sub(r"\bMACHINE\b", _a_worker(names), command)
    return command


def _a_worker(names: list[str]) -> str:
    return next(name for name in names if not name.startswith("local-node-"))


def follow(terminal: Terminal, command: str) -> None:
    """Type a command, again and again if the page says that something will be seen."""
    fitting = [sight for sight in SIGHTS if sight.command in command]
    codes = {code for sight in fitting for code in sight.codes} or {0}
    texts = [sight.text for sight in fitting if sight.text]
    end = time.monotonic() + PATIENCE
    while True:
        code, said = terminal.type(adapted(terminal, command))
        unseen = [text for text in texts if text not in said]
        assert code in codes or (unseen and time.monotonic() < end), terminal.typed[-1]
        if code in codes and not unseen:
            return
        assert time.monotonic() < end, f"{unseen} is not seen: {terminal.typed[-1]}"
        time.sleep(2)


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_do_what_it_says(page: str, terminal: Terminal) -> None:
    for command in commands(ROOT / page):
        if command not in NOT_TYPED:
            follow(terminal, command)
    end = time.monotonic() + PATIENCE
    while terminal.type("hypershift explain cluster demo")[0] != 0:
        assert time.monotonic() < end, f"the demo is not well after {page}: {terminal.typed[-1]}"
        time.sleep(5)


def test_every_page_with_commands_is_walked_or_left_out_for_a_reason() -> None:
    found = {
        str(page.relative_to(ROOT))
        for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
        if list(commands(page))
    }
    assert found == {*PAGES, *LEFT_OUT}
