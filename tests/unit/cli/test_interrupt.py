"""Ctrl-C or SIGTERM while a command waits: one word, the usual exit code, no traceback."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hypershift.cli.main import INTERRUPTED

KUBECONFIG = """\
apiVersion: v1
kind: Config
current-context: c
clusters: [{{name: c, cluster: {{server: "http://127.0.0.1:{port}"}}}}]
contexts: [{{name: c, context: {{cluster: c, user: u}}}}]
users: [{{name: u, user: {{token: t}}}}]
"""


@pytest.mark.parametrize(
    "words",
    [
        ("get", "clusters"),
        ("create", "cluster", "local", "--name", "demo", "--node-pool-replicas", "1", "--wait"),
        ("dump", "cluster", "--name", "demo", "--artifact-dir", "dump"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM], ids=["INT", "TERM"])
def test_a_command_that_is_interrupted_says_so_in_a_word(
    words: tuple[str, ...], ending: signal.Signals, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:  # listens, and never answers
        server.settimeout(120)
        kubeconfig = tmp_path / "kubeconfig"
        kubeconfig.write_text(KUBECONFIG.format(port=server.getsockname()[1]))
        process = subprocess.Popen(
            [sys.executable, "-m", "hypershift.cli", *words],
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "KUBECONFIG": str(kubeconfig)},
        )
        connection, _ = server.accept()  # it has asked, and waits
        with connection:
            process.send_signal(ending)
            _, said = process.communicate(timeout=120)
    assert process.returncode == INTERRUPTED
    assert "Traceback" not in said
    assert said.splitlines()[-1] == "Aborted..."
